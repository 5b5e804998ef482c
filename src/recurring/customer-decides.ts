import type { Kysely } from 'kysely';
import type { CryptoSymbol } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { Engine } from '../platform/engine/index.ts';
import type { ScheduleForCustomer } from './customer.ts';
import { findByToken, toScheduleForCustomer } from './customer-links.ts';
import { type OpenPeriodDeps, openPeriod } from './open-period.ts';
import { findPeriod } from './period-for-customer.ts';

interface CustomerDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliver'>;
}

/** The schedule that a link in an email belongs to; null for an invalid token. */
async function findForCustomer(
  { db }: Pick<CustomerDeps, 'db'>,
  purpose: 'confirm' | 'stop',
  token: string,
): Promise<ScheduleForCustomer | null> {
  const holder = await findByToken(db, purpose, token);
  return holder === null ? null : toScheduleForCustomer(holder.row);
}

/**
 * Confirms or stops a schedule for the customer and returns it afterwards; null for an invalid
 * token. Repeating it, or doing it after the schedule has ended, changes nothing: the event id is
 * the same, and an ended schedule accepts neither.
 */
export async function decideAsCustomer(
  deps: CustomerDeps,
  purpose: 'confirm' | 'stop',
  token: string,
): Promise<ScheduleForCustomer | null> {
  const holder = await findByToken(deps.db, purpose, token);
  if (holder === null) return null;
  const type = purpose === 'confirm' ? 'customer.confirmed' : 'customer.stopped';
  await deps.engine.deliver({ actorId: holder.row.id, eventId: type, event: { type } });
  return findForCustomer(deps, purpose, token);
}

/**
 * What the holder of an email link can do. Tokens come from the URL, unvalidated; each works for
 * one purpose only.
 */
export type CustomerRequests = ReturnType<typeof createCustomerRequests>;

export function createCustomerRequests(deps: OpenPeriodDeps) {
  return {
    find: (purpose: 'confirm' | 'stop', token: string) => findForCustomer(deps, purpose, token),
    decide: (purpose: 'confirm' | 'stop', token: string) => decideAsCustomer(deps, purpose, token),
    findPeriod: async (token: string) => (await findPeriod(deps, token))?.shown ?? null,
    openPeriod: (token: string, crypto: CryptoSymbol) => openPeriod(deps, token, crypto),
  };
}
