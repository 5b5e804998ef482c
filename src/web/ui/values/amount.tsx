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
