import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../machines/index.ts';
import { BITCOIN_FORMAT } from '../../../src/chains/utxo/raw-format.ts';
import { createUtxoWatcher } from '../../../src/chains/utxo/watcher.ts';
import { createObservationSink } from '../../../src/payments/index.ts';
import { DATED_EARLY_MS } from '../../../src/payments/watching/destinations.ts';
import type { ObservationCommand } from '../../../src/platform/engine/index.ts';
import { buildTransaction } from '../../chains/support/raw-builder.ts';
import { createMemoryStore, createMemoryWatchSet } from '../../chains/support/watcher-store.ts';
import { createTestClock, START_MS } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { createFakeUtxoNode } from '../../support/nodes/fake-utxo-node.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { silentLog } from '../../support/silent-log.ts';
import {
  createRecordingBus,
  DUE,
  inBlock,
  LITECOIN,
  later,
  newWallet,
  observe,
  openSink,
  startEngine,
  startPayment,
} from './sink-support.ts';

describeDatabases('coins that were at an address before its payment was created', (database) => {
  const db = () => database().db;

  async function start(startMs = START_MS) {
    const engine = startEngine(db(), createTestClock(startMs));
    const bus = createRecordingBus();
    const wallet = { derivationKeyId: await newWallet(db(), LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
    const payment = await startPayment(db(), engine, wallet);
    let handed = 0;
    return {
      ...payment,
      bus,
      sink: openSink({ db: db(), bus }),
      /** Delivers what was sent since. */
      async carry() {
        for (const { data } of bus.taken.slice(handed)) await engine.deliver(data as ObservationCommand);
        handed = bus.taken.length;
      },
      /** What each part of the service has of the payment's coins. */
      async found() {
        const id = payment.transactionId;
        const counted = await db().selectFrom('payment').selectAll().where('transaction_id', '=', id).execute();
        const pending = await db().selectFrom('pending_observation').selectAll().where('actor_id', '=', id).execute();
        const unassigned = await db()
          .selectFrom('unassigned_payment')
          .selectAll()
          .where('transaction_id', '=', id)
          .execute();
        return { counted, pending, unassigned };
      },
    };
  }

  test('do not pay it when a rescan finds them, and cause neither an alert nor an email', async () => {
    const node = createFakeUtxoNode();
    for (let mined = 0; mined < 20; mined += 1) node.mine([]);
    const createdAt = (node.timeSeconds + 86_400) * 1_000;
    const { transactionId, watchKey, bus, carry, found } = await start(createdAt);
    const mails = () => db().selectFrom('mail').selectAll().execute();
    const before = await mails();
    const old = node.mine([buildTransaction(['ab'.repeat(32)], [{ scriptHex: watchKey, valueBaseUnits: DUE }])]);
    node.timeSeconds = createdAt / 1_000;
    for (let mined = 0; mined < 20; mined += 1) node.mine([]);
    const watcher = createUtxoWatcher({
      params: {
        network: LITECOIN,
        asset: 'LTC',
        genesisHash: node.genesisHash,
        format: BITCOIN_FORMAT,
        staleAfterMs: null,
      },
      rpc: node.rpc,
      store: createMemoryStore(),
      watchSet: createMemoryWatchSet([watchKey]),
      sink: createObservationSink({ db: db(), bus, log: silentLog, publicUrl: 'https://pay.example' }),
      clock: { now: () => node.timeSeconds * 1_000 },
      log: silentLog,
    });
    await watcher.step();
    for (const times of [1, 2]) {
      expect(await watcher.rescan({ fromHeight: old.height, toHeight: old.height }), `${times}`).toMatchObject({
        outputs: 1,
      });
      await carry();
      const { counted, pending, unassigned } = await found();
      expect([counted, pending]).toEqual([[], []]);
      expect(unassigned).toMatchObject([{ reason: 'before_payment', amount_base_units: DUE, status: 'block' }]);
    }
    const alerts = db().selectFrom('operator_alert').selectAll().where('actor_id', '=', transactionId);
    expect(await alerts.execute()).toEqual([]);
    expect(await mails()).toEqual(before);
  });

  test('are told from its own by two hours, because a block may be dated before its coins were sent', async () => {
    const { sink, watchKey, carry, found } = await start();
    const mined = { network: LITECOIN, watchKey, status: inBlock(7) };
    const dated = observe({ ...mined, firstSeenAt: START_MS - DATED_EARLY_MS });
    const earlier = observe({ ...mined, firstSeenAt: START_MS - DATED_EARLY_MS - 1 });
    await sink([dated, earlier]);
    await carry();
    const { counted, unassigned } = await found();
    expect(counted.map(({ output_id: id }) => id)).toEqual([dated.outputId]);
    expect(unassigned.map(({ output_id: id }) => id)).toEqual([earlier.outputId]);
  });

  test('are either counted or not, whatever their first sighting is on each report', async () => {
    const report = fc.record({
      firstSeenAt: fc.constantFrom(START_MS, START_MS + HOUR_MS / 4, START_MS - 5 * HOUR_MS, START_MS - 90 * HOUR_MS),
      status: fc.constantFrom(inBlock(7), inBlock(9), { kind: 'mempool' } as const),
      isCarried: fc.boolean(),
    });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 6 }), async (reports) => {
        const { sink, watchKey, carry, found } = await start();
        const coins = observe({ network: LITECOIN, watchKey });
        const isCounted = (reports[0]?.firstSeenAt ?? 0) >= START_MS;
        for (const { firstSeenAt, status, isCarried } of reports) {
          await sink([{ ...later(coins, status), firstSeenAt }]);
          if (isCarried) await carry();
          const { counted, pending, unassigned } = await found();
          expect(counted.length + pending.length > 0).toBe(isCounted);
          expect(unassigned.length > 0).toBe(!isCounted);
        }
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 40 : 15) },
    );
  });
});
