import type { FiatAmount } from '../../http/console/merchant/statistics/schemas.ts';
import { amountText } from './amount-text.ts';

interface AmountProps {
  /** Exact decimal text, as the API returns it. */
  readonly value: string;
  /** `EUR`, `BTC`; omitted where the context shows it. */
  readonly currency?: string;
  readonly className?: string;
}

/** An exact amount: thousands separated, fiat with at least two decimals, never rounded. */
export function Amount({ value, currency, className = '' }: AmountProps) {
  return <span className={`number ${className}`.trim()}>{amountText(value, currency)}</span>;
}

/** One line for each currency; a zero of no currency for none. */
export function AmountLines({ amounts }: { readonly amounts: readonly FiatAmount[] }) {
  if (amounts.length === 0) return <span className="number">0</span>;
  return amounts.map(({ amount, currency }) => (
    <span key={currency} className="amount-line">
      <Amount value={amount} currency={currency} />
    </span>
  ));
}
