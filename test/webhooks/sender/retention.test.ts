import { afterEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import { createAttemptRetention } from '../../../src/webhooks/index.ts';
import { deleteOldAttempts } from '../../../src/webhooks/sender/attempt-retention.ts';
import { describeBothDatabases } from '../../support/database.ts';
import { createTestClock, PATIENCE, silentLog } from '../../support/engine.ts';

describeBothDatabases('the log of attempts', (database) => {
  const clock = createTestClock();

  afterEach(async () => {
    await database().db.deleteFrom('webhook_attempt').execute();
  });

  /** Rows of attempts that started so many days ago. */
  async function log(...ages: readonly number[]): Promise<void> {
    const rows = ages.map((days, place) => ({
      delivery_id: `dlv_${place}`,
      attempt: 1,
      started_at: new Date(clock.now() - days * DAY_MS),
      duration_ms: 5,
      status: 200,
    }));
    for (let from = 0; from < rows.length; from += 1_000) {
      await database()
        .db.insertInto('webhook_attempt')
        .values(rows.slice(from, from + 1_000))
        .execute();
    }
  }

  async function agesLeft(): Promise<number[]> {
    const rows = await database().db.selectFrom('webhook_attempt').select('started_at').orderBy('started_at').execute();
    return rows.map((row) => (clock.now() - row.started_at) / DAY_MS);
  }

  test('keeps 60 days to the millisecond', async () => {
    const oneMs = 1 / DAY_MS;
    await log(0, 59.99, 60, 60 + oneMs, 61, 400);
    expect(await deleteOldAttempts({ db: database().db, clock })).toBe(3);
    expect(await agesLeft()).toEqual([60, 59.99, 0]);
    expect(await deleteOldAttempts({ db: database().db, clock })).toBe(0);
  });

  test('is cleared in batches by several workers at once, each row by one of them', async () => {
    const [old, young] = [2_500, 100];
    await log(
      ...Array.from({ length: old }, (_, place) => 61 + place / 100),
      ...Array.from({ length: young }, () => 1),
    );
    const deps = { db: database().db, clock };
    const counts = await Promise.all([1, 2, 3].map(() => deleteOldAttempts(deps, { batchRows: 100 })));
    // One that found every old row in other hands has left them to those.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(old);
    expect(await agesLeft()).toHaveLength(young);
  });

  test('stops between two batches when the service does', async () => {
    await log(61, 62, 63);
    expect(await deleteOldAttempts({ db: database().db, clock }, { signal: AbortSignal.abort() })).toBe(0);
    expect(await agesLeft()).toHaveLength(3);
  });

  test('is cleared by the worker from its start on', async () => {
    await log(1, 61);
    const worker = createAttemptRetention({ db: database().db, clock, log: silentLog });
    worker.start();
    try {
      await vi.waitFor(async () => expect(await agesLeft()).toEqual([1]), PATIENCE);
    } finally {
      await worker.stop();
    }
  });
});
