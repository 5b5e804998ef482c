/** What a usual transfer costs its sender now, in base units of the chain's own coin. */
export interface TransferFees {
  /** A transfer of the chain's own coin. */
  readonly coin: bigint;
  /** A transfer of a token; null on chains without tokens. */
  readonly token: bigint | null;
}

/** Null when the node cannot estimate fees. Throws `RetryableError` when it does not answer now. */
export type FetchFees = () => Promise<TransferFees | null>;

/** An estimate is not more exact than two digits, and stays equal for longer with no more. */
export function twoDigits(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 2));
  return ((amount + unit / 2n) / unit) * unit;
}
