import { expect, test } from 'vitest';
import { publicStateOf } from '../../machines/index.ts';
import { createEvmWatcher } from '../../src/chains/evm/watcher.ts';
import { createAccountReader, createObservationSink, createWatcherStore } from '../../src/payments/index.ts';
import type { ObservationCommand } from '../../src/platform/engine/index.ts';
import { createMemoryWatchSet } from '../chains/support/watcher-store.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { COIN, contractCoins, createFakeEvmNode } from '../support/nodes/fake-evm-node.ts';
import { silentLog } from '../support/silent-log.ts';
import { createRecordingBus, ETHEREUM, newWallet, startEngine, startPayment } from './watching/sink-support.ts';

const params = {
  network: ETHEREUM,
  chainId: 31_337,
  genesisHash: null,
  asset: COIN,
  staleAfterMs: null,
  lateBlockMs: 60_000,
};

describeDatabases('an output that became smaller before its poll could be saved', (database) => {
  test('still counts when the next poll names it next to what is found again', async () => {
    const { db } = database();
    const node = createFakeEvmNode();
    node.traces = false;
    const clock = { now: () => node.timeSeconds * 1_000 };
    const engine = startEngine(db, clock);
    const bus = createRecordingBus();
    const derivationKeyId = await newWallet(db, ETHEREUM);
    const { transactionId, watchKey } = await startPayment(db, engine, {
      derivationKeyId,
      network: ETHEREUM,
      crypto: COIN,
    });
    const store = createWatcherStore({ db, network: ETHEREUM, onProgress: () => {} });
    let isDown = false;
    const watcher = createEvmWatcher({
      params,
      node,
      store: {
        ...store,
        async saveProgress(progress) {
          if (isDown) throw new Error('the database is away');
          return store.saveProgress(progress);
        },
      },
      watchSet: createMemoryWatchSet([watchKey]),
      accounts: createAccountReader({ db, network: ETHEREUM, coin: COIN }),
      sink: createObservationSink({ db, bus, log: silentLog, publicUrl: 'https://pay.example' }),
      dropSink: async () => {},
      clock,
      log: silentLog,
      balanceCheckEveryMs: 0,
    });
    let handed = 0;
    const hand = async () => {
      for (const { data } of bus.taken.slice(handed)) await engine.deliver(data as ObservationCommand);
      handed = bus.taken.length;
    };
    const pays = (valueWei: bigint) => contractCoins([{ to: watchKey, valueWei }]);
    for (let mined = 0; mined < 20; mined += 1) node.mine([]);
    await watcher.step();

    const [one, other] = [pays(400_000n), pays(600_000n)];
    const block = node.mine([one, other]);
    await watcher.step();
    await hand();
    const fork = node.build(block.parentHash, [one]);
    node.setBest(node.build(fork.hash, []).hash, () => false);
    isDown = true;
    await expect(watcher.step()).rejects.toThrow('the database is away');
    isDown = false;
    await hand();
    node.mine([other]);
    await watcher.step();
    await hand();

    const { paid_base_units: paid } = await db
      .selectFrom('transaction')
      .select('paid_base_units')
      .where('id', '=', transactionId)
      .executeTakeFirstOrThrow();
    expect(BigInt(paid)).toBe(1_000_000n);
    const { state } = await db
      .selectFrom('actor')
      .select('state')
      .where('id', '=', transactionId)
      .executeTakeFirstOrThrow();
    expect(publicStateOf(state).status).toBe('awaiting_confirmation');
  });
});
