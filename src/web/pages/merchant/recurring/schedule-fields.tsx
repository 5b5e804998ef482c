import type { IntervalName } from '../../../../http/console/merchant/recurring/schemas.ts';
import { usePayableCoins } from '../../../api/links.ts';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { amountError, CURRENCIES } from '../../../ui/values/amount-text.ts';
import type { ScheduleDraft } from './schedule-draft.ts';
import { INTERVAL_WORDS } from './schedule-labels.ts';

interface FieldsProps {
  readonly draft: ScheduleDraft;
  /** While an amount is typed, its text is incomplete: errors are shown from the first try on. */
  readonly hasTried: boolean;
  set(changes: Partial<ScheduleDraft>): void;
}

/** The terms of a recurring payment request; rarely used ones are collapsed. */
export function ScheduleFields({ draft, set, hasTried }: FieldsProps) {
  return (
    <>
      <TextField
        label="Customer email"
        type="email"
        autoComplete="off"
        required
        maxLength={254}
        value={draft.customerEmail}
        onChange={(event) => set({ customerEmail: event.target.value })}
      />
      <TextField
        label="Description"
        required
        maxLength={500}
        placeholder="Coffee every month"
        hint="Shown to the customer in every email."
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <div className="recurring-choices">
        <TextField
          label="Amount"
          inputMode="decimal"
          placeholder="24.99"
          required
          value={draft.amount}
          error={hasTried ? amountError(draft.amount) : null}
          onChange={(event) => set({ amount: event.target.value })}
        />
        <SelectField
          label="Currency"
          value={draft.currency}
          onChange={(event) => set({ currency: event.target.value })}
        >
          {CURRENCIES.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </SelectField>
        <SelectField
          label="How often"
          value={draft.interval}
          onChange={(event) => set({ interval: INTERVALS.find((name) => name === event.target.value) ?? 'monthly' })}
        >
          {INTERVALS.map((name) => (
            <option key={name} value={name}>
              {INTERVAL_WORDS[name]}
            </option>
          ))}
        </SelectField>
      </div>
      <More draft={draft} set={set} />
    </>
  );
}

// Helpers

/** The keys are complete, because the type of the labels is total. */
const INTERVALS = Object.keys(INTERVAL_WORDS) as readonly IntervalName[];

function More({ draft, set }: Pick<FieldsProps, 'draft' | 'set'>) {
  const coins = usePayableCoins();
  return (
    <details className="recurring-more">
      <summary>More: first date, number of payments, your reference, coin</summary>
      <div className="form">
        <div className="recurring-choices">
          <TextField
            label="First payment (optional)"
            type="datetime-local"
            hint="Leave empty to start when the customer agrees."
            value={draft.start}
            onChange={(event) => set({ start: event.target.value })}
          />
          <TextField
            label="Number of payments (optional)"
            type="number"
            min={1}
            max={1_200}
            step={1}
            hint="Leave empty for no limit."
            value={draft.maxPeriods}
            onChange={(event) => set({ maxPeriods: event.target.value })}
          />
        </div>
        <TextField
          label="Your reference (optional)"
          maxLength={255}
          hint="Your own reference, for example a customer number. Included in webhooks."
          value={draft.reference}
          onChange={(event) => set({ reference: event.target.value })}
        />
        <SelectField label="Coin" value={draft.crypto} onChange={(event) => set({ crypto: event.target.value })}>
          <option value="">The customer chooses</option>
          {coins.map((coin) => (
            <option key={coin}>{coin}</option>
          ))}
        </SelectField>
        <TextField
          label="Return URL after payment (optional)"
          placeholder="https://shop.example/thanks"
          spellCheck={false}
          value={draft.successUrl}
          onChange={(event) => set({ successUrl: event.target.value })}
        />
      </div>
    </details>
  );
}
