import { type Kysely, sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';

/** How long the log of an attempt is kept. Events and deliveries stay; only what went over the network goes. */
const ATTEMPT_RETENTION_MS = 60 * DAY_MS;

/** The worker that deletes old attempts. */
export interface AttemptRetention {
  start(): void;
  /** Resolves when nothing is being deleted any more. */
  stop(): Promise<void>;
}

export interface AttemptRetentionDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = HOUR_MS;
const BATCH_ROWS = 2_000;

/** Deletes old attempts from the start on and every hour. Any number of processes may do so. */
export function createAttemptRetention(deps: AttemptRetentionDeps): AttemptRetention {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let deleting = Promise.resolve();

  function run(): void {
    deleting = deleting.then(() => deleteQuietly(deps, stopped.signal));
  }

  return {
    start() {
      run();
      timer = setInterval(run, EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await deleting;
    },
  };
}

/**
 * Deletes every attempt that is older than the retention, in batches of short transactions, and returns how many went.
 * Rows that another process is deleting are left to it. Ends early when `signal` fires.
 */
export async function deleteOldAttempts(
  { db, clock }: Pick<AttemptRetentionDeps, 'db' | 'clock'>,
  { batchRows = BATCH_ROWS, signal }: { batchRows?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const before = new Date(clock.now() - ATTEMPT_RETENTION_MS);
  let deleted = 0;
  for (let isMore = true; isMore && signal?.aborted !== true; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_attempt where ctid = any(array(
        select ctid from webhook_attempt where started_at < ${before} limit ${batchRows} for update skip locked
      ))`.execute(db);
    deleted += Number(numAffectedRows);
    isMore = numAffectedRows === BigInt(batchRows);
  }
  return deleted;
}

// Helpers

/** What fails now is done in an hour. */
async function deleteQuietly(deps: AttemptRetentionDeps, signal: AbortSignal): Promise<void> {
  try {
    const deleted = await deleteOldAttempts(deps, { signal });
    if (deleted > 0) deps.log.info({ deleted }, 'old webhook attempts were deleted from the log');
  } catch (error) {
    deps.log.warn(
      { reason: messageOf(error) },
      'old webhook attempts could not be deleted; it is tried again in an hour',
    );
  }
}
