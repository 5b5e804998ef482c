import { useState } from 'react';
import type { MerchantDetail, PlanTier } from '../../../../http/console/operator/merchant-schemas.ts';
import { useGivePlan } from '../../../api/merchants.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { ReasonForm } from '../reason-field.tsx';

interface GivePlanProps {
  readonly merchant: MerchantDetail;
  close(): void;
}

const TIERS: readonly PlanTier[] = ['starter', 'business', 'professional', 'enterprise'];

/** Assigns a plan to a merchant without payment, regardless of its current plan. */
export function GivePlan({ merchant, close }: GivePlanProps) {
  const give = useGivePlan(merchant.id);
  const [tier, setTier] = useState<PlanTier>(merchant.plan.tier);
  const [lastDay, setLastDay] = useState('');
  const expiresAt = endOfDay(lastDay);
  const plan = { tier, ...(expiresAt === null ? {} : { expiresAt }) };
  return (
    <ReasonForm
      work={give}
      action="Assign plan"
      hint="Recorded with your name. The merchant sees the change in its audit log, not the reason."
      submit={(recorded) =>
        give.mutate({ ...plan, ...recorded }, toastAndClose(`${merchant.name} now has the ${tier} plan.`, close))
      }
      close={close}
    >
      <p>
        It has <strong>{merchant.plan.tier}</strong> now. The assigned plan replaces it immediately, even if it was paid
        for, and costs nothing.
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
        hint="In UTC. Leave empty for no end."
        value={lastDay}
        onChange={(event) => setLastDay(event.target.value)}
      />
    </ReasonForm>
  );
}

// Helpers

const DAY_MS = 86_400_000;

/** End of a UTC day like `2027-01-31`, in Unix ms; null for none. */
function endOfDay(day: string): number | null {
  const start = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(start) ? null : start + DAY_MS;
}
