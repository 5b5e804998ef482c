/**
 * Asks a node whether addresses were used before anybody was given them. Money that lies there already, or still comes
 * from an earlier customer, must not look like a payment.
 */
export interface AddressHistory {
  /**
   * Watch keys of those that were used before, as far as this kind of chain can show it; null when this node can never
   * tell. Throws `RetryableError` when it cannot tell now. `signal` ends a question that takes long; it then throws.
   */
  usedAmong(addresses: readonly AskedAddress[], signal?: AbortSignal): Promise<ReadonlySet<string> | null>;
}

export interface AskedAddress {
  /** Hex output script, or lower-case address. */
  readonly watchKey: string;
  readonly address: string;
}
