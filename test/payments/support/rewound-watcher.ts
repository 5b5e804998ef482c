import { randomUUID } from 'node:crypto';
import { createEvmWatcher } from '../../../src/chains/evm/watcher.ts';
import type { BalanceDrop, Watcher } from '../../../src/chains/index.ts';
import { createAccountReader, createWatcherStore } from '../../../src/payments/index.ts';
import { createMemorySink, createMemoryWatchSet, silentLog } from '../../chains/support/watcher-store.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { address, COIN, createFakeEvmNode } from '../../support/nodes/fake-evm-node.ts';

export type WatcherOfTest = ReturnType<typeof openWatcher>;

/** A watcher of a fake node over the real store, on a network of its own. */
export function openWatcher(db: TestDatabase['db']) {
  const network = `network-${randomUUID()}`;
  const node = createFakeEvmNode();
  const reader = createAccountReader({ db, network, coin: COIN });
  const drops: BalanceDrop[] = [];
  const { sink, observations } = createMemorySink();
  const build = (): Watcher =>
    createEvmWatcher({
      params: { network, chainId: 31_337, genesisHash: null, asset: COIN, staleAfterMs: null, lateBlockMs: 60_000 },
      node,
      store: createWatcherStore({ db, network, onProgress: () => {} }),
      watchSet: createMemoryWatchSet([address(0)]),
      accounts: reader,
      sink,
      dropSink: async (batch) => void drops.push(...batch),
      clock: { now: () => node.timeSeconds * 1000 },
      log: silentLog,
      balanceCheckEveryMs: 0,
    });
  let watcher = build();
  return {
    network,
    node,
    reader,
    drops,
    observations,
    watcher: () => watcher,
    poll: () => watcher.step(),
    /** Its accounts are compared at the next poll. */
    makeDue: async () => {
      await db
        .updateTable('account_balance')
        .set({ due_at: new Date(0) })
        .where('network', '=', network)
        .execute();
    },
    restart: () => {
      watcher = build();
    },
  };
}

/** Mines empty blocks. */
export function mine({ node }: WatcherOfTest, count: number): void {
  for (let mined = 0; mined < count; mined += 1) node.mine([]);
}
