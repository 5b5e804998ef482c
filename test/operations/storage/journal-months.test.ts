import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import { makePartitions } from '../../../src/operations/storage/month-partitions.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { foldEvent, foldStart } from '../../../src/platform/engine/fold.ts';
import { createEngine, createKindRegistry, readJournal, replay } from '../../../src/platform/engine/index.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const ACTORS = 40;
/** One actor a fortnight, over a year and a half. */
const APART_MS = 14 * DAY_MS;
/** Before the months that have partitions already. */
const NEWEST_AGE_MS = 60 * DAY_MS;

describeDatabases('a journal that spans many months', (database) => {
  test('keeps every entry during partitioning, and counts each event once', async () => {
    const { db } = database();
    const clock = createTestClock();
    const ids = await fill(db, clock.now());
    const before = await entriesOf(db);
    expect(before).toHaveLength(3 * ACTORS);

    expect(await makePartitions(db, 'journal_entry', clock.now())).toBe(3 * ACTORS);
    expect(await entriesOf(db)).toEqual(before);
    const { rows } = await sql<{ months: number; unplaced: number }>`
      select count(distinct tableoid)::int8 as months, (select count(*)::int8 from journal_entry_default) as unplaced
      from journal_entry`.execute(db);
    expect(rows[0]?.unplaced).toBe(0);
    expect(rows[0]?.months).toBeGreaterThan(12);

    await createLedgerTable(database());
    const kinds = createKindRegistry([createLedgerKind()]);
    const engine = createEngine({ db, kinds, clock, log: silentLog });
    for (const actorId of ids) {
      const book = (eventId: string) => engine.deliver({ actorId, eventId, event: { type: 'book', amount: 5 } });
      expect(await book('e-1')).toMatchObject({ outcome: 'duplicate' });
      // Only accepted events count as duplicates.
      expect(await book('e-bad')).toMatchObject({ outcome: 'applied' });
      expect(await book('e-bad')).toMatchObject({ outcome: 'duplicate' });
      expect((await readJournal(db, actorId)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
      expect((await replay(db, kinds, actorId))?.equal).toBe(true);
    }
  });
});

// Helpers

/** Writes actors created over many months, each with an accepted event and a failed one. */
async function fill(db: Kysely<Database>, now: number): Promise<string[]> {
  const kind = createLedgerKind();
  const ids: string[] = [];
  for (let index = 0; index < ACTORS; index += 1) {
    const [id, bornMs] = [`actor-${String(index).padStart(2, '0')}`, now - NEWEST_AGE_MS - index * APART_MS];
    const { actor, step } = foldStart(kind, { kind: 'ledger', actorId: id, startKey: null, input: {} }, bornMs);
    const booked = foldEvent(actor, { eventId: 'e-1', event: { type: 'book', amount: 2 } }, bornMs + DAY_MS);
    const { value, context, status } = actor.snapshot;
    const born = new Date(bornMs);
    await sql`
      insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
      values (${id}, 'ledger', '1', 'open', 'active', ${JSON.stringify({ value, context, status })}::jsonb, 3,
        ${born}, now(), now())`.execute(db);
    const entries = [step, booked, { ...booked, sequence: 3, eventId: 'e-bad', outcome: 'failed' as const }];
    for (const { sequence, eventId, event, outcome, state, at } of entries) {
      await sql`
        insert into journal_entry
          (actor_id, sequence, event_id, event_type, event, outcome, state, kind, version, at, born)
        values (${id}, ${sequence}, ${eventId}, ${event.type}, ${JSON.stringify(event)}::jsonb, ${outcome}, ${state},
          'ledger', '1', ${new Date(at)}, ${born})`.execute(db);
    }
    ids.push(id);
  }
  return ids;
}

async function entriesOf(db: Kysely<Database>): Promise<unknown[]> {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(entry) as row from journal_entry as entry order by actor_id, sequence`.execute(db);
  return rows;
}
