import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Connection, connect, type DatabaseOptions } from '../../../src/platform/db/index.ts';
import { COMPONENTS, describeWith } from '../run/components.ts';
import { level } from '../run/level.ts';
import { isRunning } from '../run/make-once.ts';
import type { DescribeSuite } from '../run/skip.ts';
import { type Pristine, readPristine, resetDatabase } from './database-reset.ts';
import { createEmbeddedDatabase } from './embedded-database.ts';
import { migrateTemplate } from './migrate-template.ts';
import { schemaFingerprint } from './schema-fingerprint.ts';
import { asAdmin, serverUrl, withClient } from './server-admin.ts';

/** A database for one test file, with the current schema. */
export interface TestDatabase extends Connection {
  /** For further connections and for child processes; null for the embedded database. */
  readonly url: string | null;
  /** Closes the connection. The database is emptied for another test file, or dropped. */
  drop(): Promise<void>;
}

/** Every connection starts with cold caches of the server: more of them make a test file slower. */
const POOL_SIZE = 4;
/** Advisory lock of the server: exclusive to create the template, shared to copy it. */
const TEMPLATE_LOCK = 7_462_118;

/**
 * A migrated database that holds only the rows of migrations. Reuses one that an earlier test file
 * of this process has dropped, after emptying it, or copies a template that is kept on the server
 * between runs. Emptying takes a fifth of the time of copying, and copying a third of that of
 * migrating. The name contains this process's id, by which `dropLeftovers` finds the databases of
 * killed processes.
 */
export async function createPostgresDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const name = (await takeEmptied()) ?? (await copyTemplate());
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  const connection = await connect({ url: url.href, dataDir: null, poolSize: POOL_SIZE, ...options });
  // A pool that was never used would still open a connection after it was closed.
  await sql`select 1`.execute(connection.db);
  return {
    ...connection,
    url: url.href,
    async drop() {
      await connection.close();
      // Only for workers of a test run: what they leave is dropped at the end of the run.
      if (process.env.VITEST_POOL_ID === undefined) dropLater(name);
      else emptied.push(emptyOrDrop(name).catch(() => null));
    },
  };
}

/** Drops the databases of this process and of its child processes. */
export async function dropDatabasesOfRun(): Promise<void> {
  await asAdmin((admin) => dropDatabases(admin, ({ pid, parent }) => pid === process.pid || parent === process.pid));
}

/** A new empty database to restore a backup into. */
export async function createEmptyDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = newName();
  await asAdmin((admin) => admin.query(`create database ${name}`));
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => void (await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`))),
  };
}

/**
 * Makes the server reject all new connections to a database, for every role, or accept them again.
 * Existing connections stay.
 */
export async function allowConnections(url: string, areAllowed: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await asAdmin((admin) => admin.query(`alter database ${name} allow_connections ${areAllowed}`));
}

/** Drops roles created by a test, after the databases in which they own objects are dropped. */
export async function dropRoles(names: readonly string[]): Promise<void> {
  await Promise.all(emptied);
  await Promise.all(drops);
  await asAdmin(async (admin) => {
    for (const name of names) await admin.query(`drop role if exists ${name}`);
  });
}

/** Drops the databases of processes that have ended, such as a killed run. */
export async function dropLeftovers(): Promise<void> {
  await asAdmin((admin) => dropDatabases(admin, ({ pid }) => !isRunning(pid)));
}

/** `describe` for suites that need a Postgres server. */
export const describePostgres: DescribeSuite = describeWith('postgres');

/**
 * Runs the same tests on Postgres and on the embedded database, at every level: for the layers that
 * write SQL, and one suite of each feature. The tests share one database, and call `database()` for
 * it inside a test or hook.
 *
 *     describeBothDatabases('the outbox', (database) => {
 *       test('…', async () => { await database().db.selectFrom('outbox_message')… });
 *     });
 */
export function describeBothDatabases(name: string, body: (database: () => TestDatabase) => void): void {
  describePostgres(`${name}, on Postgres`, withDatabase(createPostgresDatabase, body));
  describe(`${name}, on the embedded database`, withDatabase(createEmbeddedDatabase, body));
}

/**
 * `describeBothDatabases` at the full level; at the quick level Postgres alone, or the embedded
 * database without it.
 */
export function describeDatabases(name: string, body: (database: () => TestDatabase) => void): void {
  if (level.isFull) describeBothDatabases(name, body);
  else if (COMPONENTS.postgres.isThere()) describe(`${name}, on Postgres`, withDatabase(createPostgresDatabase, body));
  else describe(`${name}, on the embedded database`, withDatabase(createEmbeddedDatabase, body));
}

// Helpers

function withDatabase(create: () => Promise<TestDatabase>, body: (database: () => TestDatabase) => void): () => void {
  return () => {
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
}

const drops = new Set<Promise<void>>();

/**
 * Dropping forces a checkpoint of the whole server, so tests do not wait for it. The end of the run
 * drops the rest.
 */
function dropLater(name: string): void {
  const drop = asAdmin(async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`)))
    .catch(() => {})
    .finally(() => drops.delete(drop));
  drops.add(drop);
}

function inside<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return withClient(url.href, work);
}

/**
 * Databases that the next test files of this process can use; null for one that had to be dropped.
 */
const emptied: Promise<string | null>[] = [];
let pristine: Promise<Pristine> | undefined;

async function takeEmptied(): Promise<string | null> {
  for (let next = emptied.pop(); next !== undefined; next = emptied.pop()) {
    const name = await next;
    if (name !== null) return name;
  }
  return null;
}

/** Renames the database, so that work left running by a test file cannot connect to it. */
async function emptyOrDrop(name: string): Promise<string | null> {
  const isEmpty = await inside(name, async (client) => resetDatabase(client, await (pristine ?? Promise.reject())));
  if (isEmpty) {
    const next = newName();
    await asAdmin((admin) => admin.query(`alter database ${name} rename to ${next}`));
    return next;
  }
  dropLater(name);
  return null;
}

async function copyTemplate(): Promise<string> {
  const name = newName();
  await asAdmin(async (admin) => {
    await lockTemplate(admin, `quittance_template_${await schemaFingerprint()}`, (template) =>
      admin.query(`create database ${name} template ${template}`),
    );
    // These tests never crash the server itself, so commits need not wait for its disk.
    await admin.query(`alter database ${name} set synchronous_commit = off`);
  });
  pristine ??= inside(name, readPristine);
  await pristine;
  return name;
}

/**
 * Creates the template if it does not exist. While `work` runs, no other version can replace it.
 */
async function lockTemplate(
  admin: pg.Client,
  template: string,
  work: (template: string) => Promise<unknown>,
): Promise<void> {
  const isThere = async () =>
    (await admin.query('select from pg_database where datname = $1', [template])).rowCount === 1;
  await admin.query('select pg_advisory_lock_shared($1)', [TEMPLATE_LOCK]);
  while (!(await isThere())) {
    await admin.query('select pg_advisory_unlock_shared($1)', [TEMPLATE_LOCK]);
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    try {
      if (!(await isThere())) await makeTemplate(admin, template);
    } finally {
      await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
    }
    await admin.query('select pg_advisory_lock_shared($1)', [TEMPLATE_LOCK]);
  }
  try {
    await work(template);
  } finally {
    await admin.query('select pg_advisory_unlock_shared($1)', [TEMPLATE_LOCK]);
  }
}

async function makeTemplate(admin: pg.Client, template: string): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname like 'quittance\\_template\\_%'`,
  );
  for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`);
  // Until it is finished it has a name that is never copied.
  const unfinished = `${template}_unfinished`;
  await admin.query(`create database ${unfinished}`);
  const url = new URL(serverUrl());
  url.pathname = `/${unfinished}`;
  const connection = await connect({ url: url.href, dataDir: null, poolSize: 1 });
  try {
    await migrateTemplate(connection.db);
  } finally {
    await connection.close();
  }
  await admin.query(`alter database ${unfinished} rename to ${template}`);
}

/** Contains the ids of the process and its parent, which tell when it can be dropped. */
function newName(): string {
  return `quittance_test_${process.pid}_${process.ppid}_${randomBytes(4).toString('hex')}`;
}

async function dropDatabases(
  admin: pg.Client,
  isDropped: (owner: { readonly pid: number; readonly parent: number }) => boolean,
): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname like 'quittance\\_test\\_%'`,
  );
  for (const { datname } of rows) {
    const [, pid, parent] = /^quittance_test_(\d+)_(?:(\d+)_)?/.exec(datname) ?? [];
    const owner = { pid: Number(pid), parent: Number(parent) };
    if (isDropped(owner)) await admin.query(`drop database if exists ${datname} with (force)`);
  }
}
