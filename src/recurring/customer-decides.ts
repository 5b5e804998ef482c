import type { Kysely } from 'kysely';
import type { CryptoSymbol } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { Engine } from '../platform/engine/index.ts';
import { readAttempts } from './attempts.ts';
import type { DuePeriod, ScheduleForCustomer } from './customer.ts';
import { type CustomerLinks, findByToken, toScheduleForCustomer } from './customer-links.ts';
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

/** The schedule behind a link to confirm it, with the payment due; null for an invalid token. */
async function findToConfirm({ db, links }: OpenPeriodDeps, token: string): Promise<ScheduleForCustomer | null> {
  const holder = await findByToken(db, 'confirm', token);
  if (holder === null) return null;
  const { row } = holder;
  const due = row.status === 'active' ? await findDue(db, row.id, links) : null;
  return { ...toScheduleForCustomer(row), due };
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
    find: (purpose: 'confirm' | 'stop', token: string) =>
      purpose === 'confirm' ? findToConfirm(deps, token) : findForCustomer(deps, purpose, token),
    decide: (purpose: 'confirm' | 'stop', token: string) => decideAsCustomer(deps, purpose, token),
    findPeriod: async (token: string) => (await findPeriod(deps, token))?.shown ?? null,
    openPeriod: (token: string, crypto: CryptoSymbol) => openPeriod(deps, token, crypto),
  };
}

// Helpers

/**
 * The newest period if it awaits its payment and none is in progress. Null without an enabled link:
 * links are enabled when they are emailed.
 */
async function findDue(db: Kysely<Database>, scheduleId: string, links: CustomerLinks): Promise<DuePeriod | null> {
  const newest = await db
    .selectFrom('schedule_period')
    .select(['period_no as periodNo', 'status'])
    .where('schedule_id', '=', scheduleId)
    .orderBy('period_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.status !== 'awaited') return null;
  const purpose = { purpose: 'pay', scheduleId, periodNo: newest.periodNo } as const;
  const [attempts, link] = await Promise.all([
    readAttempts(db, { scheduleId, periodNo: newest.periodNo }),
    db.selectFrom('schedule_token').select('hash').where('hash', '=', links.hashOf(purpose)).executeTakeFirst(),
  ]);
  if (link === undefined || attempts.some(({ hasCoins }) => hasCoins)) return null;
  return { periodNo: newest.periodNo, url: links.urlOf(purpose) };
}
