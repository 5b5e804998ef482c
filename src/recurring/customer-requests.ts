import type { CryptoSymbol } from '../../machines/index.ts';
import type { PeriodForCustomer, ScheduleForCustomer } from './customer.ts';
import { decideAsCustomer, findForCustomer } from './customer-decides.ts';
import { type OpenPeriodDeps, openPeriod } from './open-period.ts';
import { findPeriod } from './period-for-customer.ts';

/**
 * What the holder of a mail link can do. Tokens come from the URL, unvalidated; each works for one
 * purpose only.
 */
export interface CustomerRequests {
  /** Null when no schedule has this token for this purpose. */
  find(purpose: 'confirm' | 'stop', token: string): Promise<ScheduleForCustomer | null>;
  /** See `decideAsCustomer`. */
  decide(purpose: 'confirm' | 'stop', token: string): Promise<ScheduleForCustomer | null>;
  findPeriod(token: string): Promise<PeriodForCustomer | null>;
  /** See `openPeriod`. */
  openPeriod(token: string, crypto: CryptoSymbol): Promise<string | null>;
}

export function createCustomerRequests(deps: OpenPeriodDeps): CustomerRequests {
  return {
    find: (purpose, token) => findForCustomer(deps, purpose, token),
    decide: (purpose, token) => decideAsCustomer(deps, purpose, token),
    findPeriod: async (token) => (await findPeriod(deps, token))?.shown ?? null,
    openPeriod: (token, crypto) => openPeriod(deps, token, crypto),
  };
}
