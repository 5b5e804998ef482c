import { type Kysely, sql } from 'kysely';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import { notifyMerchantUsers } from '../../mail/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import { derivedId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { listFailingEndpoints } from '../../webhooks/index.ts';
import { type DaySummary, isQuiet, summaryEmail } from './summary-email.ts';

interface SummaryDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  /** Base URL of links in emails, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Emails each merchant that wants it a summary of the last full day in UTC, once, unless there is
 * nothing to report. Days that ended while no process ran are skipped. A merchant whose summary
 * fails does not block the others and is tried again at the next call.
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
        deps.log.warn({ merchantId, reason: messageOf(error) }, 'a daily summary could not be queued; retrying');
      }
    }
    after = ids.at(-1) ?? '';
    full = ids.length === PAGE_ROWS;
  }
}

/**
 * What happened to the live payments of a merchant from `from` until before `to`, and what needs it
 * now.
 */
async function readDay(
  db: Kysely<Database>,
  { merchantId, from, to, now }: { merchantId: string; from: UnixMs; to: UnixMs; now: UnixMs },
): Promise<DaySummary> {
  const { rows: completed } = await sql<DaySummary['completed'][number]>`
    select currency_fiat as currency, count(*) as count, round(sum(amount_fiat::numeric), 2)::text as volume
    from webhook_event join transaction on transaction.id = webhook_event.transaction_id
    where webhook_event.merchant_id = ${merchantId} and event = 'payment.completed' and webhook_event.mode = 'live'
      and not is_test and transaction.loss is distinct from 'gone'
      and webhook_event.created_at >= ${new Date(from)} and webhook_event.created_at < ${new Date(to)}
    group by currency_fiat order by currency_fiat`.execute(db);
  const { rows: open } = await sql<{ open: number; late: number }>`
    select count(*) as open, count(*) filter (where kind = 'paid_late') as late from attention_item
    where merchant_id = ${merchantId} and mode = 'live' and settled_at is null`.execute(db);
  const { open: needAttention, late } = open[0] ?? { open: 0, late: 0 };
  return {
    day: from,
    completed,
    needAttention,
    late,
    failingHosts: await listFailingEndpoints(db, { merchantId, now }),
  };
}

const CHECK_EVERY_MS = 5 * MINUTE_MS;

/** Sends the daily summaries that are due. Any number of processes may run one. */
export function createSummaryWorker({
  checkEveryMs = CHECK_EVERY_MS,
  ...deps
}: SummaryDeps & { checkEveryMs?: number }): PollLoop {
  return createPollLoop({
    work: (stopping) => sendSummaries(deps, stopping),
    everyMs: checkEveryMs,
    onFailure: (error) => deps.log.error({ reason: messageOf(error) }, 'daily summaries cannot be sent; retrying'),
  });
}

// Helpers

const PAGE_ROWS = 100;
/** The last commits of a day may follow its end. */
const COMMITS_WITHIN_MS = 10 * MINUTE_MS;

function endOfLastDay(now: UnixMs): UnixMs {
  return Math.floor((now - COMMITS_WITHIN_MS) / DAY_MS) * DAY_MS;
}

/** Off by default, so merchants without the setting are not meant. */
const IS_SUBSCRIBED = sql<boolean>`settings -> 'mailDailySummary' = 'true'`;

async function findDue(
  db: Kysely<Database>,
  { until, after }: { readonly until: UnixMs; readonly after: string },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('merchant')
    .select('id')
    .where('id', '>', after)
    .where(IS_SUBSCRIBED)
    .where(isBefore(until))
    .orderBy('id')
    .limit(PAGE_ROWS)
    .execute();
  return rows.map(({ id }) => id);
}

function isBefore(until: UnixMs) {
  return sql<boolean>`(summarized_until is null or summarized_until < ${new Date(until)})`;
}

/** The row of the merchant is updated by one process, whose commit has the emails. */
async function sendSummary({ db, clock, publicUrl }: SummaryDeps, merchantId: string, until: UnixMs): Promise<void> {
  const now = clock.now();
  // Before the merchant is locked, because counting a busy day takes time.
  const summary = await readDay(db, { merchantId, from: until - DAY_MS, to: until, now });
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('merchant')
      .set({ summarized_until: new Date(until) })
      .where('id', '=', merchantId)
      .where(IS_SUBSCRIBED)
      .where(isBefore(until))
      .executeTakeFirst();
    if (numUpdatedRows === 0n || isQuiet(summary)) return;
    await notifyMerchantUsers(trx, [
      {
        id: derivedId('ntc', 'daily_summary', merchantId, summary.day),
        merchantId,
        setting: 'mailDailySummary',
        content: summaryEmail(summary, publicUrl),
        at: now,
      },
    ]);
  });
}
