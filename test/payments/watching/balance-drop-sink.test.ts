import { expect, it } from 'vitest';
import type { BalanceDrop, OutputStatus } from '../../../src/chains/index.ts';
import { createBalanceDropSink } from '../../../src/payments/index.ts';
import type { Bus } from '../../../src/platform/bus/index.ts';
import { runInNewContext, serializeContext } from '../../../src/platform/request-context.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases, type TestDatabase } from '../../support/database/test-database.ts';
import { startRuntime } from '../../support/service/engine.ts';
import {
  createRecordingBus,
  DUE,
  ETHEREUM,
  inBlock,
  later,
  newWallet,
  observe,
  openSink,
  startEngine,
  startPayment,
  takeTurn,
  transactionKind,
} from './sink-support.ts';

type Db = TestDatabase['db'];

describeDatabases('the balance drop sink', (database) => {
  const db = () => database().db;

  it('puts a payment under review, which ends when the missing payment is found', async () => {
    const clock = createTestClock();
    const runtime = await startRuntime({ connection: database(), clock, kinds: [transactionKind] });
    try {
      const payment = await startPayment(db(), runtime.engine, await walletFor('USDC'));
      const drops = await openDrops(runtime.bus);
      const observations = openSink({ db: db(), bus: runtime.bus });
      const drop = dropAt(payment.watchKey);
      await drops([drop]);
      // The watcher polls the same block again, for instance after a restart.
      await drops([drop]);
      expect(await shownOf(db(), payment.transactionId)).toEqual({ status: 'pending', exception: 'needs_review' });
      expect(await eventsOf(db(), payment.transactionId)).toEqual(['payment.created', 'payment.needs_review']);

      const found = observe({
        network: ETHEREUM,
        watchKey: payment.watchKey,
        asset: 'USDC',
        firstSeenAt: clock.now(),
        status: inBlock(10),
      });
      await observations([found]);
      expect(await shownOf(db(), payment.transactionId)).toEqual({ status: 'awaiting_confirmation', exception: null });
      const confirmed: OutputStatus = { kind: 'confirmed', height: 10, blockHash: 'block-10' };
      await observations([later(found, confirmed)]);
      expect(await shownOf(db(), payment.transactionId)).toEqual({ status: 'completed', exception: null });
      expect(await eventsOf(db(), payment.transactionId)).toEqual([
        'payment.created',
        'payment.needs_review',
        'payment.pending',
        'payment.completed',
      ]);
    } finally {
      await runtime.stop();
    }
  });

  it('names the event after asset and block, so that the same drop is sent once and another one again', async () => {
    const bus = createRecordingBus();
    const { transactionId, watchKey } = await startPayment(db(), startEngine(db()), await walletFor('ETH'));
    const drops = await openDrops(bus);
    const drop = { ...dropAt(watchKey), asset: 'ETH' as const };
    await drops([drop]);
    await drops([drop, { ...drop, height: 10, blockHash: '0xbb' }]);
    const [first, again, other] = bus.taken;
    expect(bus.taken).toHaveLength(3);
    expect(again).toEqual(first);
    expect(other?.id).not.toBe(first?.id);
    expect(first?.data).toMatchObject({
      actorId: transactionId,
      event: { type: 'chain.balance_dropped', missingBaseUnits: DUE.toString() },
    });
  });

  it('sends a drop outside any request context, independent of the caller of the poll that found it', async () => {
    const carried: (string | null)[] = [];
    const bus = { ...createRecordingBus(), publish: async () => void carried.push(serializeContext()) };
    const { watchKey } = await startPayment(db(), startEngine(db()), await walletFor('USDC'));
    const drops = await openDrops(bus);
    await runInNewContext({ merchantId: 'mer_1' }, () => drops([dropAt(watchKey)]));
    expect(carried).toEqual([null]);
  });

  it('sends no drop that no payment depends on', async () => {
    const bus = createRecordingBus();
    const drops = await openDrops(bus);
    const payment = await startPayment(db(), startEngine(db()), await walletFor('USDC'));
    await drops([{ ...dropAt(payment.watchKey), asset: 'ETH' }, dropAt('0x00')]);
    await db()
      .updateTable('address')
      .set({ released_at: new Date() })
      .where('transaction_id', '=', payment.transactionId)
      .execute();
    await drops([dropAt(payment.watchKey)]);
    await drops([]);
    expect(bus.taken).toEqual([]);
  });

  it('sends nothing found by a replaced watcher', async () => {
    const bus = createRecordingBus();
    const { transactionId, watchKey } = await startPayment(db(), startEngine(db()), await walletFor('USDC'));
    const replaced = await openDrops(bus);
    const successor = await openDrops(bus);
    await expect(replaced([dropAt(watchKey)])).rejects.toMatchObject({
      name: 'RetryableError',
      code: 'WATCHER_FENCED',
    });
    expect(bus.taken).toEqual([]);
    expect(await countPending(db(), transactionId)).toBe(0);
    await successor([dropAt(watchKey)]);
    expect(bus.taken).toHaveLength(1);
    expect(await countPending(db(), transactionId)).toBe(1);
  });

  /** A sink as used by a watcher that has just taken the lease. */
  async function openDrops(bus: Bus) {
    const drops = createBalanceDropSink({ db: db(), bus });
    const epoch = await takeTurn(db(), ETHEREUM);
    return (found: readonly BalanceDrop[]) => drops(found, { epoch });
  }

  async function walletFor(crypto: 'ETH' | 'USDC') {
    return { derivationKeyId: await newWallet(db(), ETHEREUM), network: ETHEREUM, crypto };
  }
});

// Helpers

function dropAt(watchKey: string): BalanceDrop {
  const lost = { missingBaseUnits: DUE, expectedBaseUnits: DUE };
  return { network: ETHEREUM, watchKey, asset: 'USDC', ...lost, height: 9, blockHash: '0xaa' };
}

async function countPending(db: Db, actorId: string): Promise<number> {
  const rows = await db.selectFrom('pending_observation').select('event_id').where('actor_id', '=', actorId).execute();
  return rows.length;
}

function shownOf(db: Db, id: string) {
  return db.selectFrom('transaction').select(['status', 'exception']).where('id', '=', id).executeTakeFirstOrThrow();
}

async function eventsOf(db: Db, transactionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_event')
    .select(['event', 'body'])
    .where('transaction_id', '=', transactionId)
    .execute();
  const sequenceOf = (body: string) => (JSON.parse(body) as { sequence: number }).sequence;
  return rows.sort((a, b) => sequenceOf(a.body) - sequenceOf(b.body)).map((row) => row.event);
}
