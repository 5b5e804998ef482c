import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import {
  createEngine,
  createKindRegistry,
  findEntry,
  leaseDueTimers,
  readJournal,
} from '../../../src/platform/engine/index.ts';
import { planByIndex } from '../../../src/platform/engine/sql/plan.ts';
import { findTimers } from '../../../src/platform/engine/sql/timers.ts';
import { createTestClock, START_MS } from '../../support/clock.ts';
import { countRowsRead, nodesOf, type PlanNode, recordQueries } from '../../support/database/slow-plans.ts';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

describePostgres('the statements of a batch', () => {
  test('look up rows by index on a new database, however many rows were added since', async () => {
    const database = await createPostgresDatabase();
    await createLedgerTable(database);
    // No statistics, now or later: autovacuum must not help.
    await sql`select make_month_partitions('journal_entry', ${MONTHS_AGO(36)}, ${new Date(START_MS)})`.execute(
      database.db,
    );
    const { rows: partitions } = await sql<{ name: string }>`
      select relid::regclass::text as name from pg_partition_tree('journal_entry') where isleaf`.execute(database.db);
    expect(partitions.length).toBeGreaterThan(36);
    const tables = ['actor', 'archived_actor', 'timer', 'outbox_message', 'watermark'];
    for (const table of [...tables, ...partitions.map(({ name }) => name)]) {
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(database.db);
    }
    const { db, queries, findSlow, close } = recordQueries(database);
    const engine = createEngine({
      db,
      kinds: createKindRegistry([createLedgerKind()]),
      clock: createTestClock(),
      log: silentLog,
    });
    const ids = Array.from({ length: 64 }, newActorId);
    const all = (deliver: (actorId: string) => Promise<unknown>) => Promise.all(ids.map(deliver));

    await all((actorId) => engine.start({ kind: 'ledger', actorId, startKey: actorId, input: {} }));
    await all((actorId) => engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } }));
    await all((actorId) => engine.deliver({ actorId, eventId: 'e-2', event: { type: 'remind', inMs: 0 } }));
    await all((actorId) =>
      engine.deliver({ actorId, eventId: 'timer:reminder_due:3', event: { type: 'timer.reminder_due' } }),
    );
    await leaseDueTimers(db, { now: START_MS, leaseMs: 1, limit: 100 });
    await all((actorId) => engine.deliver({ actorId, eventId: 'e-3', event: { type: 'close' } }));

    expect(queries.length).toBeGreaterThan(15);
    expect(await findSlow()).toEqual([]);
    await close();
    await database.drop();
  });

  test('read one partition of the journal per actor, however many exist', async () => {
    const database = await createPostgresDatabase();
    await createLedgerTable(database);
    await sql`select make_month_partitions('journal_entry', ${MONTHS_AGO(36)}, ${new Date(START_MS)})`.execute(
      database.db,
    );
    const clock = createTestClock(MONTHS_AGO(20).getTime());
    const { db, queries, close } = recordQueries(database);
    const engine = createEngine({ db, kinds: createKindRegistry([createLedgerKind()]), clock, log: silentLog });
    const [old, young] = [newActorId(), newActorId()];
    await engine.start({ kind: 'ledger', actorId: old, startKey: null, input: {} });
    clock.advance(19 * 30 * DAY_MS);
    await engine.start({ kind: 'ledger', actorId: young, startKey: null, input: {} });
    queries.length = 0;
    const book = (actorId: string) => engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } });
    await Promise.all([book(old), book(young)]);
    await readJournal(db, old);
    await findEntry(db, { actorId: young, eventId: 'e-1' });

    const ofJournal = queries.filter(({ sql: text }) => /^\s*select[\s\S]*journal_entry/i.test(text));
    expect(ofJournal).toHaveLength(3);
    const touched = [];
    for (const query of ofJournal) touched.push(await touchedPartitions(db, query));
    expect(touched).toEqual([
      ['journal_entry_2025_03', 'journal_entry_2026_10'],
      ['journal_entry_2025_03'],
      ['journal_entry_2026_10'],
    ]);
    await close();
    await database.drop();
  });
});

describePostgres('leasing due timers', () => {
  test('reads about as many rows as it leases, however many are leased or parked before them', async () => {
    const database = await createPostgresDatabase();
    const { db, queries, close } = recordQueries(database);
    for (const [until, rows, gate] of [
      ['infinity', 20_000, null],
      [new Date(START_MS + 60_000).toISOString(), 20_000, null],
      [new Date(START_MS + 60_000).toISOString(), 20_000, 'some-network'],
      ['-infinity', 50, null],
      ['-infinity', 50, 'some-network'],
    ] as const) {
      const [due, name] = [new Date(START_MS - rows), newActorId()];
      await sql`
        insert into timer (actor_id, name, set_by_sequence, due_at, fires_at, gate, queue, partition, leased_until)
        select ${name} || number, 'reminder_due', 1, ${due}, ${due}, ${gate}::text, 'actor-ledger', 0, ${until}::timestamptz
        from generate_series(1, ${rows}::int4) as series (number)`.execute(database.db);
    }
    await sql`insert into watermark (gate, reached_at) values ('some-network', ${new Date(START_MS)})`.execute(
      database.db,
    );
    // Gates of simulated payments without pending timers.
    await sql`
      insert into watermark (gate, height) select 'simulated/' || number, 100 from generate_series(1, 20000) as series (number)`.execute(
      database.db,
    );
    const due = await leaseDueTimers(db, { now: START_MS, leaseMs: 60_000, limit: 20 });
    expect(due.map(({ lane }) => lane).sort()).toEqual([
      ...Array.from({ length: 20 }, () => 'actor-ledger'),
      ...Array.from({ length: 20 }, () => 'some-network'),
    ]);
    const lease = queries.find(({ sql: text }) => text.includes('update timer'));
    if (lease === undefined) throw new Error('the statement was not recorded');
    // Run again with the plan of an engine batch, and rolled back.
    const rowsRead = await countRowsRead(db, lease);
    expect(rowsRead).toBeGreaterThan(0);
    expect(rowsRead).toBeLessThan(1_000);
    await close();
    await database.drop();
  });
});

describePostgres('finding the timers that have fired', () => {
  test('reads no timer of another actor, however many have the same name', async () => {
    const database = await createPostgresDatabase();
    const { db, queries, close } = recordQueries(database);
    await sql`
      insert into timer (actor_id, name, set_by_sequence, due_at, fires_at, queue, partition)
      select 'actor-' || number, 'reminder_due', number, ${new Date(START_MS)}, ${new Date(START_MS)}, 'actor-ledger', 0
      from generate_series(1, 1000) as series (number)`.execute(database.db);
    const requested = [3, 7].map((number) => ({ actorId: `actor-${number}`, name: 'reminder_due' }));
    const found = await db.transaction().execute((trx) => findTimers(trx, requested));
    expect([...found.values()].sort((a, b) => a - b)).toEqual([3, 7]);
    const select = queries.find(({ sql: text }) => text.includes('join timer'));
    if (select === undefined) throw new Error('the statement was not recorded');
    expect(await countRowsRead(db, select)).toBe(requested.length);
    await close();
    await database.drop();
  });
});

// Helpers

const MONTHS_AGO = (months: number) => new Date(Date.UTC(2026, 10 - months, 15));

/**
 * The partitions of the journal that a statement reads, planned as a batch plans it: without
 * knowing its parameters.
 */
async function touchedPartitions(db: Kysely<Database>, query: CompiledQuery): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await planByIndex(trx);
    const explained = { ...query, sql: `explain (analyze, format json) ${query.sql}` };
    const { rows } = await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
    const read = rows
      .flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan))
      .filter((node) => (node['Actual Loops'] ?? 0) > 0);
    const names = read.map((node) => node['Relation Name'] ?? '').filter((name) => name.startsWith('journal_entry'));
    return [...new Set(names)].sort();
  });
}
