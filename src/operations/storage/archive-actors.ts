import type { Kysely } from 'kysely';
import { DAY_MS } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import { alertOnce, type Database } from '../../db/index.ts';
import { archiveDone, type KindRegistry } from '../../engine/index.ts';
import type { Log } from '../../log.ts';
import { finalLeavesOf } from '../charts.ts';
import { dropEmptyPartitions } from './month-partitions.ts';

export interface ArchivingDeps {
  readonly db: Kysely<Database>;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly log: Log;
  /** Actors that have been at their end for longer are archived. */
  readonly archiveAfterDays: number;
}

/** Their journals are folded in this process between two batches of events, so a batch must not take it for long. */
const BATCH_ACTORS = 50;

/**
 * Archives every actor of the kinds at hand that has been at its end for long enough, in small batches, and drops the months of the
 * journal that this has emptied. `refused` are those whose journal does not tell how they came to where they are: they stay, they are
 * alerted once, and those given are not looked at again. Returns how many were archived. Ends early when `signal` fires.
 */
export async function archiveActors(
  deps: ArchivingDeps,
  { refused, signal }: { refused: Set<string>; signal?: AbortSignal },
): Promise<number> {
  const { db, kinds, clock, log, archiveAfterDays } = deps;
  const leaves = kinds.list().flatMap(({ name: kind }) => finalLeavesOf(kinds, kind).map((state) => ({ kind, state })));
  const before = clock.now() - archiveAfterDays * DAY_MS;
  let archived = 0;
  for (let isMore = true; isMore && signal?.aborted !== true; ) {
    const batch = await archiveDone(deps, { leaves, before, limit: BATCH_ACTORS, except: [...refused] });
    archived += batch.archived;
    for (const each of batch.unsound) {
      refused.add(each.id);
      await alertOnce(db, {
        actorId: each.id,
        alert: 'archive_refused',
        detail: `It stays where it is: ${each.reason}`,
      });
      log.error({ actorId: each.id, reason: each.reason }, 'an actor cannot be archived');
    }
    // Those another process has in hand are left to it.
    isMore = batch.isMore && batch.archived + batch.unsound.length > 0;
  }
  if (archived > 0) log.info({ archived }, 'actors that have long been done were archived');
  const dropped = await dropEmptyPartitions(db, 'journal_entry', before);
  if (dropped.length > 0) log.info({ dropped }, 'emptied months of the journal were dropped');
  return archived;
}
