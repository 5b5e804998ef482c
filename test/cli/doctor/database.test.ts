import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLOCK_CHECKS } from '../../../src/cli/doctor/checks/clocks.ts';
import { DATABASE_CHECKS } from '../../../src/cli/doctor/checks/database.ts';
import { DATABASE_SETTING_CHECKS } from '../../../src/cli/doctor/checks/database-settings.ts';
import { OPERATOR_CHECKS } from '../../../src/cli/doctor/checks/operator.ts';
import { SECRETS_CHECKS } from '../../../src/cli/doctor/checks/secrets.ts';
import type { Environment } from '../../../src/platform/config/index.ts';
import { createSecretBox } from '../../../src/platform/secrets/index.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { look } from './installation.ts';

let database: TestDatabase;

/**
 * Every result is provoked for real, on this file's own database; the test that drops its schema
 * runs last.
 */
describePostgres('doctor with a Postgres server', () => {
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database?.drop());

  const env = () => ({ DATABASE_URL: database.url ?? '' });
  const name = () => new URL(database.url ?? '').pathname.slice(1);
  const execute = (statement: string) => sql.raw(statement).execute(database.db);
  const schema = async (more: Environment = {}) =>
    (await look(DATABASE_CHECKS, { ...env(), ...more })).filter((line) => line.includes('database schema'));

  test('reports ok for a database of this version, and changes nothing in it', async () => {
    const before = await sql<{ n: number }>`select count(*)::int4 as n from kysely_migration`.execute(database.db);
    expect(await look(DATABASE_CHECKS, env())).toEqual([
      expect.stringMatching(/^ok database: PostgreSQL at 127\.0\.0\.1:\d+\/quittance_test_\w+ responds$/),
      'ok database pooler: none: the server is connected directly',
      expect.stringMatching(/^ok database version: PostgreSQL \d/),
      'ok database encoding: UTF8',
      'ok database schema: the schema matches this version',
      'ok database rights: the role has all required privileges',
    ]);
    const after = await sql<{ n: number }>`select count(*)::int4 as n from kysely_migration`.execute(database.db);
    expect(after.rows).toEqual(before.rows);
  });

  test('reports why a database cannot be used, once, and queries nothing else', async () => {
    const url = new URL(database.url ?? '');
    url.pathname = '/quittance_test_that_is_not_there';
    const found = await look([...DATABASE_CHECKS, ...CLOCK_CHECKS, ...OPERATOR_CHECKS], { DATABASE_URL: url.href });
    expect(found).toEqual([expect.stringMatching(/^problem database: cannot connect to .*: .*does not exist/)]);
    const unreachable = await look(DATABASE_CHECKS, { DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/pay' });
    expect(unreachable).toEqual([
      expect.stringMatching(/^problem database: cannot connect to PostgreSQL at 127\.0\.0\.1:1\/pay: .*ECONNREFUSED/),
    ]);
    expect(unreachable.join()).not.toContain('hidden-word');
  });

  test('reports an encoding that cannot store every text', async () => {
    const latin = `${name()}_latin`;
    await execute(`create database ${latin} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`);
    const url = new URL(database.url ?? '');
    url.pathname = `/${latin}`;
    const found = await look(DATABASE_CHECKS, { DATABASE_URL: url.href });
    await execute(`drop database ${latin} with (force)`);
    expect(found).toContain(
      "problem database encoding: the database's encoding is SQL_ASCII: it cannot store every text",
    );
  });

  test('reports a role without the rights that the service needs', async () => {
    const role = `${name()}_reader`;
    await execute(`create role ${role} login`);
    await execute(`grant select on all tables in schema public to ${role}`);
    const url = new URL(database.url ?? '');
    url.username = role;
    const found = await look(DATABASE_CHECKS, { DATABASE_URL: url.href });
    await execute(`revoke all on all tables in schema public from ${role}`);
    await execute(`drop role ${role}`);
    expect(found.filter((line) => line.includes('database rights'))).toEqual([
      expect.stringMatching(/^problem .* may not read and write \w+, \w+, \w+ and \d+ more tables$/),
      expect.stringMatching(/^problem .* may not call archive_actors, \w+, \w+ and \d+ more functions$/),
      'problem database rights: the role may not create tables',
      expect.stringMatching(/^warning .* belong to another role/),
    ]);
  });

  test('reports commits that a server crash would lose, and disabled autovacuum', async () => {
    const settings = () => look(DATABASE_SETTING_CHECKS, env());
    // Test databases do not wait for the disk.
    expect(await settings()).toContainEqual(
      expect.stringMatching(/^problem database durability: synchronous_commit is off/),
    );
    await execute(`alter database ${name()} set synchronous_commit = on`);
    expect(await settings()).toContain('ok database durability: fsync on, synchronous_commit on');
    const { rows } = await sql<{ autovacuum: string }>`show autovacuum`.execute(database.db);
    // The test's server may run without autovacuum; nothing on it lives long.
    const expected = rows[0]?.autovacuum === 'on' ? /^ok database upkeep: / : /^warning database upkeep: /;
    expect(await settings()).toContainEqual(expect.stringMatching(expected));
    await execute(`alter database ${name()} set track_counts = off`);
    expect(await settings()).toContainEqual(expect.stringMatching(/^warning database upkeep: autovacuum is off/));
  });

  test('compares the pool with the connection limit of the server', async () => {
    const roomOf = async (size: string) =>
      (await look(DATABASE_SETTING_CHECKS, { ...env(), DATABASE_POOL_SIZE: size })).find((line) =>
        line.includes('room'),
      );
    expect(await roomOf('1')).toMatch(/database room: each process opens up to 1 connections; the server allows \d+/);
    expect(await roomOf('1000')).toMatch(/^problem database room/);
  });

  test('compares the clocks of this machine and of the database', async () => {
    const clockOff = (byMs: number) => look(CLOCK_CHECKS, env(), { clock: { now: () => Date.now() + byMs } });
    expect(await clockOff(0)).toEqual([expect.stringMatching(/^ok clock: /)]);
    expect(await clockOff(5_000)).toEqual([expect.stringMatching(/^warning clock: .* differ by [45]\.\d s/)]);
    expect(await clockOff(-300_000)).toEqual([expect.stringMatching(/^problem clock: .* differ by (299|300)\.\d s/)]);
  });

  test('looks up the merchant that receives plan payments', async () => {
    const operator = (merchant: string) => look(OPERATOR_CHECKS, { ...env(), OPERATOR_MERCHANT: merchant });
    expect(await operator('Nobody')).toEqual([
      'problem OPERATOR_MERCHANT: there is no merchant "Nobody": plans cannot be bought',
    ]);
    await execute(
      `insert into merchant (id, name, email, plan, settings) values ('mer_operator', 'Ourselves', 'we@example.com', 'enterprise', '{}')`,
    );
    expect(await operator('Ourselves')).toEqual(['ok OPERATOR_MERCHANT: "Ourselves" exists']);
    expect(await look(OPERATOR_CHECKS, env())).toEqual([]);
  });

  test('checks whether the key decrypts stored data, and prints none of it', async () => {
    const [right, other] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const secrets = async (key: string, more: Environment = {}) =>
      (await look(SECRETS_CHECKS, { ...env(), SECRETS_KEY: key, ...more })).slice(1);
    expect(await secrets(right)).toEqual(['ok stored secrets: the key decrypts the webhook secrets (0 checked)']);
    const sealed = createSecretBox(Buffer.from(right, 'hex')).seal('whsec_hidden', 'webhook:whk_one');
    await execute(
      `insert into merchant (id, name, email, plan, settings) values ('mer_shop', 'Shop', 'shop@example.com', 'starter', '{}')`,
    );
    await execute(
      `insert into webhook_endpoint (id, merchant_id, url, events, sealed_secret)
        values ('whk_one', 'mer_shop', 'https://shop.example/hooks', '[]', '${sealed}')`,
    );
    expect(await secrets(right)).toEqual(['ok stored secrets: the key decrypts the webhook secrets (1 checked)']);
    expect(await secrets(other, { SECRETS_KEY_PREVIOUS: right })).toEqual([
      expect.stringMatching(/^ok stored secrets/),
    ]);
    expect(await secrets(other)).toEqual([
      expect.stringMatching(/^problem stored secrets: the key does not decrypt 1 of 1/),
    ]);
  });

  test('distinguishes an older schema, a newer one and none from that of this version', async () => {
    await execute(`insert into kysely_migration (name, timestamp) values ('2999_01_01_0000_tomorrow', 'now')`);
    expect(await schema()).toEqual([
      expect.stringMatching(/^ok .* newer version .*2999_01_01_0000_tomorrow\); this version/),
    ]);
    await execute(`update schema_compatibility set compatible_from = '99.0.0', changed_by = '99.1.0'`);
    expect(await schema()).toEqual([expect.stringMatching(/^problem .* migrated by Quittance 99\.1\.0/)]);
    await execute(`delete from kysely_migration where name >= '2026_11_28'`);
    const missing = /the schema is outdated: \d+ migrations are pending, starting with 2026_11_30_0013_initial$/;
    expect(await schema()).toEqual([expect.stringMatching(missing)]);
    expect((await schema())[0]).toMatch(/^warning/);
    expect((await schema({ MIGRATE: 'off' }))[0]).toMatch(/^problem/);
    await execute('drop schema public cascade');
    await execute('create schema public');
    expect(await schema()).toEqual(['ok database schema: empty; the first start creates the schema']);
  });
});
