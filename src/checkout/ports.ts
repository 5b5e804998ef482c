import type { PublicTransaction, PublicVersion, SimulateRequest } from '../payments/index.ts';

/**
 * What the checkout needs of transactions. The composition root binds these to
 * the use cases of `payments`.
 */
export interface PublicTransactions {
  /** Null for an unknown id. */
  get(id: string): Promise<PublicTransaction | null>;
  /** The existing ones of `ids`, in any order. */
  list(ids: readonly string[]): Promise<readonly PublicTransaction[]>;
  listVersions(ids: readonly string[]): Promise<readonly PublicVersion[]>;
  simulate(id: string, request: SimulateRequest): Promise<void>;
}
