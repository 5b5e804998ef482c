import type { UnixMs } from '../../../machines/index.ts';
import { loadMemory, type WatcherMemory } from '../following/memory.ts';
import type { TrackedOutput, WatcherStore } from '../port.ts';

/**
 * What a watcher of accounts remembers beside the chain. The expected balances themselves are not in here: they are read
 * with the open accounts before every save and written with it, so the store's are always those as of the cursor.
 */
export interface EvmMemory extends WatcherMemory {
  /** Accounts that were open and known at the last save; null after a start, when nothing is known about it. */
  knownOpen: ReadonlySet<string> | null;
  /** The block at which all accounts in `knownOpen` were compared; null when the last try was not complete. */
  comparedAt: string | null;
  /**
   * Height of the fork after a reorganisation, while the saved balances are those of an undone
   * block; else null. The lowest fork, when a second reorganisation came before the balances could
   * be read.
   */
  staleAbove: number | null;
  /** At what height an account was last known to hold what it should; missing for what was assumed or believed. */
  readonly exactAt: Map<string, number>;
  /** Token accounts whose balance and logs disagree, since when, and by how much. */
  readonly doubts: Map<string, Doubt>;
  /** Logs about watched addresses that were seen, by block. Only what is not in here can be late. */
  readonly seenLogs: Map<string, SeenLogs>;
  /**
   * Coins that contracts sent and that fell out of their block, by the id of their output, with how
   * much of them no other output has the first sighting of yet; see `createSightings`. Kept when
   * the rest is loaded again: of what was reported as gone the store has nothing.
   */
  readonly fallen: Map<string, FallenOutput>;
}

export interface FallenOutput {
  readonly output: TrackedOutput;
  readonly leftBaseUnits: bigint;
  /** Height of the tip when it was last unsettled. */
  readonly lastHeight: number;
}

export interface Doubt {
  readonly since: UnixMs;
  /** When the difference became what it is. */
  readonly changedAt: UnixMs;
  readonly baseUnits: bigint;
}

export interface SeenLogs {
  readonly height: number;
  readonly logIndexes: ReadonlySet<number>;
}

export async function loadEvmMemory(
  store: WatcherStore,
  historyBlocks: number,
  fallen: EvmMemory['fallen'],
): Promise<EvmMemory> {
  return {
    ...(await loadMemory(store, historyBlocks)),
    knownOpen: null,
    comparedAt: null,
    staleAbove: null,
    exactAt: new Map(),
    doubts: new Map(),
    seenLogs: new Map(),
    fallen,
  };
}

/** Forgets the logs of blocks below a height. */
export function forgetSeenLogs(memory: EvmMemory, belowHeight: number): void {
  for (const [blockHash, { height }] of memory.seenLogs) if (height < belowHeight) memory.seenLogs.delete(blockHash);
}
