import { expect, test } from 'vitest';
import { DAY_MS } from '../../machines/index.ts';
import { upsertMerchant } from '../../src/merchants/index.ts';
import { createEngine, createKindRegistry, dueTimersOf, timerCommand } from '../../src/platform/engine/index.ts';
import { createScheduleKind, createTokens } from '../../src/recurring/index.ts';
import { createTestClock } from '../support/clock.ts';
import { recordQueries } from '../support/database/slow-plans.ts';
import { createPostgresDatabase, describePostgres } from '../support/database/test-database.ts';
import { silentLog } from '../support/silent-log.ts';
import { SCHEDULE_DETAILS } from './schedule-details.ts';

// At the quick level, test/platform/db/indexes.test.ts covers reading by index.
describePostgres('statements of a batch of schedules', () => {
  // A plan that reads a whole table costs so much that Postgres JIT-compiles it, which takes longer
  // than the batch.
  test('look up rows by index, from the first email to a period that is paid twice', async () => {
    const database = await createPostgresDatabase();
    const merchant = await database.db
      .transaction()
      .execute((trx) => upsertMerchant(trx, { name: 'Shop', email: 's@shop.example', plan: 'starter', settings: {} }));
    const { db, queries, findSlow, close } = recordQueries(database);
    const clock = createTestClock();
    const kind = createScheduleKind({
      publicUrl: 'https://pay.example',
      tokens: createTokens(new Uint8Array(32)),
      clock,
    });
    const engine = createEngine({ db, kinds: createKindRegistry([kind]), clock, log: silentLog });
    const ids = Array.from({ length: 32 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);
    const deliver = (type: string, more: object = {}) =>
      Promise.all(
        ids.map((actorId) =>
          engine.deliver({ actorId, eventId: `${type} ${JSON.stringify(more)}`, event: { type, ...more } }),
        ),
      );

    await Promise.all(
      ids.map((scheduleId, index) =>
        engine.start({
          kind: 'schedule',
          actorId: scheduleId,
          startKey: null,
          input: { scheduleId, interval: 'weekly', startAt: null, maxPeriods: null },
          attachment: { ...SCHEDULE_DETAILS, merchantId: merchant.id, customerEmail: `c${index}@example.com` },
        }),
      ),
    );
    await deliver('customer.confirmed');
    clock.advance(22 * DAY_MS);
    for (const actorId of ids) {
      for (const timer of await dueTimersOf(database.db, { actorId, now: clock.now() })) {
        await engine.deliver(timerCommand(timer));
      }
    }
    await deliver('payment.completed', { periodNo: 1, transactionId: 'txn_first' });
    await deliver('merchant.cancelled');

    expect(queries.some((query) => query.sql.includes('merchant_user'))).toBe(true);
    expect(await findSlow()).toEqual([]);
    await close();
    await database.drop();
  });
});
