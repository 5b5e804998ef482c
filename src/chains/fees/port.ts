/**
 * The current cost of a typical transfer for its sender, in base units of the chain's native coin.
 */
export interface TransferFees {
  /** A transfer of the chain's native coin. */
  readonly coin: bigint;
  /** A transfer of a token; null on chains without tokens. */
  readonly token: bigint | null;
}

/**
 * Null when the node cannot estimate fees. Throws `RetryableError` when it does not respond now.
 */
export type FetchFees = () => Promise<TransferFees | null>;

/** Rounds to two digits: estimates are no more exact, and stay equal for longer. */
export function twoDigits(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 2));
  return ((amount + unit / 2n) / unit) * unit;
}
