import { type Kysely, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { createEngine, createKindRegistry, readJournal, replay } from '../../../src/platform/engine/index.ts';
import { unpackJournal } from '../../../src/platform/engine/sql/archive.ts';
import { createTestClock } from '../../support/clock.ts';
import {
  createPostgresDatabase,
  describeBothDatabases,
  describePostgres,
} from '../../support/database/test-database.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

/** The tables that these tests write. */
const WRITTEN = [
  'actor',
  'journal_entry',
  'actor_archive',
  'archived_actor',
  'audit_entry',
  'operator_action',
  'merchant',
];

/** The calls an attacker with the service's database password would make to destroy evidence. */
describeBothDatabases('the functions that delete from append-only tables', (database) => {
  const kinds = createKindRegistry([createLedgerKind()]);
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

  beforeEach(async () => {
    const { db } = database();
    await createLedgerTable(database());
    // Truncating would create new files for hundreds of empty partitions.
    for (const table of WRITTEN) await sql`delete from ${sql.table(table)}`.execute(db);
  });

  async function begin(at: Date) {
    const { db } = database();
    const engine = createEngine({ db, kinds, clock: createTestClock(at.getTime()), log: silentLog });
    const actorId = newActorId();
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    await engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 3 } });
    return { actorId, close: () => engine.deliver({ actorId, eventId: 'e-2', event: { type: 'close' } }) };
  }
  async function archive(actorId: string, sequence: number): Promise<unknown[]> {
    const { rows } = await sql`select archive_actors(${[actorId]}::text[], ${[sequence]}::int8[], now()) as id`.execute(
      database().db,
    );
    return rows;
  }
  const expire = (name: string, days: number) =>
    sql`select ${sql.ref(name)}(${daysAgo(days)}, 1000) as gone`.execute(database().db).then(({ rows }) => rows);

  test('archive no actor that is not finished, or has changed since', async () => {
    const { actorId, close } = await begin(daysAgo(900));
    expect(await archive(actorId, 2)).toEqual([]);
    await close();
    expect(await archive(actorId, 2)).toEqual([]);
    expect(await readJournal(database().db, actorId)).toHaveLength(3);
    expect(await archive(actorId, 3)).toEqual([{ id: actorId }]);
  });

  test('delete no journal with a missing entry, and none of those requested with it', async () => {
    const { db } = database();
    const [torn, whole] = [await begin(daysAgo(900)), await begin(daysAgo(900))];
    for (const { close } of [torn, whole]) await close();
    await sql`delete from journal_entry where actor_id = ${torn.actorId} and sequence = 2`.execute(db);
    const both = sql`
      select archive_actors(${[whole.actorId, torn.actorId]}::text[], ${[3, 3]}::int8[], now())`.execute(db);
    await expect(both).rejects.toThrow(`the journal of ${torn.actorId} is not complete`);
    expect(await readJournal(db, whole.actorId)).toHaveLength(3);
    expect(await readJournal(db, torn.actorId)).toHaveLength(2);
  });

  test('copy the exact entries into the archive that they delete from the journal', async () => {
    const { db } = database();
    const { actorId, close } = await begin(new Date(Date.now() - 900 * DAY_MS));
    await close();
    const journal = await readJournal(db, actorId);
    await archive(actorId, 3);
    expect(await db.selectFrom('journal_entry').selectAll().execute()).toEqual([]);
    const { journal: bytes } = await db.selectFrom('actor_archive').select('journal').executeTakeFirstOrThrow();
    expect(unpackJournal(bytes)).toEqual(journal);
    expect(await replay(db, kinds, actorId)).toMatchObject({ equal: true, entries: 3 });
  });

  test('keep the archived journal of an actor with a manipulated age', async () => {
    const { db } = database();
    const { actorId, close } = await begin(daysAgo(900));
    const young = await begin(daysAgo(389));
    for (const each of [{ close }, young]) await each.close();
    await sql`update actor set state_entered_at = '2001-01-01'`.execute(db);
    for (const id of [actorId, young.actorId]) await archive(id, 3);
    expect(await expire('expire_archived_actors', 391)).toEqual([{ gone: actorId }]);
    expect(await readJournal(db, young.actorId)).toHaveLength(3);
  });

  test.each([
    ['expire_audit_entries', 359],
    ['expire_operator_actions', 359],
    ['expire_archived_actors', 389],
  ] as const)('delete nothing with %s for a caller that requests an age of %d days', async (name, days) => {
    await expect(expire(name, days)).rejects.toThrow(`are kept for ${days + 1} days at least`);
    const never = sql`select ${sql.ref(name)}(null, 1)`.execute(database().db);
    await expect(never).rejects.toThrow('days at least');
    expect(await expire(name, days + 2)).toEqual([]);
  });

  test('delete user actions older than requested, and nothing else', async () => {
    const { db } = database();
    await sql`insert into merchant (id, name, email, plan) values ('mer_1', 'Shop', 's@shop.example', 'business')`.execute(
      db,
    );
    for (const age of [400, 500]) {
      await sql`
        insert into audit_entry (merchant_id, who, what, subject_id, occurred_at)
        values ('mer_1', 'user u', 'api_key.revoked', 'key_1', ${daysAgo(age)})`.execute(db);
      await sql`
        insert into operator_action (request_id, who, what, subject_id, details, reason, asked_at)
        values (${`r-${age}`}, 'usr_1', 'event.sent', 'a', '{}', 'asked', ${daysAgo(age)})`.execute(db);
    }
    expect(await expire('expire_audit_entries', 450)).toHaveLength(1);
    expect(await expire('expire_operator_actions', 450)).toEqual([{ gone: 'r-500' }]);
    const left = await sql`select (occurred_at > ${daysAgo(401)}) as young from audit_entry`.execute(db);
    expect(left.rows).toEqual([{ young: true }]);
  });
});

describePostgres('the function that deletes archived actors', () => {
  test('reads about as many as it deletes, and no month that started after the requested time', async () => {
    const database = await createPostgresDatabase();
    const { db } = database;
    const [longAgo, before] = [new Date(Date.UTC(2014, 0, 10)), new Date(Date.UTC(2016, 5, 15))];
    await sql`select make_month_partitions('actor_archive', ${longAgo}, ${new Date(Date.UTC(2016, 9, 1))})`.execute(db);
    // Long-lived actors, a few ended ones, and some born before the moment that ended after it.
    await archived(db, { name: 'lasting', count: 2_000, born: longAgo, ended: new Date(Date.UTC(2016, 7, 1)) });
    await archived(db, { name: 'over', count: 30, born: longAgo, ended: new Date(Date.UTC(2014, 1, 10)) });
    const lately = { born: new Date(Date.UTC(2016, 5, 14)), ended: new Date(Date.UTC(2016, 5, 16)) };
    await archived(db, { name: 'lately', count: 2_000, ...lately });
    const young = new Date(Date.UTC(2016, 8, 1));
    await archived(db, { name: 'young', count: 2_000, born: young, ended: young });
    await db.transaction().execute(async (trx) => {
      const past = await readInArchive(trx);
      const { rows: gone } = await sql<{ id: string }>`
        select expire_archived_actors(${before}, 2000) as id`.execute(trx);
      expect(gone.map(({ id }) => id).sort()).toEqual(Array.from({ length: 30 }, (_, index) => `over-${100 + index}`));
      const read = new Map(
        [...(await readInArchive(trx))].map(([month, all]) => [month, all - (past.get(month) ?? 0)]),
      );
      const total = [...read.values()].reduce((sum, each) => sum + each, 0);
      expect(total).toBeGreaterThan(30);
      expect(total).toBeLessThan(200);
      expect([...read].filter(([month, each]) => month > '2016_06' && each > 0)).toEqual([]);
      expect(read.size).toBeGreaterThan(30);
    });
    await database.drop();
  });
});

test('an archived journal in an unknown format is not read', () => {
  expect(() => unpackJournal(Buffer.from([9, 1]))).toThrow('unknown format 9');
});

// Helpers

interface Archived {
  readonly name: string;
  readonly count: number;
  readonly born: Date;
  readonly ended: Date;
}

/** Scans started and rows read, by month, in the current transaction. */
async function readInArchive(db: Kysely<Database>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ month: string; read: number }>`
    select right(relname, 7) as month, seq_scan + idx_scan + seq_tup_read + idx_tup_fetch as read
    from pg_stat_xact_user_tables where relname ~ '^actor_archive_2'`.execute(db);
  return new Map(rows.map(({ month, read }) => [month, read]));
}

async function archived(db: Kysely<Database>, { name, count, born, ended }: Archived): Promise<void> {
  await sql`
    insert into actor_archive (id, kind, version, state, snapshot, sequence, clock_offset_ms, created_at, updated_at,
      state_entered_at, journal, last_entry_at, archived_at)
    select ${name} || '-' || (99 + index), 'ledger', '1', 'closed', '{}', 1, 0, ${born}, ${ended}, ${ended}, '', ${ended}, ${ended}
    from generate_series(1, ${count}::int4) as index`.execute(db);
}
