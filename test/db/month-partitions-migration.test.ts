import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../machines/index.ts';
import { type Connection, connect, type Database, migrate } from '../../src/db/index.ts';
import { foldEvent, foldStart } from '../../src/engine/fold.ts';
import { createEngine, createKindRegistry, readJournal, replay } from '../../src/engine/index.ts';
import { createPostgresDatabase, describePostgres } from '../support/database.ts';
import { createTestClock, silentLog } from '../support/engine.ts';
import { createLedgerKind, createLedgerTable } from '../support/engine-charts.ts';
import { describeFull } from '../support/skip.ts';

const FOLDER = new URL('../../src/db/migrations/', import.meta.url);
/** The first migration of the partitions by month. */
const FIRST = '2026_11_22_1700';
const ACTORS = 40;
/** One actor a fortnight, over a year and a half. */
const APART_MS = 14 * DAY_MS;

describePostgres('A database of before the months, on Postgres', () => {
  test('keeps every entry and attempt, each event counted once', async () => {
    const database = await createPostgresDatabase();
    try {
      await sql`drop schema public cascade`.execute(database.db);
      await sql`create schema public`.execute(database.db);
      await checkMove(database);
    } finally {
      await database.drop();
    }
  });
});

describeFull('A database of before the months, the embedded one', () => {
  test('keeps every entry and attempt, each event counted once', async () => {
    const connection = await connect({ url: null, dataDir: null, poolSize: 1 });
    try {
      await checkMove(connection);
    } finally {
      await connection.close();
    }
  });
});

// Helpers

async function checkMove(connection: Connection): Promise<void> {
  const { db } = connection;
  const migrator = new Migrator({ db, provider: { getMigrations: formerMigrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('the former schema could not be made', { cause: error });
  const ids = await fill(db);
  const before = { journal: await dump(db, 'journal_entry'), attempts: await dump(db, 'webhook_attempt') };
  expect(before.journal).toHaveLength(3 * ACTORS);

  await migrate(db);
  expect(await dump(db, 'journal_entry', ['born'])).toEqual(before.journal);
  expect(await dump(db, 'webhook_attempt')).toEqual(before.attempts);
  for (const table of ['journal_entry_default', 'webhook_attempt_default']) expect(await dump(db, table)).toEqual([]);
  const { rows } = await sql<{ months: number }>`
    select count(distinct tableoid)::int8 as months from journal_entry`.execute(db);
  expect(rows[0]?.months).toBeGreaterThan(12);

  await createLedgerTable(connection);
  const kinds = createKindRegistry([createLedgerKind()]);
  const engine = createEngine({ db, kinds, clock: createTestClock(), log: silentLog });
  for (const actorId of ids) {
    const book = (eventId: string) => engine.deliver({ actorId, eventId, event: { type: 'book', amount: 5 } });
    expect(await book('e-1')).toMatchObject({ outcome: 'duplicate' });
    // Only accepted events count as duplicates.
    expect(await book('e-bad')).toMatchObject({ outcome: 'applied' });
    expect(await book('e-bad')).toMatchObject({ outcome: 'duplicate' });
    expect((await readJournal(db, actorId)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect((await replay(db, kinds, actorId))?.equal).toBe(true);
  }
}

async function formerMigrations(): Promise<Record<string, Migration>> {
  const names = (await readdir(fileURLToPath(FOLDER)))
    .map((name) => name.replace(/\.ts$/, ''))
    .filter((name) => name < FIRST);
  const loaded = names.map(
    async (name) => [name, (await import(new URL(`${name}.ts`, FOLDER).href)) as Migration] as const,
  );
  return Object.fromEntries(await Promise.all(loaded));
}

/** Actors born over many months, one of them between two milliseconds, each with an accepted event and a failed one. */
async function fill(db: Kysely<Database>): Promise<string[]> {
  const kind = createLedgerKind();
  const now = createTestClock().now();
  const ids: string[] = [];
  for (let place = 0; place < ACTORS; place += 1) {
    const [id, born] = [`actor-${String(place).padStart(2, '0')}`, now - place * APART_MS];
    const { actor, step: started } = foldStart(kind, { kind: 'ledger', actorId: id, startKey: null, input: {} }, born);
    const booked = foldEvent(actor, { eventId: 'e-1', event: { type: 'book', amount: 2 } }, born + DAY_MS);
    const { value, context, status } = actor.snapshot;
    const finer = place === 7 ? 0.000456 : 0;
    await sql`
      insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
      values (${id}, 'ledger', '1', 'open', 'active', ${JSON.stringify({ value, context, status })}::jsonb, 3,
        ${new Date(born)}::timestamptz + make_interval(secs => ${finer}), now(), now())`.execute(db);
    const entries = [started, booked, { ...booked, sequence: 3, eventId: 'e-bad', outcome: 'failed' as const }];
    for (const { sequence, eventId, event, outcome, state, at } of entries) {
      await sql`
        insert into journal_entry (actor_id, sequence, event_id, event_type, event, outcome, state, kind, version, at)
        values (${id}, ${sequence}, ${eventId}, ${event.type}, ${JSON.stringify(event)}::jsonb, ${outcome}, ${state},
          'ledger', '1', ${new Date(at)})`.execute(db);
    }
    await sql`
      insert into webhook_attempt (delivery_id, attempt, started_at, duration_ms, request_headers)
      values (${`dlv_${place}`}, 1, ${new Date(born)}, 5, '{"a":"b"}')`.execute(db);
    ids.push(id);
  }
  return ids;
}

async function dump(db: Kysely<Database>, table: string, without: readonly string[] = []): Promise<unknown[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(entry) as row from ${sql.table(table)} as entry order by entry::text collate "C"`.execute(db);
  const plain = rows.map(({ row }) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !without.includes(name))),
  );
  return plain.sort((a, b) => (JSON.stringify(sorted(a)) < JSON.stringify(sorted(b)) ? -1 : 1));
}

function sorted(row: Record<string, unknown>): unknown {
  return Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
}
