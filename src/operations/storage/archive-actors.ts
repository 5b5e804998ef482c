import type { Kysely } from 'kysely';
import { DAY_MS } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { alertOnce, type Database } from '../../platform/db/index.ts';
import { archiveDone, type KindRegistry } from '../../platform/engine/index.ts';
import type { Log } from '../../platform/log.ts';
import { finalLeavesOf } from '../actors/charts.ts';
import { dropEmptyPartitions } from './month-partitions.ts';

export interface ArchivingDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly log: Log;
  /** Actors in a final state for longer than this are archived. */
  readonly archiveAfterDays: number;
}

/**
 * Journals are folded in this process between event batches, so an archiving batch must be short.
 */
const BATCH_ACTORS = 50;

/**
 * Archives, in small batches, every actor of the registered kinds that ended long enough ago, and
 * drops months of the journal that became empty. Actors whose journal does not lead to their state
 * are added to `rejected`, raise one alert, are not moved, and are skipped from then on. Returns
 * the number of archived actors. Stops early when `signal` is aborted.
 */
export async function archiveActors(
  deps: ArchivingDeps,
  { rejected, signal }: { rejected: Set<string>; signal?: AbortSignal },
): Promise<number> {
  const { db, kinds, clock, log, archiveAfterDays } = deps;
  const leaves = kinds.list().flatMap(({ name: kind }) => finalLeavesOf(kinds, kind).map((state) => ({ kind, state })));
  const before = clock.now() - archiveAfterDays * DAY_MS;
  let archived = 0;
  for (let isMore = true; isMore && signal?.aborted !== true; ) {
    const batch = await archiveDone(deps, { leaves, before, limit: BATCH_ACTORS, except: [...rejected] });
    archived += batch.archived;
    for (const each of batch.unsound) {
      rejected.add(each.id);
      await alertOnce(db, {
        actorId: each.id,
        alert: 'archive_refused',
        detail: `It was not archived: ${each.reason}`,
      });
      log.error({ actorId: each.id, reason: each.reason }, 'an actor could not be archived');
    }
    // Actors locked by another process are left to it.
    isMore = batch.isMore && batch.archived + batch.unsound.length > 0;
  }
  if (archived > 0) log.info({ archived }, 'finished actors were archived');
  const dropped = await dropEmptyPartitions(db, 'journal_entry', before);
  if (dropped.length > 0) log.info({ dropped }, 'empty months of the journal were dropped');
  return archived;
}
