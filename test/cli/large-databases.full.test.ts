import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connect } from '../../src/platform/db/index.ts';
import { nextIds } from '../../src/platform/engine/versions/candidates.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import { runHere } from './run-here.ts';

/**
 * The statement timeout, and the duration of a statement that reads or writes all of a large table.
 */
const STATEMENT_TIMEOUT_MS = 1_500;
const SLOW_SECONDS = 1.8;
/** Maximum idle time between two statements of a transaction. */
const IDLE_TIMEOUT_MS = 1_000;
/** Addresses that take longer to derive than that. */
const MANY_ADDRESSES = 5_001;
/** Maximum number of addresses derived between two statements. */
const PART_ADDRESSES = 5_000;

const OF_SHOP = ['--merchant', 'A shop', '--crypto', 'LTC'];
const MERCHANT = {
  name: 'A shop',
  email: 'a@shop.example',
  wallets: [{ crypto: 'LTC', extended_public_key: createTestWallet('large').extendedPublicKey }],
};

// At the quick level, test/cli/audit.test.ts and test/wallets/allocation.test.ts cover small
// databases.
describePostgres('in a database too large for the statement timeout', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-large-'));
    database = await createPostgresDatabase();
    vi.stubEnv('DATABASE_URL', database.url ?? '');
    vi.stubEnv('DATA_DIR', folder);
    vi.stubEnv('LTC_NETWORK', 'regtest');
    vi.stubEnv('LTC_RPC_URL', 'http://user:password@127.0.0.1:1');
    const file = join(folder, 'merchants.json');
    await writeFile(file, JSON.stringify({ merchants: [MERCHANT] }));
    await runHere('provision', [file, '--out', join(folder, 'secrets.json')]);
    await recordInserts(database);
  }, 60_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Sets server-side limits, as the service's database role does. */
  function limit(settings: Readonly<Record<string, number>>): string {
    const url = new URL(database.url ?? '');
    for (const [name, milliseconds] of Object.entries(settings)) url.searchParams.set(name, String(milliseconds));
    vi.stubEnv('DATABASE_URL', url.href);
    return url.href;
  }

  const finish = ['restore finish', (count: number) => ['--advance', String(count)]] as const;
  const advance = ['wallet advance', (count: number) => [...OF_SHOP, '--by', String(count)]] as const;
  test.each([finish, advance])(
    '%s skips many addresses, in parts that run one after the other',
    async (name, args) => {
      limit({ idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS });
      const before = await liveAddresses(database);
      await sql`delete from inserted_at_once`.execute(database.db);
      await runHere(name, args(MANY_ADDRESSES));
      const { count, highest } = await liveAddresses(database);
      expect([count, highest]).toEqual([before.count + MANY_ADDRESSES, before.count + MANY_ADDRESSES - 1]);
      const { rows } = await sql<{ most: number }>`
        select max(addresses)::int4 as most from inserted_at_once`.execute(database.db);
      expect(rows[0]?.most).toBe(PART_ADDRESSES);
    },
    60_000,
  );

  test.each([
    ['restore finish', ['--advance', '1']],
    ['wallet advance', [...OF_SHOP, '--by', '1']],
  ])(
    '%s completes although its statements exceed the timeout',
    async (name, args) => {
      limit({ statement_timeout: STATEMENT_TIMEOUT_MS });
      await slowDownUpdates(database);
      const before = await liveAddresses(database);
      await runHere(name, args);
      expect(await liveAddresses(database)).toEqual({ count: before.count + 1, highest: before.highest + 1 });
    },
    60_000,
  );

  test('actor versions, and the search of actor migrate, complete although reading all actors exceeds the timeout', async () => {
    const url = limit({ statement_timeout: STATEMENT_TIMEOUT_MS });
    await slowDownActors(database);
    expect(JSON.parse(await runHere('actor versions', ['--json']))).toEqual({ versions: [] });
    const { db, close } = await connect({ url, dataDir: null, poolSize: 1 });
    try {
      const actors = { kind: 'transaction', version: '1', after: '', limit: 10 };
      expect(await nextIds({ db, liftsTimeouts: true }, actors)).toEqual([]);
      await expect(nextIds({ db }, actors)).rejects.toMatchObject({ cause: { code: '57014' } });
    } finally {
      await close();
    }
  }, 60_000);
});

// Helpers

/** The number of addresses in the live wallet, and the last index. */
async function liveAddresses({ db }: TestDatabase): Promise<{ count: number; highest: number }> {
  const { rows } = await sql<{ count: number; highest: number }>`
    select count(*)::int4 as count, coalesce(max(derivation_index), -1)::int4 as highest
    from address where network = 'litecoin-regtest'`.execute(db);
  return rows[0] ?? { count: 0, highest: -1 };
}

async function recordInserts({ db }: TestDatabase): Promise<void> {
  await sql`create table inserted_at_once (addresses int8)`.execute(db);
  await sql`
    create function note_inserted() returns trigger language plpgsql as $note$
    begin insert into inserted_at_once select count(*) from fresh; return null; end $note$`.execute(db);
  await sql`
    create trigger note_inserted after insert on address referencing new table as fresh
    for each statement execute function note_inserted()`.execute(db);
}

async function slowDownUpdates({ db }: TestDatabase): Promise<void> {
  await sql`
    create or replace function take_long() returns trigger language plpgsql as $take$
    begin perform pg_sleep(${sql.lit(SLOW_SECONDS)}); return null; end $take$`.execute(db);
  await sql`
    create or replace trigger take_long before update on address
    for each statement execute function take_long()`.execute(db);
}

/** Replaces the table by a view that starts every read with a pause. */
async function slowDownActors({ db }: TestDatabase): Promise<void> {
  await sql`alter table if exists actor rename to all_actors`.execute(db);
  await sql`
    create or replace view actor as
    select * from all_actors where (select pg_sleep(${sql.lit(SLOW_SECONDS)})::text) is not null`.execute(db);
}
