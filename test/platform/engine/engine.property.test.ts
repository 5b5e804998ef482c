import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { ActorEvent, JournalEntry } from '../../../src/platform/engine/index.ts';
import { createKindRegistry, readJournal, replay } from '../../../src/platform/engine/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { textOfAnyCharacters } from '../../support/run/fast-check.ts';
import { newActorId, type Runtime, startRuntime } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, POISON, readTotal } from '../../support/service/engine-charts.ts';

/**
 * One event for one of a few ledgers. Its event id is derived from it: a repetition is a duplicate.
 */
interface EventDelivery {
  readonly ledger: number;
  readonly event: ActorEvent;
  /** Index of the engine that receives it. */
  readonly engine: number;
  /** How often it is delivered. */
  readonly times: number;
}

const LEDGERS = 4;
const POISONS = Object.values(POISON);

const bookArbitrary = fc.record({
  type: fc.constant('book'),
  amount: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.constantFrom(...POISONS)),
  note: textOfAnyCharacters({ maxLength: 4 }).filter((text) => !text.includes('\u0000')),
});
const forwardArbitrary = fc.record({
  type: fc.constant('forward'),
  amount: fc.integer({ min: 1, max: 9 }),
  ledger: fc.nat({ max: LEDGERS - 1 }),
});
const timingArbitrary = fc.oneof(
  fc.record({ type: fc.constant('remind'), inMs: fc.constantFrom(0, 1_000, 60_000), nonce: fc.nat({ max: 3 }) }),
  fc.record({ type: fc.constant('forget'), nonce: fc.nat({ max: 1 }) }),
);
const closeArbitrary = fc.record({ type: fc.constant('close') });

function deliveriesOf(events: fc.Arbitrary<ActorEvent>): fc.Arbitrary<EventDelivery[]> {
  const delivery = fc.record({
    ledger: fc.nat({ max: LEDGERS - 1 }),
    event: events,
    engine: fc.nat({ max: 1 }),
    times: fc.constantFrom(1, 1, 1, 2, 3),
  });
  return fc.array(delivery, { maxLength: 60 });
}

describeDatabases('for any events, in any order and number,', (database) => {
  const kinds = createKindRegistry([createLedgerKind()]);
  beforeAll(() => createLedgerTable(database()));

  /**
   * Runs two engines over the database, delivers everything at once, and waits until all is done.
   */
  async function live(
    all: readonly EventDelivery[],
    check: (ledgers: readonly Ledger[]) => Promise<void>,
  ): Promise<void> {
    await sql`delete from timer`.execute(database().db);
    const clock = createTestClock();
    const unpublishedAfterMs = 3_600_000;
    const runtimes = [
      await startRuntime({ connection: database(), clock, unpublishedAfterMs }),
      await startRuntime({ connection: database(), clock, unpublishedAfterMs }),
    ] as const;
    try {
      const ids = Array.from({ length: LEDGERS }, newActorId);
      const starts = runtimes.flatMap(({ engine }) =>
        ids.map((actorId) => engine.start({ kind: 'ledger', actorId, startKey: actorId, input: {} })),
      );
      await Promise.all(starts);
      const deliveries = all.flatMap(({ ledger, event, engine, times }) =>
        Array.from({ length: times }, (_, time) => {
          const runtime = runtimes[(engine + time) % 2] ?? runtimes[0];
          const eventId = JSON.stringify(event);
          return persist(runtime, { actorId: ids[ledger] ?? '', eventId, event: addressed(event, ids) });
        }),
      );
      await Promise.all(deliveries);
      clock.advance(60_000);
      const left = sql<{ left: number }>`select (select count(*) from timer) + (select count(*) from outbox_message)
        as left`;
      // A firing that was set aside stays parked; nothing here makes one fail.
      await expect.poll(async () => (await left.execute(database().db)).rows[0]?.left, POLLING).toBe(0);
      await check(await Promise.all(ids.map((id) => readLedger(database(), id))));
      const journals = await Promise.all(ids.map((id) => readJournal(database().db, id)));
      checkEffects(ids, journals, runtimes);
      for (const id of ids) expect((await replay(database().db, kinds, id))?.equal, id).toBe(true);
    } finally {
      await Promise.all(runtimes.map((runtime) => runtime.stop()));
    }
  }

  test('every distinct event counts once: totals do not depend on order, duplicates or the engine used', async () => {
    const events = fc.oneof(bookArbitrary, forwardArbitrary, timingArbitrary);
    await fc.assert(
      fc.asyncProperty(deliveriesOf(events), (all) =>
        live(all, async (ledgers) => {
          for (const [index, ledger] of ledgers.entries()) {
            expect(ledger.total).toBe(expectedTotal(all, index));
            expect(ledger.projected).toBe(ledger.total);
          }
        }),
      ),
      { numRuns: 12, interruptAfterTimeLimit: 30_000 },
    );
  });

  test('a closed ledger stays unchanged, and every later event is in its journal as ignored', async () => {
    const events = fc.oneof(bookArbitrary, forwardArbitrary, timingArbitrary, closeArbitrary);
    await fc.assert(
      fc.asyncProperty(deliveriesOf(events), (all) =>
        live(all, async (ledgers) => {
          for (const { journal } of ledgers) {
            const closedAt = journal.findIndex((entry) => entry.event.type === 'close');
            const later = closedAt < 0 ? [] : journal.slice(closedAt + 1);
            expect(later.filter((entry) => entry.outcome !== 'ignored' && entry.outcome !== 'failed')).toEqual([]);
          }
        }),
      ),
      { numRuns: 12, interruptAfterTimeLimit: 30_000 },
    );
  });
});

// Helpers

interface Ledger {
  readonly total: number;
  readonly projected: number | null;
  readonly journal: readonly JournalEntry[];
}

async function readLedger(database: TestDatabase, actorId: string): Promise<Ledger> {
  const { db } = database;
  const { snapshot } = await db
    .selectFrom('actor')
    .select('snapshot')
    .where('id', '=', actorId)
    .executeTakeFirstOrThrow();
  const { total } = snapshot.context as { total: number };
  return { total, projected: await readTotal(database, actorId), journal: await readJournal(db, actorId) };
}

/** The sum of what distinct events book here, directly or forwarded from another ledger. */
function expectedTotal(all: readonly EventDelivery[], ledger: number): number {
  const distinct = new Map(all.map((each) => [`${each.ledger} ${JSON.stringify(each.event)}`, each]));
  let total = 0;
  for (const { ledger: at, event } of distinct.values()) {
    const amount = Number(event.amount ?? 0);
    if (POISONS.some((poison) => poison === amount)) continue;
    if (at === ledger) total += amount;
    if (event.type === 'forward' && event.ledger === ledger) total += amount;
  }
  return total;
}

/** Journals have no gaps or repetitions; exactly the effects in them were sent, each once. */
function checkEffects(ids: readonly string[], journals: readonly JournalEntry[][], runtimes: readonly Runtime[]): void {
  const requested: string[] = [];
  for (const [index, journal] of journals.entries()) {
    expect(journal.map((entry) => entry.sequence)).toEqual(journal.map((_, position) => position + 1));
    const taken = journal.filter((entry) => entry.outcome !== 'failed').map((entry) => entry.eventId);
    expect(new Set(taken).size).toBe(taken.length);
    for (const { outcome, sequence, event } of journal) {
      const announces = ['book', 'forward', 'close', 'timer.reminder_due'].includes(event.type);
      if (outcome === 'applied' && announces) requested.push(`${ids[index]}:${sequence}:0`);
    }
  }
  const deliveredIds = runtimes.flatMap(({ received }) =>
    [...received].flatMap(([id, times]) => Array.from({ length: times }, () => id)),
  );
  const ours = deliveredIds.filter((id) => ids.some((actorId) => id.startsWith(`${actorId}:`)));
  expect(ours.sort()).toEqual(requested.sort());
}

function addressed(event: ActorEvent, ids: readonly string[]): ActorEvent {
  return event.type === 'forward' ? { ...event, to: ids[Number(event.ledger)] } : event;
}

async function persist(runtime: Runtime, command: Parameters<Runtime['engine']['deliver']>[0]): Promise<void> {
  for (;;) {
    try {
      await runtime.engine.deliver(command);
      return;
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
    }
  }
}
