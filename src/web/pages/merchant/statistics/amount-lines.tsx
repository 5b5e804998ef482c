import type { FiatAmount } from '../../../../http/console/merchant/statistics/schemas.ts';
import { Amount } from '../../../ui/values/amount.tsx';

/** One line for each currency; a zero of no currency for none. */
export function AmountLines({ amounts }: { readonly amounts: readonly FiatAmount[] }) {
  if (amounts.length === 0) return <span className="number">0</span>;
  return amounts.map(({ amount, currency }) => (
    <span key={currency} className="amount-line">
      <Amount value={amount} currency={currency} />
    </span>
  ));
}
