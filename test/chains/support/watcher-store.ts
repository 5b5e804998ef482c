import type {
  Cursor,
  Observation,
  ObservationSink,
  Progress,
  ReorgedOutput,
  ScannedBlock,
  TrackedOutput,
  WatcherStore,
  WatchSet,
} from '../../../src/chains/index.ts';

/** An in-memory watcher store: the state that survives a restart of the watcher. */
export interface MemoryStore extends WatcherStore {
  /** Every saved progress, in order. */
  readonly saves: readonly Progress[];
  /** Scanned blocks of the branch, oldest first. */
  blocks(): readonly ScannedBlock[];
  unsettled(): readonly TrackedOutput[];
  syncedUntil(): number | null;
  /** Called before and after each write; throwing there simulates a crash at that point. */
  crashAt: ((point: 'before save' | 'after save') => void) | null;
}

export function createMemoryStore(): MemoryStore {
  let epoch = 0;
  let cursor: Cursor | null = null;
  let blocks: ScannedBlock[] = [];
  const unsettled = new Map<string, TrackedOutput>();
  let reorged: readonly ReorgedOutput[] = [];
  let syncedUntil: number | null = null;
  const saves: Progress[] = [];
  const store: MemoryStore = {
    saves,
    crashAt: null,
    blocks: () => blocks,
    unsettled: () => [...unsettled.values()],
    syncedUntil: () => syncedUntil,
    nextEpoch: async () => {
      epoch += 1;
      return epoch;
    },
    loadCursor: async () => cursor,
    loadRecentBlocks: async (limit) => blocks.slice(-limit).reverse(),
    findRecorded: async (outputIds, belowHeight) =>
      blocks
        .filter(({ height }) => height < belowHeight)
        .flatMap(({ height, blockHash, outputs }) => outputs.map(({ outputId }) => ({ outputId, height, blockHash })))
        .filter(({ outputId }) => outputIds.includes(outputId)),
    loadUnsettled: async () => [...unsettled.values()],
    loadReorged: async () => [...reorged],
    saveUnsettled: async (outputs, reorgedThen = reorged) => {
      store.crashAt?.('before save');
      for (const output of outputs) unsettled.set(output.outputId, output);
      reorged = reorgedThen;
      store.crashAt?.('after save');
    },
    saveProgress: async (progress) => {
      store.crashAt?.('before save');
      blocks = [...blocks.filter((block) => block.height <= progress.forkHeight), ...progress.blocks];
      cursor = progress.cursor;
      syncedUntil = progress.syncedUntil ?? syncedUntil;
      for (const output of progress.unsettled?.saved ?? []) unsettled.set(output.outputId, output);
      for (const outputId of progress.unsettled?.settledIds ?? []) unsettled.delete(outputId);
      reorged = progress.reorged ?? reorged;
      saves.push(progress);
      store.crashAt?.('after save');
    },
  };
  return store;
}

/** Collects observations; the newest of each output wins, as in every receiver. */
export interface MemorySink {
  readonly sink: ObservationSink;
  readonly observations: Observation[];
  last(outputId: string): Observation | undefined;
  /** Throwing here simulates a broker that rejects (before) or a lost acknowledgement (after). */
  failAt: ((point: 'before accept' | 'after accept') => void) | null;
}

export function createMemorySink(): MemorySink {
  const observations: Observation[] = [];
  const memory: MemorySink = {
    observations,
    failAt: null,
    last: (outputId) =>
      observations
        .filter((observation) => observation.outputId === outputId)
        .reduce<Observation | undefined>((best, next) => (best && best.order > next.order ? best : next), undefined),
    sink: async (batch) => {
      memory.failAt?.('before accept');
      observations.push(...batch);
      memory.failAt?.('after accept');
    },
  };
  return memory;
}

/** A watch set whose additions become visible at the next refresh, like committed rows. */
export interface MemoryWatchSet extends WatchSet {
  add(watchKey: string): void;
  remove(watchKey: string): void;
}

export function createMemoryWatchSet(keys: readonly string[] = []): MemoryWatchSet {
  const committed = new Set(keys);
  let loaded = new Set<string>();
  return {
    add: (watchKey) => void committed.add(watchKey),
    remove: (watchKey) => void committed.delete(watchKey),
    refresh: async () => {
      loaded = new Set(committed);
    },
    has: (watchKey) => loaded.has(watchKey),
  };
}

export const silentLog = { info: () => {}, warn: () => {}, error: () => {} };
