import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CryptoSymbol } from '../../machines/index.ts';
import { createEvmWatcher } from '../../src/chains/evm/watcher.ts';
import type { BalanceDrop, Watcher } from '../../src/chains/index.ts';
import { createAccountBook, createWatcherStore, rewindWatchers } from '../../src/payments/index.ts';
import { createMemorySink, createMemoryWatchSet, silentLog } from '../chains/support/watcher-store.ts';
import { describeDatabases, type TestDatabase } from '../support/database.ts';
import { address, COIN, coins, contractCoins, createFakeEvmNode, tokens } from '../support/fake-evm-node.ts';
import { openAccount } from './support/open-account.ts';

/** After a restore, blocks are read again, with all transfers in them. */

describeDatabases('balances after the watcher was set back', (database) => {
  test.each<[CryptoSymbol]>([['USDT'], [COIN]])(
    '%s: what moved in blocks that are read again counts once, and nothing is missing',
    async (crypto) => {
      const { db } = database();
      const at = openWatcher(db);
      await openAccount(db, { network: at.network, watchKey: address(0), crypto });
      mine(at, 20);
      await at.look();
      at.node.mine([
        tokens('USDT', address(0), 7n),
        coins(address(0), 5n),
        contractCoins([{ to: address(0), valueWei: 3n }]),
      ]);
      mine(at, 3);
      await at.look();

      await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 10 }));
      at.restart();
      for (let looks = 0; looks < 3; looks += 1) {
        at.node.timeSeconds += 120;
        mine(at, 1);
        await at.look();
      }
      expect(at.drops).toEqual([]);
      expect(at.watcher().status()).toMatchObject({ lookedUntil: at.node.timeSeconds * 1000, lastError: null });
      const held = await at.book.openAccounts();
      expect(held.find(({ asset }) => asset === crypto)?.expectedBaseUnits).toBe(crypto === COIN ? 8n : 7n);
    },
  );
});

// Helpers

type WatcherOfTest = ReturnType<typeof openWatcher>;

function openWatcher(db: TestDatabase['db']) {
  const network = `network-${randomUUID()}`;
  const node = createFakeEvmNode();
  const book = createAccountBook({ db, network, coin: COIN });
  const drops: BalanceDrop[] = [];
  const build = (): Watcher =>
    createEvmWatcher({
      params: { network, chainId: 31_337, genesisHash: null, asset: COIN, staleAfterMs: null, lateBlockMs: 60_000 },
      node,
      store: createWatcherStore({ db, network, onProgress: () => {} }),
      watchSet: createMemoryWatchSet([address(0)]),
      accounts: book,
      sink: createMemorySink().sink,
      dropSink: async (batch) => void drops.push(...batch),
      clock: { now: () => node.timeSeconds * 1000 },
      log: silentLog,
      sweepEveryMs: 0,
    });
  let watcher = build();
  return {
    network,
    node,
    book,
    drops,
    watcher: () => watcher,
    look: () => watcher.step(),
    restart: () => {
      watcher = build();
    },
  };
}

function mine({ node }: WatcherOfTest, count: number): void {
  for (let mined = 0; mined < count; mined += 1) node.mine([]);
}
