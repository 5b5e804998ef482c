import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/platform/db/index.ts';
import { createEmbeddedDatabase } from '../../support/database/embedded-database.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { describeWith } from '../../support/run/components.ts';
import { INDEX_USES, UNIQUE_INDEXES } from './index-uses.ts';

const ROOT = new URL('../../../', import.meta.url);

describe.each(['embedded', 'postgres'] as const)('the indexes, %s', (kind) => {
  const suite = kind === 'embedded' ? describeWith() : describeWith('postgres');
  suite('of the schema', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = kind === 'embedded' ? await createEmbeddedDatabase() : await createPostgresDatabase();
      await fill(database.db);
    });
    afterAll(() => database.drop());

    test('are those in the list, and no others', async () => {
      const indexes = await indexesOf(database.db);
      const names = (isUnique: boolean) =>
        indexes.filter((index) => index.isUnique === isUnique).map(({ name }) => name);
      expect(names(false)).toEqual(INDEX_USES.map(({ index }) => index).sort());
      expect(names(true)).toEqual(Object.keys(UNIQUE_INDEXES).sort());
    });

    // Bytewise ids: in another collation, this would take a second index on the same column.
    test.each(['actor', 'actor_archive'])('ids of %s are searched by prefix in the primary key', async (table) => {
      const plan = await planOf(database.db, `select * from ${table} where id >= 'a' and id < 'b'`);
      expect(plan).toMatch(/Index Cond: \(\(id >= 'a'::text\) AND \(id < 'b'::text\)\)/);
      expect(await isByIndex(database.db, `${table}_pkey`, plan), plan).toBe(true);
    });

    test.each(INDEX_USES)('$index is what its statement goes by', async ({ index, statement }) => {
      const plan = await planOf(database.db, statement);
      expect(await isByIndex(database.db, index, plan), plan).toBe(true);
    });
  });
});

describe('the table of indexes', () => {
  test.each(INDEX_USES)('$index names a statement in the code', ({ at, says }) => {
    const path = fileURLToPath(new URL(at, ROOT));
    expect(existsSync(path)).toBe(true);
    expect(squeezed(readFileSync(path, 'utf8'))).toContain(squeezed(says));
  });
});

// Helpers

/** Where two indexes would serve an empty table, rows are needed to select the better one. */
async function fill(db: Kysely<Database>): Promise<void> {
  const series = sql`generate_series(1, 3000::int4) as index`;
  await sql`
    insert into merchant (id, name, email, plan)
    select 'm' || index, 'Shop ' || index, 'shop@example.com', 'starter' from generate_series(1, 20::int4) as index`.execute(
    db,
  );
  const born = sql`chr(97 + index % 26) || index, 'k', '1', 's'`;
  await sql`
    insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
    select ${born}, 'done', '{}', 1, date '2026-01-01', date '2026-01-01', date '2026-01-01' from ${series}`.execute(
    db,
  );
  await sql`
    insert into actor_archive (id, kind, version, state, snapshot, sequence, clock_offset_ms, created_at, updated_at,
      state_entered_at, journal, archived_at)
    select ${born}, '{}', 1, 0, date '2026-01-01', date '2026-01-01', date '2026-01-01', '', date '2026-01-01'
    from ${series}`.execute(db);
  await sql`
    insert into derivation_key (id, network, fingerprint, extended_public_key, address_type)
    values ('k', 'n', 'f', 'x', 'p2wpkh')`.execute(db);
  await sql`
    insert into address (network, address, watch_key, derivation_key_id, derivation_index)
    select 'n', 'a' || index, 'w' || index, 'k', index from ${series}`.execute(db);
  await sql`
    insert into free_address (derivation_key_id, awaits_vetting, derivation_index, network)
    select 'k', true, index, 'n' from ${series}`.execute(db);
  await sql`
    insert into webhook_event (id, merchant_id, transaction_id, event, mode, body, created_at)
    select 'e' || index, 'm' || (1 + index % 20), 't' || index / 4, 'payment.completed', 'live', '{}',
      now() - index * interval '1 minute' from ${series}`.execute(db);
  await sql`
    insert into webhook_delivery (id, webhook_event_id, endpoint_id, event, state, attempt, created_at)
    select 'd' || index, 'e' || index, 'w' || index % 20, 'v' || index % 7, 'delivered', 1,
      now() - index * interval '1 minute' from ${series}`.execute(db);
  await sql`
    insert into webhook_attempt (delivery_id, attempt, started_at, duration_ms)
    select 'd' || index, 1, now() + index * interval '1 second', 5 from generate_series(1, 40000::int4) as index`.execute(
    db,
  );
  for (const table of [
    'actor',
    'actor_archive',
    'merchant',
    'address',
    'webhook_event',
    'webhook_delivery',
    'webhook_attempt',
  ]) {
    await sql`analyze ${sql.table(table)}`.execute(db);
  }
}

/** On empty tables all plans cost the same; the test is whether the index serves, and better. */
function planOf(db: Kysely<Database>, statement: string): Promise<string> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true)`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(statement)}`.execute(trx);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** The optional indexes of whole tables: not those of partitions, nor primary keys. */
async function indexesOf(db: Kysely<Database>): Promise<{ name: string; isUnique: boolean }[]> {
  const { rows } = await sql<{ name: string; isUnique: boolean }>`
    select index.relname as name, indisunique as "isUnique"
    from pg_index join pg_class as index on index.oid = indexrelid join pg_class as owner on owner.oid = indrelid
    where owner.relnamespace = 'public'::regnamespace and not owner.relispartition and not indisprimary
      and owner.relname not like 'kysely%'
    order by index.relname collate "C"`.execute(db);
  return rows;
}

async function isByIndex(db: Kysely<Database>, index: string, plan: string): Promise<boolean> {
  const names = await partsOf(db, index);
  return names.some((name) => plan.includes(` ${name} `) || plan.includes(` on ${name}`));
}

/** The index, and its parts in the partitions of its table. */
async function partsOf(db: Kysely<Database>, index: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relid::regclass::text as name from pg_partition_tree(${index}::regclass) union select ${index}::text`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Normalises whitespace. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
