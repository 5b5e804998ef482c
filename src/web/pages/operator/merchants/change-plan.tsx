import '../../../styles/operator.css';
import { useState } from 'react';
import type { PlanChangesBody, TierPlan } from '../../../../http/console/operator/merchant-schemas.ts';
import { useChangeTier } from '../../../api/merchants.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { CheckField, TextField } from '../../../ui/forms/field.tsx';
import { ReasonForm } from '../reason-field.tsx';

interface ChangePlanProps {
  readonly plan: TierPlan;
  close(): void;
}

/** Changes prices and limits of one tier. Sends only the changed values. */
export function ChangePlan({ plan, close }: ChangePlanProps) {
  const change = useChangeTier(plan.tier);
  const [texts, setTexts] = useState(() => textsOf(plan));
  const [permissions, setPermissions] = useState({
    ipWhitelist: plan.ipWhitelist,
    createDetailed: plan.createDetailed,
  });
  const changes = changesOf(plan, texts, permissions);
  return (
    <ReasonForm
      work={change}
      action="Change for all merchants on this plan"
      hint="Recorded with your name."
      isDisabled={Object.keys(changes).length === 0}
      submit={(recorded) =>
        change.mutate({ ...changes, ...recorded }, toastAndClose(`The ${plan.tier} plan was changed.`, close))
      }
      close={close}
    >
      <div className="form form-pairs">
        {FIELDS.map(({ name, label, hint, pattern, isRequired }) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            inputMode="decimal"
            pattern={pattern}
            required={isRequired}
            value={texts[name]}
            onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
          />
        ))}
      </div>
      <CheckField
        label="Keys can be restricted to IP addresses"
        checked={permissions.ipWhitelist}
        onChange={(event) => setPermissions({ ...permissions, ipWhitelist: event.target.checked })}
      />
      <CheckField
        label="Payments can list items"
        checked={permissions.createDetailed}
        onChange={(event) => setPermissions({ ...permissions, createDetailed: event.target.checked })}
      />
    </ReasonForm>
  );
}

// Helpers

const PRICE = '\\d{1,7}(\\.\\d{1,2})?';
const WHOLE = '\\d{1,9}';

const FIELDS = [
  {
    name: 'monthlyPriceUsd',
    label: 'USD a month',
    hint: 'Leave empty for a custom price.',
    pattern: PRICE,
    isRequired: false,
  },
  {
    name: 'yearlyPriceUsd',
    label: 'USD a year',
    hint: 'Leave empty for 12 times the monthly price.',
    pattern: PRICE,
    isRequired: false,
  },
  {
    name: 'monthlyTransactionLimit',
    label: 'Payments a month',
    hint: 'Leave empty for no limit.',
    pattern: WHOLE,
    isRequired: false,
  },
  {
    name: 'webhookLimit',
    label: 'Webhook endpoints',
    hint: 'Leave empty for no limit.',
    pattern: WHOLE,
    isRequired: false,
  },
  { name: 'apiRateLimitPerMinute', label: 'Requests a minute', hint: 'Per key.', pattern: WHOLE, isRequired: true },
  { name: 'apiRateLimitPerHour', label: 'Requests an hour', hint: 'Per key.', pattern: WHOLE, isRequired: true },
] as const;

type Texts = Readonly<Record<(typeof FIELDS)[number]['name'], string>>;

function textsOf(plan: TierPlan): Texts {
  return {
    monthlyPriceUsd: plan.monthlyPriceUsd ?? '',
    yearlyPriceUsd: plan.yearlyPriceUsd ?? '',
    monthlyTransactionLimit: String(plan.monthlyTransactionLimit ?? ''),
    webhookLimit: String(plan.webhookLimit ?? ''),
    apiRateLimitPerMinute: String(plan.apiRateLimitPerMinute),
    apiRateLimitPerHour: String(plan.apiRateLimitPerHour),
  };
}

type Changes = Omit<PlanChangesBody, 'reason' | 'requestId'>;

function changesOf(
  plan: TierPlan,
  texts: Texts,
  permissions: Pick<TierPlan, 'ipWhitelist' | 'createDetailed'>,
): Changes {
  const before = textsOf(plan);
  const isChanged = (name: keyof Texts) => texts[name].trim() !== before[name];
  const price = (name: 'monthlyPriceUsd' | 'yearlyPriceUsd') =>
    isChanged(name) ? { [name]: texts[name].trim() === '' ? null : texts[name].trim() } : {};
  const bound = (name: Exclude<keyof Texts, 'monthlyPriceUsd' | 'yearlyPriceUsd'>) =>
    isChanged(name) ? { [name]: texts[name].trim() === '' ? null : Number(texts[name]) } : {};
  return {
    ...price('monthlyPriceUsd'),
    ...price('yearlyPriceUsd'),
    ...bound('monthlyTransactionLimit'),
    ...bound('webhookLimit'),
    ...bound('apiRateLimitPerMinute'),
    ...bound('apiRateLimitPerHour'),
    ...(permissions.ipWhitelist === plan.ipWhitelist ? {} : { ipWhitelist: permissions.ipWhitelist }),
    ...(permissions.createDetailed === plan.createDetailed ? {} : { createDetailed: permissions.createDetailed }),
  };
}
