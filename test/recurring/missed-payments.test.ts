import { beforeEach, expect, test } from 'vitest';
import { DAY_MS, FORGET_AFTER_MS } from '../../machines/index.ts';
import { upsertMerchant } from '../../src/merchants/index.ts';
import {
  createEngine,
  createKindRegistry,
  dueTimersOf,
  type Engine,
  timerCommand,
} from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createScheduleKind, createTokens, settleForgottenPeriods } from '../../src/recurring/index.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { newActorId } from '../support/service/engine.ts';
import { silentLog } from '../support/silent-log.ts';
import { SCHEDULE_DETAILS } from './schedule-details.ts';

describeDatabases('payments that complete while their schedule is forgotten', (database) => {
  let clock: TestClock;
  let engine: Engine;
  let merchantId: string;
  let scheduleId: string;

  /** A schedule that was cancelled while period 1 was awaited, and is forgotten. */
  beforeEach(async () => {
    const { db } = database();
    clock = createTestClock();
    const kind = createScheduleKind({
      publicUrl: 'https://pay.example',
      tokens: createTokens(new Uint8Array(32)),
      clock,
    });
    engine = createEngine({ db, kinds: createKindRegistry([kind]), clock, log: silentLog });
    const shop = { name: 'Shop', email: 'shop@example.com', plan: 'starter', settings: {} };
    merchantId = (await db.transaction().execute((trx) => upsertMerchant(trx, shop))).id;
    scheduleId = newActorId();
    const input = { scheduleId, interval: 'monthly', startAt: null, maxPeriods: null };
    await engine.start({
      kind: 'schedule',
      actorId: scheduleId,
      startKey: null,
      input,
      attachment: { ...SCHEDULE_DETAILS, merchantId },
    });
    for (const type of ['customer.confirmed', 'merchant.cancelled']) {
      await engine.deliver({ actorId: scheduleId, eventId: type, event: { type } });
    }
    clock.advance(FORGET_AFTER_MS + DAY_MS);
    for (const timer of await dueTimersOf(db, { actorId: scheduleId, now: clock.now() })) {
      await engine.deliver(timerCommand(timer));
    }
  });

  async function openPayment(): Promise<string> {
    const transactionId = newId('txn');
    const attempt = { transaction_id: transactionId, schedule_id: scheduleId, period_no: 1 };
    await database().db.insertInto('schedule_attempt').values(attempt).execute();
    return transactionId;
  }
  /** The hook of the commit that completes the payment. */
  function complete(transactionId: string): Promise<void> {
    const completion = { merchantId, mode: 'live', type: 'basic', simulated: false, completedAt: clock.now() } as const;
    return database()
      .db.transaction()
      .execute((trx) => settleForgottenPeriods(trx, [{ ...completion, transactionId }]));
  }
  /** The message of that commit arrives. */
  async function notify(transactionId: string): Promise<void> {
    const { outcome } = await engine.deliver({
      actorId: scheduleId,
      eventId: `payment:${transactionId}`,
      event: { type: 'payment.completed', periodNo: 1, transactionId },
    });
    expect(outcome).toBe('ignored');
  }
  async function outcome() {
    const { db } = database();
    const period = db.selectFrom('schedule_period').select(['status', 'transaction_id', 'settled_at']);
    const excess = db.selectFrom('schedule_attempt').select('transaction_id').where('is_excess', '=', true);
    const alerts = db.selectFrom('operator_alert').select('actor_id').where('alert', '=', 'period_paid_twice');
    return {
      period: await period.where('schedule_id', '=', scheduleId).executeTakeFirst(),
      excess: (await excess.where('schedule_id', '=', scheduleId).execute()).map((row) => row.transaction_id),
      alerts: (await alerts.execute()).map(({ actor_id }) => actor_id),
    };
  }

  test('a payment whose message arrives after the schedule was forgotten still pays its period', async () => {
    // Its own commit found the schedule active, and settled nothing.
    const [first, second] = [await openPayment(), await openPayment()];
    expect(await outcome()).toMatchObject({ period: { status: 'unpaid', transaction_id: null } });
    await notify(first);
    const period = { status: 'paid', transaction_id: first, settled_at: clock.now() };
    expect(await outcome()).toMatchObject({ period, excess: [] });
    await notify(second);
    const after = await outcome();
    expect(after).toMatchObject({ period, excess: [second] });
    expect(after.alerts.filter((id) => id === second)).toHaveLength(1);
  });

  test('a payment that was settled by its own commit counts once when its message arrives', async () => {
    const [first, second] = [await openPayment(), await openPayment()];
    for (const payment of [first, second]) {
      await complete(payment);
      clock.advance(1_000);
    }
    const settled = await outcome();
    expect(settled).toMatchObject({ period: { status: 'paid', transaction_id: first }, excess: [second] });
    for (const payment of [first, second]) await notify(payment);
    expect(await outcome()).toEqual(settled);
  });
});
