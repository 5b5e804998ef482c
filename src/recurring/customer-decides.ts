import type { Kysely } from 'kysely';
import type { Database } from '../db/index.ts';
import type { Engine } from '../engine/index.ts';
import type { ScheduleForCustomer } from './customer.ts';
import { findByToken, toScheduleForCustomer } from './customer-token.ts';

export interface CustomerDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliver'>;
}

/** What stands behind a link of a mail; null when nothing does. */
export async function findForCustomer(
  { db }: Pick<CustomerDeps, 'db'>,
  purpose: 'confirm' | 'stop',
  token: string,
): Promise<ScheduleForCustomer | null> {
  const holder = await findByToken(db, purpose, token);
  return holder === null ? null : toScheduleForCustomer(holder.row);
}

/**
 * The customer agrees or ends it, and is shown the schedule after it; null when the token names nothing. Doing it again, or when
 * something else has ended it, changes nothing: the event's id is the same, and the chart has one end.
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
