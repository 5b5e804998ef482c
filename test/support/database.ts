import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Connection, DatabaseOptions } from '../../src/db/index.ts';
import { connect, migrate } from '../../src/db/index.ts';
import { readEmbeddedTemplate } from './embedded-template.ts';
import { schemaFingerprint } from './schema-fingerprint.ts';
import { type DescribeSuite, requireOrSkip } from './skip.ts';

/** A database of one test file's own, with the schema of this version. */
export interface TestDatabase extends Connection {
  /** For further connections and for child processes; null for the embedded database. */
  readonly url: string | null;
  /** Closes the connection and deletes the database. */
  drop(): Promise<void>;
}

/** For `requireOrSkip`, when `findPostgres` answers false. */
export const POSTGRES_MISSING = {
  missing: 'no Postgres answers at 127.0.0.1:5432 for user postgres without a password',
  remedy: 'apt-get install postgresql, set "host all all 127.0.0.1/32 trust" in pg_hba.conf, or set TEST_POSTGRES_URL',
} as const;

const SERVER_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const PROBE_TIMEOUT_MS = 2_000;
const POOL_SIZE = 8;
/** Whoever has this advisory lock of the server may make the template, or copy it. */
const TEMPLATE_LOCK = 7_462_118;

/** Whether tests can have databases on a Postgres server. */
export async function findPostgres(): Promise<boolean> {
  try {
    return await asAdmin(async (admin) => (await admin.query('select 1')).rowCount === 1);
  } catch {
    return false;
  }
}

/**
 * A new, migrated database, copied from one that is kept on the server for the next run: copying takes a third of the time of
 * migrating. Its name holds this process's id: what a killed run left behind is deleted by the next one.
 */
export async function createPostgresDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const name = `quittance_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin(async (admin) => {
    await dropLeftovers(admin);
    await copyTemplate(admin, name);
    // What dies in these tests is never the server itself: nothing need wait for its disk.
    await admin.query(`alter database ${name} set synchronous_commit = off`);
  });
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  const connection = await connect({ url: url.href, dataDir: null, poolSize: POOL_SIZE, ...options });
  // A pool that was never used would open once more after it was closed.
  await sql`select 1`.execute(connection.db);
  return {
    ...connection,
    url: url.href,
    async drop() {
      await connection.close();
      await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/** A new database with nothing in it, for a backup to be restored into. */
export async function createEmptyDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `quittance_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin((admin) => admin.query(`create database ${name}`));
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => void (await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`))),
  };
}

/** Has the server refuse every new connection to a database, whatever the role, or take them again. Those it has go on. */
export async function allowConnections(url: string, areAllowed: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await asAdmin((admin) => admin.query(`alter database ${name} allow_connections ${areAllowed}`));
}

/** Deletes roles of the server that a test has made. Only once the databases are gone in which they own something. */
export async function dropRoles(names: readonly string[]): Promise<void> {
  await asAdmin(async (admin) => {
    for (const name of names) await admin.query(`drop role if exists ${name}`);
  });
}

/** A new, migrated embedded database in memory. Takes a second to start: share one per file. */
export async function createEmbeddedDatabase(): Promise<TestDatabase> {
  const contents = await readEmbeddedTemplate();
  const connection = await connect({ url: null, dataDir: null, contents, poolSize: 1 });
  return { ...connection, url: null, drop: () => connection.close() };
}

/** `describe` for suites that need a Postgres server. */
export const describePostgres: DescribeSuite = requireOrSkip(
  await findPostgres(),
  POSTGRES_MISSING.missing,
  POSTGRES_MISSING.remedy,
);

/**
 * Runs the same tests on a Postgres server and on the embedded database. Both are shared by the tests of
 * `body`, which ask for theirs inside a test or hook.
 *
 *     describeBothDatabases('the outbox', (database) => {
 *       test('…', async () => { await database().db.selectFrom('outbox_message')… });
 *     });
 */
export function describeBothDatabases(name: string, body: (database: () => TestDatabase) => void): void {
  const suite = (create: () => Promise<TestDatabase>) => () => {
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      database = await create();
    });
    afterAll(async () => {
      await database?.drop();
    });
    body(() => {
      if (database === undefined) throw new Error('The database exists inside tests and hooks only');
      return database;
    });
  };
  describePostgres(
    `${name}, on Postgres`,
    suite(() => createPostgresDatabase()),
  );
  describe(`${name}, on the embedded database`, suite(createEmbeddedDatabase));
}

// Helpers

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: SERVER_URL, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** One after the other: a template that is being made, or deleted for a newer one, cannot be copied. */
async function copyTemplate(admin: pg.Client, name: string): Promise<void> {
  const template = `quittance_template_${await schemaFingerprint()}`;
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  const kept = await admin.query('select from pg_database where datname = $1', [template]);
  if (kept.rowCount === 0) await makeTemplate(admin, template);
  await admin.query(`create database ${name} template ${template}`);
  // The lock ends with the connection, too.
  await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
}

async function makeTemplate(admin: pg.Client, template: string): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname like 'quittance\\_template\\_%'`,
  );
  for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`);
  // Until it is finished it has a name that nobody copies.
  const unfinished = `${template}_unfinished`;
  await admin.query(`create database ${unfinished}`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${unfinished}`;
  const connection = await connect({ url: url.href, dataDir: null, poolSize: 1 });
  try {
    await migrate(connection.db);
  } finally {
    await connection.close();
  }
  await admin.query(`alter database ${unfinished} rename to ${template}`);
}

async function dropLeftovers(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname like 'quittance\\_test\\_%'`,
  );
  for (const { datname } of rows) {
    const pid = Number(/^quittance_test_(\d+)_/.exec(datname)?.[1]);
    if (!isRunning(pid)) await admin.query(`drop database if exists ${datname} with (force)`);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
