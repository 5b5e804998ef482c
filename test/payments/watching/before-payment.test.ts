import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BITCOIN_FORMAT } from '../../../src/chains/utxo/raw-reader.ts';
import { createUtxoWatcher } from '../../../src/chains/utxo/watcher.ts';
import { createObservationSink, createWatcherStore } from '../../../src/payments/index.ts';
import { DEEPEST_REORG } from '../../../src/payments/watching/destinations.ts';
import type { ObservationCommand } from '../../../src/platform/engine/index.ts';
import { deriveAhead } from '../../../src/wallets/supply/derive-ahead.ts';
import { type DerivationRange, deriveRows } from '../../../src/wallets/supply/derived-rows.ts';
import { buildTransaction } from '../../chains/support/raw-builder.ts';
import { createMemoryWatchSet } from '../../chains/support/watcher-store.ts';
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

const SCANNED = 100;

describeDatabases('coins that were at an address before its payment was created', (database) => {
  const db = () => database().db;

  async function wallet() {
    return { derivationKeyId: await newWallet(db(), LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
  }

  async function start(of?: Awaited<ReturnType<typeof wallet>>) {
    const engine = startEngine(db());
    const bus = createRecordingBus();
    const payment = await startPayment(db(), engine, of ?? (await wallet()));
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
    const of = await wallet();
    const derive = async (range: DerivationRange) => deriveRows(range);
    await deriveAhead(db(), of.derivationKeyId, { ahead: 1, derive });
    const first = db().selectFrom('address').where('derivation_key_id', '=', of.derivationKeyId);
    const { watch_key: watchKey } = await first.select('watch_key').executeTakeFirstOrThrow();
    const node = createFakeUtxoNode();
    const mine = (count: number) => Array.from({ length: count }, () => node.mine([]));
    mine(5);
    const old = node.mine([buildTransaction(['ab'.repeat(32)], [{ scriptHex: watchKey, valueBaseUnits: DUE }])]);
    mine(40);
    const bus = createRecordingBus();
    const network = LITECOIN;
    const watcher = createUtxoWatcher({
      params: { network, asset: 'LTC', genesisHash: node.genesisHash, format: BITCOIN_FORMAT, staleAfterMs: null },
      rpc: node.rpc,
      store: createWatcherStore({ db: db(), network, onProgress: () => {} }),
      watchSet: createMemoryWatchSet([watchKey]),
      sink: createObservationSink({ db: db(), bus, log: silentLog, publicUrl: 'https://pay.example' }),
      clock: { now: () => node.timeSeconds * 1_000 },
      log: silentLog,
    });
    await watcher.step();
    const { transactionId, found } = await start(of);
    const mails = () => db().selectFrom('mail').selectAll().execute();
    const before = await mails();
    for (const times of [1, 2]) {
      const range = { fromHeight: old.height, toHeight: old.height };
      expect(await watcher.rescan(range), `${times}`).toMatchObject({ outputs: 1 });
      expect(bus.taken).toEqual([]);
      const { counted, pending, unassigned } = await found();
      expect([counted, pending]).toEqual([[], []]);
      expect(unassigned).toMatchObject([{ reason: 'before_payment', amount_base_units: DUE, status: 'block' }]);
    }
    const alerts = db().selectFrom('operator_alert').selectAll().where('actor_id', '=', transactionId);
    expect(await alerts.execute()).toEqual([]);
    expect(await mails()).toEqual(before);
  });

  /** The last block scanned before the payment is created. */
  async function scan(height: number | null): Promise<void> {
    await db()
      .insertInto('chain_cursor')
      .values({ network: LITECOIN, epoch: 1, height })
      .onConflict((conflict) => conflict.column('network').doUpdateSet({ height }))
      .execute();
  }

  const LAST_BEFORE = SCANNED - DEEPEST_REORG.utxo;

  test('are recognised by the height of their block, whatever the clocks say', async () => {
    await scan(SCANNED);
    const { sink, watchKey, carry, found } = await start();
    const coins = { network: LITECOIN, watchKey };
    const own = [
      observe({ ...coins, status: inBlock(LAST_BEFORE + 1), firstSeenAt: 1 }),
      observe({ ...coins, status: { kind: 'mempool' }, firstSeenAt: 1 }),
    ];
    const earlier = observe({ ...coins, status: inBlock(LAST_BEFORE) });
    await sink([...own, earlier]);
    await carry();
    const { counted, unassigned } = await found();
    expect(counted.map(({ output_id: id }) => id).sort()).toEqual(own.map(({ outputId }) => outputId).sort());
    expect(unassigned.map(({ output_id: id }) => id)).toEqual([earlier.outputId]);
  });

  test('are not recognised when the network had never been scanned', async () => {
    await scan(null);
    const { sink, watchKey, carry, found } = await start();
    await sink([observe({ network: LITECOIN, watchKey, status: inBlock(1) })]);
    await carry();
    const { counted, unassigned } = await found();
    expect([counted.length, unassigned.length]).toEqual([1, 0]);
  });

  test('are either counted or not, wherever each report finds them', async () => {
    await scan(SCANNED);
    const report = fc.record({
      status: fc.constantFrom(inBlock(7), inBlock(LAST_BEFORE), inBlock(SCANNED + 1), { kind: 'mempool' } as const),
      isCarried: fc.boolean(),
    });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 6 }), async (reports) => {
        const { sink, watchKey, carry, found } = await start();
        const coins = observe({ network: LITECOIN, watchKey });
        const [first] = reports.map(({ status }) => status);
        const isCounted = first === undefined || !('height' in first) || first.height > LAST_BEFORE;
        for (const { status, isCarried } of reports) {
          await sink([later(coins, status)]);
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
