import { balanceOutputId, partOutputId } from '../../../../src/chains/evm/outputs/output-id.ts';
import { createEvmWatcher } from '../../../../src/chains/evm/watcher.ts';
import type { BalanceDrop, EvmChainParams, Observation, OutputStatus, Watcher } from '../../../../src/chains/index.ts';
import { address, COIN, createFakeEvmNode, type FakeBlock } from '../../../support/nodes/fake-evm-node.ts';
import { createMemorySink, createMemoryStore, createMemoryWatchSet } from '../../support/watcher-store.ts';
import { createMemoryAccountReader } from './memory-accounts.ts';

const WATCHED = 4;

export interface HarnessOptions {
  readonly historyBlocks?: number;
  readonly params?: Partial<EvmChainParams>;
  /** Default 0: every poll compares a group of due accounts. */
  readonly balanceCheckEveryMs?: number;
}

type DropFailure = (point: 'before drops' | 'after drops') => void;

/** A watcher over in-memory node, store and sinks; `restart` discards only the watcher. */
export function createEvmHarness({ params: changes = {}, ...options }: HarnessOptions = {}) {
  const node = createFakeEvmNode();
  const store = createMemoryStore();
  const sink = createMemorySink();
  const watchSet = createMemoryWatchSet(Array.from({ length: WATCHED }, (_, index) => address(index)));
  const accounts = createMemoryAccountReader(store);
  const drops: BalanceDrop[] = [];
  const warnings: string[] = [];
  let failDropsAt: DropFailure | null = null;
  const clock = { now: () => node.timeSeconds * 1000 };
  const params: EvmChainParams = {
    network: 'fake-evm',
    chainId: 31_337,
    genesisHash: null,
    asset: COIN,
    staleAfterMs: null,
    lateBlockMs: 60_000,
    ...changes,
  };
  const build = (): Watcher =>
    createEvmWatcher({
      params,
      node,
      store,
      watchSet,
      accounts,
      sink: sink.sink,
      dropSink: async (batch) => {
        failDropsAt?.('before drops');
        drops.push(...batch);
        failDropsAt?.('after drops');
      },
      clock,
      log: {
        info: () => {},
        warn: (_, text) => void warnings.push(text),
        error: (_, text) => void warnings.push(text),
      },
      balanceCheckEveryMs: 0,
      ...options,
    });
  let watcher = build();
  return {
    node,
    store,
    sink,
    watchSet,
    accounts,
    drops,
    warnings,
    params,
    clock,
    step: () => watcher.step(),
    /** Throwing there simulates a broker that rejects drops (before) or a lost ack (after). */
    dropsFailAt: (failure: DropFailure | null) => {
      failDropsAt = failure;
    },
    watcher: () => watcher,
    restart: () => {
      watcher = build();
    },
    /** The newest observation of every output that is not gone. */
    live: (): Observation[] => {
      const ids = new Set(sink.observations.map(({ outputId }) => outputId));
      return [...ids].flatMap((id) => sink.last(id) ?? []).filter(({ status }) => status.kind !== 'gone');
    },
  };
}

export type EvmHarness = ReturnType<typeof createEvmHarness>;

export function mineEmpty(at: EvmHarness, count: number): void {
  for (let mined = 0; mined < count; mined += 1) at.node.mine([]);
}

/**
 * Output id of the increase of an address's balance in a block of the best branch; with `first`,
 * the id of coins first seen in that block.
 */
export function increaseAt({ node }: EvmHarness, owner: number, height: number, first?: FakeBlock): string {
  const increaseId = balanceOutputId(address(owner), height, node.bestBranch()[height]?.hash ?? '');
  return first === undefined ? increaseId : partOutputId(increaseId, first.timeSeconds * 1000);
}

export function statusOf(at: EvmHarness, outputId: string): OutputStatus | undefined {
  return at.sink.last(outputId)?.status;
}

/** All observations so far, in short form. */
export function reported(at: EvmHarness): string[] {
  return at.sink.observations.map(({ status }) => (status.kind === 'gone' ? `gone:${status.reason}` : status.kind));
}
