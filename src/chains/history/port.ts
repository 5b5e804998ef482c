/**
 * Checks with a node whether addresses were used before they are assigned. Coins already on an
 * address, or sent later by an earlier customer, must not count as a payment.
 */
export interface AddressHistory {
  /**
   * Watch keys of the addresses used before, as far as the chain can show it; null when this node
   * can never tell. Throws `RetryableError` when it cannot respond now. Aborting `signal` ends a
   * long query, which then throws.
   */
  usedAmong(addresses: readonly RequestedAddress[], signal?: AbortSignal): Promise<ReadonlySet<string> | null>;
}

export interface RequestedAddress {
  /** Hex output script, or lower-case address. */
  readonly watchKey: string;
  readonly address: string;
}
