import { type FormEvent, useState } from 'react';
import type { MerchantDetail, PlanTier } from '../../../http/console/operations/merchant-schemas.ts';
import { useGivePlan } from '../../api/merchants.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { AreaField, SelectField, TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';

interface GivePlanProps {
  readonly merchant: MerchantDetail;
  close(): void;
}

const TIERS: readonly PlanTier[] = ['starter', 'business', 'professional', 'enterprise'];

/** Gives a merchant a plan without payment, whatever plan it had. */
export function GivePlan({ merchant, close }: GivePlanProps) {
  const give = useGivePlan(merchant.id);
  const [tier, setTier] = useState<PlanTier>(merchant.plan.tier);
  const [lastDay, setLastDay] = useState('');
  const [reason, setReason] = useState('');
  const [requestId] = useState(() => crypto.randomUUID());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expiresAt = endOfDay(lastDay);
    give.mutate(
      { tier, reason: reason.trim(), requestId, ...(expiresAt === null ? {} : { expiresAt }) },
      {
        onSuccess: () => {
          toast(`${merchant.name} has the ${tier} plan now.`);
          close();
        },
      },
    );
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>
        It has <strong>{merchant.plan.tier}</strong> now. The plan you give takes its place at once, also one that was
        paid for, and costs nothing.
      </p>
      <SelectField
        label="Plan"
        value={tier}
        onChange={(event) => setTier(TIERS.find((one) => one === event.target.value) ?? tier)}
      >
        {TIERS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </SelectField>
      <TextField
        label="Last day"
        type="date"
        hint="In UTC. Leave empty for a plan that does not end."
        value={lastDay}
        onChange={(event) => setLastDay(event.target.value)}
      />
      <AreaField
        label="Reason"
        hint="Kept under your name. The merchant sees the change in its audit log, not the reason."
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {give.error === null ? null : <Problem error={give.error} />}
      <div className="button-row">
        <Button type="submit" look="main" isBusy={give.isPending} disabled={reason.trim() === ''}>
          Give the plan
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}

// Helpers

const DAY_MS = 86_400_000;

/** End of a UTC day like `2027-01-31`, in Unix ms; null for none. */
function endOfDay(day: string): number | null {
  const start = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(start) ? null : start + DAY_MS;
}
