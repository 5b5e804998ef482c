import type { Kysely } from 'kysely';
import { DAY_MS } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RetentionDays } from '../../platform/config/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { planByIndex } from '../../platform/engine/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { RETENTION_RULES, type RetentionRule } from './deletion-rules.ts';
import { dropEmptyPartitions, dropPartitions, oldestJournalMonth } from './month-partitions.ts';

export interface RetentionDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  readonly retention: RetentionDays;
}

/**
 * Rows deleted per statement: a few milliseconds of work, and locks only on rows that nothing
 * reads.
 */
const BATCH_ROWS = 2_000;

/**
 * Deletes rows past their retention, rule by rule, in batches of short transactions. Returns the
 * number of rows deleted by each rule, without dropped partitions. Skips rows that another process
 * is deleting. Stops early when `signal` is aborted.
 *
 * A failing rule is logged and does not stop the others; the promise then rejects at the end.
 */
export async function applyRetention(
  deps: RetentionDeps,
  { batchRows = BATCH_ROWS, signal }: { batchRows?: number; signal?: AbortSignal } = {},
): Promise<ReadonlyMap<string, number>> {
  const deleted = new Map<string, number>();
  const failed: string[] = [];
  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      failed.push(what);
      deps.log.warn({ what, reason: messageOf(error) }, 'expired rows of one kind could not be deleted');
    }
  }

  await attempt('expired months', () => dropWholeMonths(deps));
  for (const rule of RETENTION_RULES) {
    await attempt(rule.what, async () => {
      const rows = await expireAll(deps, rule, { batchRows, signal });
      if (rows > 0) deleted.set(rule.what, rows);
    });
  }
  if (failed.length > 0) throw new Error(`retention failed for ${failed.join(', ')}`);
  return deleted;
}

// Helpers

/** Deletes in batches. Deleted rows are logged even when a later batch fails. */
async function expireAll(
  { db, clock, log, retention }: RetentionDeps,
  rule: RetentionRule,
  { batchRows, signal }: { batchRows: number; signal: AbortSignal | undefined },
): Promise<number> {
  const days = retention[rule.days];
  if (days === null) return 0;
  const before = new Date(clock.now() - days * DAY_MS);
  let rows = 0;
  try {
    for (let isMore = true; isMore && signal?.aborted !== true; ) {
      const gone = await expireBatch(db, rule, { before, limit: batchRows });
      rows += gone;
      isMore = gone === batchRows;
    }
  } finally {
    if (rows > 0) log.info({ what: rule.what, deleted: rows, days }, 'expired rows were deleted');
  }
  return rows;
}

async function expireBatch(
  db: Kysely<Database>,
  { expire }: RetentionRule,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await planByIndex(trx);
    const { rows } = await expire(before, limit).execute(trx);
    return rows.length;
  });
}

/**
 * Drops expired months of webhook attempts as whole partitions. Actors created in one month end at
 * different times, so only empty partitions of the archive are dropped, and only for months before
 * the oldest one in the journal: an actor created later may still be archived.
 */
async function dropWholeMonths({ db, clock, log, retention }: RetentionDeps): Promise<void> {
  const { webhookAttempts, archive } = retention;
  const cutoff = (days: number) => clock.now() - days * DAY_MS;
  const dropped: string[] = [];
  if (webhookAttempts !== null) dropped.push(...(await dropPartitions(db, 'webhook_attempt', cutoff(webhookAttempts))));
  if (archive !== null) {
    const before = Math.min(cutoff(archive), (await oldestJournalMonth(db)) ?? cutoff(archive));
    dropped.push(...(await dropEmptyPartitions(db, 'actor_archive', before)));
  }
  if (dropped.length > 0) log.info({ dropped }, 'partitions of expired months were dropped');
}
