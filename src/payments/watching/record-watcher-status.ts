import { type Kysely, sql } from 'kysely';
import type { Watcher } from '../../chains/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import { type Log, scrubText } from '../../platform/log.ts';
import { printable } from '../../platform/text.ts';

/** A changed status is written at most this often. */
const WRITE_EVERY_MS = 1_000;
/** An unchanged status is only a heartbeat, and saved progress counts as one too. */
const REPEAT_EVERY_MS = 10_000;
/** Messages of nodes and drivers have no length limit. */
const MAX_ERROR_CHARACTERS = 500;

export interface WatcherStatusDeps {
  readonly db: Kysely<Database>;
  readonly watcher: Watcher;
  readonly log: Log;
  /** Milliseconds on a monotonic clock. */
  readonly monotonicMs?: () => number;
}

/**
 * Wraps a watcher to write the result of every poll to its row of `chain_cursor`, for operators and
 * other processes. At most one small update per second, and far fewer while nothing changes; a
 * failed one is not retried, since the next poll writes again.
 */
export function recordWatcherStatus(deps: WatcherStatusDeps): Watcher {
  const { db, watcher, log, monotonicMs = () => performance.now() } = deps;
  let written = '';
  let writtenAt = Number.NEGATIVE_INFINITY;

  async function record(error: string | null): Promise<void> {
    const now = monotonicMs();
    const status = watcher.status();
    const warnings = JSON.stringify(status.warnings.map(shown));
    const unwatched = JSON.stringify(status.unwatchedAssets ?? []);
    const result = `${error} ${warnings} ${unwatched}`;
    if (now - writtenAt < (result === written ? REPEAT_EVERY_MS : WRITE_EVERY_MS)) return;
    writtenAt = now;
    try {
      await writeStatus(db, { network: watcher.network, error, warnings, unwatched });
      written = result;
    } catch (failure) {
      log.debug({ network: watcher.network, reason: messageOf(failure) }, 'the result of the poll could not be saved');
    }
  }

  return {
    ...watcher,
    async step() {
      try {
        await watcher.step();
      } catch (error) {
        await record(shown(messageOf(error)).slice(0, MAX_ERROR_CHARACTERS));
        throw error;
      }
      await record(null);
    },
  };
}

// Helpers

/** Nodes write parts of it. */
function shown(text: string): string {
  return printable(scrubText(text));
}

interface Notice {
  readonly network: string;
  readonly error: string | null;
  /** JSON. */
  readonly warnings: string;
  /** JSON. */
  readonly unwatched: string;
}

/**
 * The row may be missing: without a node from the start, a watcher has not acquired an epoch yet.
 */
async function writeStatus(db: Kysely<Database>, { network, error, warnings, unwatched }: Notice): Promise<void> {
  await sql`
    insert into chain_cursor (network, epoch, last_error, last_error_at, warnings, unwatched_assets, reported_at)
    values (${network}, 0, ${error}::text, case when ${error}::text is null then null else clock_timestamp() end,
      ${warnings}::jsonb, ${unwatched}::jsonb, clock_timestamp())
    on conflict (network) do update set last_error = excluded.last_error, last_error_at = excluded.last_error_at,
      warnings = excluded.warnings, unwatched_assets = excluded.unwatched_assets, reported_at = excluded.reported_at`.execute(
    db,
  );
}
