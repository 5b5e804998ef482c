import { type Kysely, sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { forgetPreviousSecrets } from '../../webhooks/index.ts';
import { cancelForgottenRuns } from '../runs/run.ts';
import { applyRetention, type RetentionDeps } from './apply-retention.ts';
import { type ArchivingDeps, archiveActors } from './archive-actors.ts';
import { MONTHLY_TABLES, makePartitions } from './month-partitions.ts';

export interface StorageWorkerDeps extends RetentionDeps, ArchivingDeps {
  /** The embedded database has no autovacuum, so the worker vacuums it. */
  readonly isEmbedded: boolean;
}

const EVERY_MS = HOUR_MS;
/** A bulk run that was planned and not finished by then is cancelled. */
const FORGET_RUNS_AFTER_MS = 30 * DAY_MS;

/**
 * Database maintenance, at the start and every hour: creates partitions ahead, archives actors, and
 * deletes old rows and secrets. Any number of processes may run one; when one stops after the batch
 * in progress, others continue the rest.
 */
export function createStorageWorker(deps: StorageWorkerDeps): PollLoop {
  const rejected = new Set<string>();

  async function round(signal: AbortSignal): Promise<void> {
    // Each separately, so that one failure does not stop the others.
    await quietly(deps, 'partitions could not be created', () => makeAll(deps));
    await quietly(deps, 'actors could not be archived', () => archiveActors(deps, { rejected, signal }));
    await quietly(deps, 'expired rows could not be deleted', () => applyRetention(deps, { signal }));
    await quietly(deps, 'abandoned bulk runs could not be cancelled', () => {
      const now = deps.clock.now();
      return cancelForgottenRuns(deps.db, now - FORGET_RUNS_AFTER_MS, now);
    });
    await quietly(deps, 'rotated webhook secrets could not be deleted', () =>
      forgetPreviousSecrets(deps.db, deps.clock.now()),
    );
    if (!deps.isEmbedded) return;
    await quietly(deps, 'the database could not be vacuumed', () => vacuumEmbedded(deps.db));
  }

  const onFailure = (error: unknown) => deps.log.error({ err: error }, 'database maintenance failed');
  return createPollLoop({ work: round, everyMs: EVERY_MS, onFailure });
}

/**
 * Tables with frequent inserts, updates and deletes. The others have dead rows only from retention.
 */
const BUSY_TABLES = [
  'outbox_message',
  'pending_observation',
  'timer',
  'watermark',
  'request_count',
  'free_address',
  'actor_count',
  'transaction_count',
  'actor',
  'transaction_terms',
  'transaction_status',
  'webhook_delivery',
] as const;

/**
 * The embedded database has no autovacuum, and dead rows would make it grow. Other statements wait
 * for a vacuum, so it runs table by table.
 */
export async function vacuumEmbedded(db: Kysely<Database>): Promise<void> {
  for (const table of BUSY_TABLES) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
}

// Helpers

/**
 * Rows in a default partition are not lost, but operators should know that no
 * worker has run for months.
 */
async function makeAll({ db, clock, log }: StorageWorkerDeps): Promise<void> {
  for (const table of MONTHLY_TABLES) {
    const moved = await makePartitions(db, table, clock.now());
    if (moved === 0) continue;
    const detail = `${moved} rows of ${table} had no partition for their month and were moved to a new one`;
    await sql`insert into operator_alert (alert, detail) values ('partition_missing', ${detail})`.execute(db);
    log.error({ table, moved }, 'rows were in a default partition');
  }
}

/** A failed task is repeated in an hour. */
async function quietly({ log }: StorageWorkerDeps, problem: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ reason: messageOf(error) }, `${problem}; retrying in an hour`);
  }
}
