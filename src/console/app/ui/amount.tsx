import { amountText } from './amount-text.ts';

interface AmountProps {
  /** Exact decimal text, as the API gives it. */
  readonly value: string;
  /** `EUR`, `BTC`; left out where the place says it already. */
  readonly currency?: string;
  readonly className?: string;
}

/** Money as people read it, exactly: thousands apart, fiat with its cents, never rounded. */
export function Amount({ value, currency, className = '' }: AmountProps) {
  return <span className={`number ${className}`.trim()}>{amountText(value, currency)}</span>;
}
