import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../machines/index.ts';
import { readThroughput } from '../../src/operations/actors/throughput.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { deliverAll, transactionEvents } from './histories.ts';
import { createInstallation, type Installation } from './installation.ts';

const EXACT = { entries: 100_000, exactUpTo: 20_000 };
const RUNS = level.pick({ quick: 15, full: 100 });

describeDatabases('the throughput of a chart', (database) => {
  test('has every state change of every actor in the period, and no other', async () => {
    const all = createInstallation(database());
    await assertAsyncProperty(
      fc.asyncProperty(
        fc.array(transactionEvents, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(HOUR_MS, DAY_MS),
        async (histories, spanMs) => {
          await empty(all);
          for (const [index, events] of histories.entries()) {
            const actorId = await all.startTransaction();
            await deliverAll(all, actorId, events);
            // The first ones are before the period, or lie on its edge.
            if (index % 2 === 0) all.clock.advance(HOUR_MS);
          }
          await all.startDelivery();
          const counted = await readThroughput(all, { kind: 'transaction', spanMs }, EXACT);
          expect(counted).toMatchObject({ from: all.clock.now() - spanMs, to: all.clock.now(), isEstimate: false });
          expect(asLines(counted.changes)).toEqual(await changesInJournals(all, counted.from));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('knows the state before a step that is the first of its actor in the range that is read', async () => {
    const all = createInstallation(database());
    await empty(all);
    const actorId = await all.startTransaction();
    all.clock.advance(2 * HOUR_MS);
    await all.engine.deliver({
      actorId,
      eventId: 'closed',
      event: { type: 'timer.window_closed', dueAt: all.clock.now() },
    });
    const { changes } = await readThroughput(all, { kind: 'transaction', spanMs: HOUR_MS }, { ...EXACT, entries: 1 });
    expect(changes).toEqual([
      { from: 'open.awaitingPayment', to: 'expired.watching', event: 'timer.window_closed', count: 1 },
    ]);
  });

  test('reads no more entries than its limit, and says from when it has counted', async () => {
    const all = createInstallation(database());
    await empty(all);
    for (let index = 0; index < 10; index += 1) {
      await all.startTransaction();
      all.clock.advance(1_000);
    }
    const counted = await readThroughput(all, { kind: 'transaction', spanMs: HOUR_MS }, { ...EXACT, entries: 4 });
    const total = counted.changes.reduce((sum, { count }) => sum + count, 0);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(4);
    expect(counted.from).toBe(counted.to - total * 1_000);
  });

  test('is projected from one actor in 64 when there are many entries', async () => {
    const all = createInstallation(database());
    await empty(all);
    const ids: string[] = [];
    for (let index = 0; index < 40; index += 1) ids.push(await all.startTransaction());
    const { rows } = await sql<{ sampled: number }>`
      select count(*)::int8 as sampled from actor where substr(md5(id), 1, 2) in ('00', '01', '02', '03')`.execute(
      all.db,
    );
    const requested = { kind: 'transaction', spanMs: HOUR_MS };
    const counted = await readThroughput(all, requested, { ...EXACT, exactUpTo: ids.length - 1 });
    expect(counted.isEstimate).toBe(true);
    expect(counted.changes.reduce((sum, { count }) => sum + count, 0)).toBe(64 * (rows[0]?.sampled ?? -1));
  });

  test('rejects an unknown kind', async () => {
    const all = createInstallation(database());
    await expect(readThroughput(all, { kind: 'nothing', spanMs: HOUR_MS })).rejects.toMatchObject({
      code: 'UNKNOWN_KIND',
    });
  });
});

// Helpers

async function empty({ db }: Installation): Promise<void> {
  await sql`truncate actor, journal_entry, timer, outbox_message cascade`.execute(db);
}

/** The expected changes: every journal read on its own, step by step. */
async function changesInJournals({ db }: Installation, from: number): Promise<string[]> {
  const entries = await db
    .selectFrom('journal_entry')
    .select(['actor_id', 'sequence', 'state', 'event_type', 'outcome', 'at'])
    .where('kind', '=', 'transaction')
    .orderBy('actor_id')
    .orderBy('sequence')
    .execute();
  const states = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { actor_id: id, state, event_type: event, outcome, at } of entries) {
    if (outcome !== 'started' && outcome !== 'applied') continue;
    const before = states.get(id) ?? null;
    states.set(id, state);
    if (before === state || Number(at) < from) continue;
    const line = lineOf({ from: before, to: state, event });
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => `${line} ${count}`).toSorted();
}

function asLines(changes: Awaited<ReturnType<typeof readThroughput>>['changes']): string[] {
  return changes.map((change) => `${lineOf(change)} ${change.count}`).toSorted();
}

function lineOf({ from, to, event }: { from: string | null; to: string; event: string }): string {
  return `${from ?? 'start'} > ${to} by ${event}`;
}
