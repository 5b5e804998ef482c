import { type Kysely, sql } from 'kysely';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import { derivedId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { notifyMerchantUsers } from '../../mail/index.ts';
import { readDay } from './read-day.ts';
import { isQuiet, summaryMail } from './summary-mail.ts';

export interface SummaryDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  /** Base URL of links in mails, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Mails each merchant that wants it a summary of the last full day in UTC, once, unless there is
 * nothing to say. Days that ended while no process ran are left out. A merchant whose summary fails
 * does not block the others and is tried again at the next call.
 */
export async function sendSummaries(deps: SummaryDeps, stopping?: AbortSignal): Promise<void> {
  const until = endOfLastDay(deps.clock.now());
  for (let after = '', full = true; full; ) {
    const ids = await findDue(deps.db, { until, after });
    for (const merchantId of ids) {
      if (stopping?.aborted === true) return;
      try {
        await sendSummary(deps, merchantId, until);
      } catch (error) {
        deps.log.warn({ merchantId, reason: messageOf(error) }, 'a daily summary could not be written; trying again');
      }
    }
    after = ids.at(-1) ?? '';
    full = ids.length === PAGE_ROWS;
  }
}

// Helpers

const PAGE_ROWS = 100;
/** The last commits of a day may come after its end. */
const COMMITS_WITHIN_MS = 10 * MINUTE_MS;

function endOfLastDay(now: UnixMs): UnixMs {
  return Math.floor((now - COMMITS_WITHIN_MS) / DAY_MS) * DAY_MS;
}

/** Off by default, so merchants without the setting are not meant. */
const IS_WANTED = sql<boolean>`settings -> 'mailDailySummary' = 'true'`;

async function findDue(
  db: Kysely<Database>,
  { until, after }: { readonly until: UnixMs; readonly after: string },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('merchant')
    .select('id')
    .where('id', '>', after)
    .where(IS_WANTED)
    .where(isBefore(until))
    .orderBy('id')
    .limit(PAGE_ROWS)
    .execute();
  return rows.map(({ id }) => id);
}

function isBefore(until: UnixMs) {
  return sql<boolean>`(summarized_until is null or summarized_until < ${new Date(until)})`;
}

/** The row of the merchant is updated by one process, whose commit has the mails. */
async function sendSummary({ db, clock, publicUrl }: SummaryDeps, merchantId: string, until: UnixMs): Promise<void> {
  const now = clock.now();
  // Before the merchant is locked, because a busy day takes a while to count.
  const facts = await readDay(db, { merchantId, from: until - DAY_MS, to: until, now });
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('merchant')
      .set({ summarized_until: new Date(until) })
      .where('id', '=', merchantId)
      .where(IS_WANTED)
      .where(isBefore(until))
      .executeTakeFirst();
    if (numUpdatedRows === 0n || isQuiet(facts)) return;
    const { completed, needAttention, late, failingHosts } = facts;
    await notifyMerchantUsers(trx, [
      {
        id: derivedId('ntc', 'daily_summary', merchantId, facts.day),
        merchantId,
        kind: 'daily_summary',
        setting: 'mailDailySummary',
        subjectId: merchantId,
        data: { day: facts.day, completed, need_attention: needAttention, late, failing_hosts: failingHosts },
        content: summaryMail(facts, publicUrl),
        at: now,
      },
    ]);
  });
}
