import type { UnixMs } from '../../../machines/index.ts';
import type { Account, OpenAccount, ReorgedOutput, TrackedOutput, WatcherStore } from '../port.ts';
import type { ChainMemory } from '../sync/chain-memory.ts';
import { loadMemory, STORED_BLOCKS, type WatcherMemory } from '../sync/memory.ts';

/**
 * What an EVM watcher keeps in memory besides the chain. Expected balances are not part of it: they
 * are read with the open accounts before every save and written with it, so the store always holds
 * those as of the cursor.
 */
export interface EvmMemory extends WatcherMemory {
  /** Accounts that were open and known at the last save; null after a start. */
  knownOpen: ReadonlySet<string> | null;
  /**
   * Hash of the block where all of `knownOpen` were compared; null after an incomplete comparison.
   */
  comparedAt: string | null;
  /** The open accounts as read by the last poll. */
  openAccounts: readonly OpenAccount[];
  /**
   * Fork height after a reorganisation while the saved balances still belong to an undone block;
   * else null. The lowest fork if another reorganisation came before the balances could be read.
   */
  staleAbove: number | null;
  /** Height at which an account last held its expected balance; no entry where that is assumed. */
  readonly exactAt: Map<string, number>;
  /** Token accounts whose balance and logs disagree: since when and by how much. */
  readonly mismatches: Map<string, BalanceMismatch>;
  /** Logs about watched addresses seen so far, by block hash. Only logs not in here can be late. */
  readonly seenLogs: Map<string, SeenLogs>;
  /**
   * Coins sent by contracts whose block was undone, by output id, with the part of them whose
   * first-seen time no other output has inherited yet.
   */
  readonly reorged: Map<string, ReorgedOutput>;
  /** Late outputs that `missingLogs` does not know yet, because they are not saved. */
  readonly lateFound: TrackedOutput[];
  /** Kept when the rest is reloaded, as are the next two. */
  readonly disconnected: DisconnectedBranch;
  readonly missingLogs: MissingLogs;
  /** Balances that are not believed, by account: see `confirmedBalances`. */
  readonly disagreements: Map<string, Disagreement>;
}

export interface DisconnectedBranch {
  /**
   * Height of the newest block that was undone; null once the chain was seen to be that long again.
   * Until then a lagging machine may respond, so absence proves nothing; this lasts at most until
   * its newest block is too old.
   */
  height: number | null;
  since: UnixMs;
}

export interface BalanceMismatch {
  readonly since: UnixMs;
  /** When the difference last changed. */
  readonly changedAt: UnixMs;
  readonly baseUnits: bigint;
}

/** Two responses about one balance, or one response and the expected balance. */
export interface Disagreement extends Account {
  readonly height: number;
  readonly baseUnits: readonly [bigint, bigint | null];
  readonly isOfTwoEndpoints: boolean;
  /** The balance is lower although the address has sent nothing; null when two responses differ. */
  readonly fall: { readonly since: UnixMs; readonly isDrop: boolean } | null;
  /** Its payment was open. */
  readonly isOpen: boolean;
}

/** Accounts with more tokens than their logs explain, open or closed since. */
export interface MissingLogs {
  /** What the balance of an account shows beyond its logs; zero when they are complete. */
  record(account: Account, baseUnits: bigint, now: UnixMs): void;
  /** A late output that is saved, of an account that was not compared with it. */
  found(output: TrackedOutput): void;
  /** Whether a log was found missing less than this long ago. */
  isNewerThan(ageMs: number, now: UnixMs): boolean;
  /** Addresses whose logs are to be searched for now, none between two searches. */
  due(now: UnixMs): readonly string[];
  warnings(now: UnixMs): string[];
}

export interface SeenLogs {
  readonly height: number;
  readonly logIndexes: ReadonlySet<number>;
}

export async function loadEvmMemory(
  store: WatcherStore,
  historyBlocks: number,
  kept: Pick<EvmMemory, 'disconnected' | 'missingLogs' | 'disagreements'>,
): Promise<EvmMemory> {
  const reorged = await store.loadReorged();
  return {
    ...(await loadMemory(store, historyBlocks)),
    knownOpen: null,
    comparedAt: null,
    openAccounts: [],
    staleAbove: null,
    exactAt: new Map(),
    mismatches: new Map(),
    lateFound: [],
    seenLogs: new Map(),
    reorged: new Map(reorged.map((each) => [each.output.outputId, each])),
    ...kept,
  };
}

/** Removes the seen logs of blocks that are no longer in memory. */
export function forgetSeenLogs({ chain, seenLogs }: EvmMemory): void {
  for (const [blockHash, { height }] of seenLogs) {
    if (chain.at(height)?.blockHash !== blockHash) seenLogs.delete(blockHash);
  }
}

/**
 * Hash of the block in which an output is recorded, in memory or in the store. Null when it is
 * recorded at another height, or is unsettled, or the block at that height is recorded without it;
 * undefined when the height is below every recorded block. The store is read at the first use.
 */
export type FindRecordedBlock = (outputId: string, height: number) => Promise<string | null | undefined>;

export function createRecordedBlockFinder(store: WatcherStore, memory: EvmMemory): FindRecordedBlock {
  let stored: ChainMemory | null = null;
  return async (outputId, height) => {
    const remembered = memory.chain.find(outputId);
    if (remembered !== null) return remembered.block.height === height ? remembered.block.blockHash : null;
    if (memory.chain.at(height) !== null) return null;
    stored ??= (await loadMemory(store, STORED_BLOCKS)).chain;
    if (height < (stored.oldest()?.height ?? 0)) return memory.unsettled.has(outputId) ? null : undefined;
    return stored.find(outputId)?.block.blockHash ?? null;
  };
}
