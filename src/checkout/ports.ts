import type { PublicTransaction, PublicVersion, SimulateRequest } from '../payments/index.ts';

/** What the checkout can do with transactions. The composition root binds these to the use cases of `payments`. */
export interface PublicTransactions {
  /** Null when the id names none. */
  get(id: string): Promise<PublicTransaction | null>;
  /** Those of `ids` that exist, in any order. */
  list(ids: readonly string[]): Promise<readonly PublicTransaction[]>;
  listVersions(ids: readonly string[]): Promise<readonly PublicVersion[]>;
  simulate(id: string, request: SimulateRequest): Promise<void>;
}
