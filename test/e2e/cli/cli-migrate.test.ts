import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase, createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { COMPONENTS } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { type CommandResult, runToEnd } from '../run-to-end.ts';
import { type CommandRun, runCommand, servedUrl } from './command.ts';

const SETTINGS = { PORT: '0', RATES_SOURCES: 'none' };

let folder: string;
let running: CommandRun[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-migrate-'));
});
afterEach(async () => {
  for (const command of running) await command.kill();
  running = [];
  await rm(folder, { recursive: true, force: true });
});

function quittance(args: readonly string[], env: Readonly<Record<string, string>> = {}): CommandRun {
  const command = runCommand(args, { cwd: folder, env: { ...SETTINGS, ...env } });
  running.push(command);
  return command;
}

/** Runs a command to completion, for tests that are not about its process. */
function result(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandResult> {
  return runToEnd(args, { cwd: folder, env: { ...SETTINGS, ...env } });
}

describe('with MIGRATE=off', () => {
  test('the service rejects another schema and names the command to run; after it, it starts', async () => {
    // The quick level uses an empty Postgres database, which starts in a fifth of the CPU time.
    const database = level.isFull || !COMPONENTS.postgres.isThere() ? null : await createEmptyDatabase();
    onTestFinished(() => database?.drop());
    const own = database === null ? {} : { DATABASE_URL: database.url };
    const rejected = await quittance([], { ...own, MIGRATE: 'off' }).end();
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toMatch(/^The database lacks \d+ migrations .*Run "quittance migrate"/);
    expect(rejected.stderr).not.toMatch(/^ +at /m);

    const missing = await result(['migrate', '--dry-run', '--json'], { ...own, MIGRATE: 'off' });
    const { pending } = JSON.parse(missing.stdout) as { pending: string[] };
    expect(pending).toContain('2026_11_30_0013_initial');
    const made = await result(['migrate', '--json'], { ...own, MIGRATE: 'off' });
    expect(JSON.parse(made.stdout)).toEqual({ applied: pending });
    expect((await result(['migrate'], own)).stdout).toBe('The schema was already up to date.\n');

    const serving = quittance([], { ...own, MIGRATE: 'off' });
    await servedUrl(serving);
    await serving.kill();
  });
});

describePostgres('with DATABASE_MIGRATION_URL', () => {
  // At the quick level test/deploy/compose-services.test.ts covers the two roles.
  if (level.isFull) {
    test('the schema is changed as that role, and the service runs as one that cannot', async () => {
      const database = await createPostgresDatabase();
      const role = `quittance_test_${process.pid}_${randomBytes(3).toString('hex')}`;
      const { db } = database;
      try {
        await sql`drop schema public cascade`.execute(db);
        await sql`create schema public`.execute(db);
        await sql`create role ${sql.id(role)} login`.execute(db);
        await sql`grant usage on schema public to ${sql.id(role)}`.execute(db);
        for (const kind of ['tables', 'sequences'])
          await sql`alter default privileges in schema public grant all on ${sql.raw(kind)} to ${sql.id(role)}`.execute(
            db,
          );
        const owner = new URL(database.url ?? '');
        const service = new URL(owner);
        service.username = role;
        const asRole = { DATABASE_URL: service.href };

        const failed = await result(['migrate'], asRole);
        expect(failed.stderr).toContain('permission denied');
        await servedUrl(quittance([], { ...asRole, DATABASE_MIGRATION_URL: owner.href }));
        const { rows } = await sql<{ owner: string }>`
        select tableowner as owner from pg_tables where tablename = 'actor'`.execute(db);
        expect(rows).toEqual([{ owner: owner.username }]);
        for (const command of running) await command.kill();
        await sql`drop owned by ${sql.id(role)}`.execute(db);
      } finally {
        await sql`drop role if exists ${sql.id(role)}`.execute(db).catch(() => {});
        await database.drop();
      }
    });
  }

  test('requires DATABASE_URL as well', async () => {
    const { stderr } = await result([], { DATABASE_MIGRATION_URL: 'postgres://127.0.0.1/none' });
    expect(stderr).toContain('DATABASE_MIGRATION_URL: has no effect without DATABASE_URL');
  });
});
