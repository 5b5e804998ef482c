import { expect, test } from 'vitest';
import type { CryptoSymbol } from '../../machines/index.ts';
import { rewindWatchers } from '../../src/payments/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { address, COIN, coins, contractCoins, tokens } from '../support/nodes/fake-evm-node.ts';
import { openAccount } from './support/open-account.ts';
import { mine, openWatcher } from './support/rewound-watcher.ts';

/** After a restore, blocks are read again, with all transfers in them. */

describeDatabases('balances after the watcher was rewound', (database) => {
  test.each<[CryptoSymbol]>([['USDT'], [COIN]])(
    '%s: changes in blocks that are read again count once, and none is missing',
    async (crypto) => {
      const { db } = database();
      const at = openWatcher(db);
      await openAccount(db, { network: at.network, watchKey: address(0), crypto });
      mine(at, 20);
      await at.poll();
      at.node.mine([
        tokens('USDT', address(0), 7n),
        coins(address(0), 5n),
        contractCoins([{ to: address(0), valueWei: 3n }]),
      ]);
      mine(at, 3);
      await at.poll();

      await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 10 }));
      at.restart();
      for (let polls = 0; polls < 3; polls += 1) {
        at.node.timeSeconds += 120;
        mine(at, 1);
        await at.poll();
      }
      expect(at.drops).toEqual([]);
      expect(at.watcher().status()).toMatchObject({ syncedUntil: at.node.timeSeconds * 1000, lastError: null });
      const held = await at.reader.openAccounts();
      expect(held.find(({ asset }) => asset === crypto)?.expectedBaseUnits).toBe(crypto === COIN ? 8n : 7n);
    },
  );
});
