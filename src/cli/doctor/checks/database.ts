import { sql } from 'kysely';
import type { Config } from '../../../platform/config/index.ts';
import {
  type Connection,
  checkSchema,
  connect,
  databaseErrorOf,
  examineMigrationUrl,
  examinePooler,
  schemaStateOf,
} from '../../../platform/db/index.ts';
import { messageOf, TerminalError } from '../../../platform/errors.ts';
import { type Check, type Examined, type Finding, ok, problem, warning } from '../check.ts';
import { LESS_THAN_THAT, READ_AND_WRITE } from './needed-rights.ts';

type Db = Connection['db'];

/** Whether the database can be reached, is supported, and grants the rights the service needs. */
export const DATABASE_CHECKS: readonly Check[] = [
  { name: 'database', run: reachable },
  { name: 'database pooler', run: pooler },
  { name: 'database version', run: onServer(version) },
  { name: 'database encoding', run: onServer(encoding) },
  { name: 'database schema', run: onServer(schema) },
  { name: 'database rights', run: onServer(rights) },
];

/**
 * Runs a check on a server that responds; otherwise returns nothing, because the check `database`
 * already reports that.
 */
export function onServer(
  ask: (db: Db, examined: Examined) => Promise<Finding | readonly Finding[]>,
): (examined: Examined) => Promise<Finding | readonly Finding[] | null> {
  return async (examined) => {
    const connection = await examined.database();
    return connection === null ? null : ask(connection.db, examined);
  };
}

// Helpers

const MIN_NATS_VERSION = 150_000;

async function reachable({ config, database }: Examined) {
  const { url } = config.database;
  if (url === null) {
    return ok(`embedded, in ${config.dataDir}; not opened, because only one process may have it open`);
  }
  const connection = await database();
  const address = describeAddress(url);
  if (connection !== null) return ok(`${address} responds`);
  return problem(
    `cannot connect to ${address}: ${await reasonOf(config.database, url)}`,
    'Check DATABASE_URL: host, port, name, user and password, and that the server accepts connections from here.',
  );
}

/** A failed connection does not give the reason, so one statement is run for its error. */
async function reasonOf({ pooler: mode }: Config['database'], url: string): Promise<string> {
  const connection = await connect({
    url,
    dataDir: null,
    poolSize: 1,
    pooler: mode,
    applicationName: 'quittance doctor',
  });
  try {
    await sql`select 1`.execute(connection.db);
    return 'the second attempt succeeded; the server may be overloaded';
  } catch (failed) {
    const error = databaseErrorOf(failed);
    return messageOf(error) || (error instanceof Error && 'code' in error ? String(error.code) : 'unknown error');
  } finally {
    await connection.close();
  }
}

/**
 * Uses its own connections: through a pooler that rejects the service's startup parameters, the
 * shared connections fail.
 */
async function pooler({ config }: Examined) {
  const { url, pooler: mode, migrationUrl } = config.database;
  if (url === null) return null;
  const report = await examinePooler(url, mode).catch(() => null);
  const ofMigration = migrationUrl === null ? null : await examineMigrationUrl(migrationUrl).catch(() => null);
  const problems = [report?.problem ?? null, ofMigration].filter((each) => each !== null);
  if (problems.length > 0) return problems.map(({ text, remedy }) => problem(text, remedy));
  if (report === null) return null;
  return ok(report.isPooled ? `a pooler, used as ${mode}` : 'none: the server is connected directly');
}

async function version(db: Db) {
  const { rows } = await sql<{ number: string; text: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as text`.execute(db);
  const { number, text } = rows[0] ?? { number: '0', text: 'of an unknown version' };
  if (Number(number) >= MIN_NATS_VERSION) return ok(`PostgreSQL ${text}`);
  return problem(`PostgreSQL ${text} is too old`, 'Upgrade the server to PostgreSQL 15 or newer.');
}

async function encoding(db: Db) {
  const { rows } = await sql<{ encoding: string }>`
    select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`.execute(db);
  const found = rows[0]?.encoding ?? 'unknown';
  if (found === 'UTF8') return ok('UTF8');
  return problem(
    `the database's encoding is ${found}: it cannot store every text`,
    "Create a new one: create database quittance encoding 'UTF8' template template0",
  );
}

async function schema(db: Db, { config }: Examined) {
  try {
    await checkSchema(db);
    const { unknown } = await schemaStateOf(db);
    if (unknown.length === 0) return ok('the schema matches this version');
    return ok(`a newer version has migrated the schema (${unknown.at(-1)}); this version can run on it`);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    if (error.code === 'SCHEMA_OUTDATED') return outdated(db, config);
    return problem(
      error.message,
      'See docs/operators/upgrading.md. The service cannot start on this database until then.',
    );
  }
}

async function outdated(db: Db, { database }: Pick<Config, 'database'>) {
  const { pending } = await schemaStateOf(db);
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('actor') is not null as exists`.execute(db);
  const text = rows[0]?.exists
    ? `the schema is outdated: ${pending.length} migrations are pending, starting with ${pending[0]}`
    : 'empty: no schema yet';
  if (!database.migrates) return problem(text, 'Back up the database and run "quittance migrate": MIGRATE is off.');
  if (rows[0]?.exists) return warning(text, 'Back up the database; the next start migrates it.');
  return ok('empty; the first start creates the schema');
}

async function rights(db: Db, { config }: Examined) {
  // Otherwise another role migrates the schema, and this one needs no right to.
  const changesSchema = config.database.migrates && config.database.migrationUrl === null;
  const { rows } = await sql<{ may_create: boolean; closed: string[]; foreign: string[]; uncallable: string[] }>`
    select has_schema_privilege(current_schema(), 'create') as may_create,
      array(select proname::text from pg_proc where pronamespace = current_schema()::regnamespace and prosecdef
        and not has_function_privilege(oid, 'execute') order by proname) as uncallable,
      coalesce(array_agg(tablename::text order by tablename) filter (where exists (
        select from unnest(string_to_array(coalesce(less.needed, ${READ_AND_WRITE}), ',')) as needed (privilege)
        where not has_table_privilege(quoted, privilege))), '{}') as closed,
      coalesce(array_agg(tablename::text order by tablename) filter (
        where not pg_has_role(tableowner, 'member')), '{}') as foreign
    from (
      select relname as tablename, relowner as tableowner, oid as quoted
      from pg_class
      -- Partitions are reached through their table, whose rights count.
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
    ) as tables
    left join unnest(${Object.keys(LESS_THAN_THAT)}::text[], ${Object.values(LESS_THAN_THAT)}::text[]) as less (name, needed)
      on less.name = tablename`.execute(db);
  const [found] = rows;
  if (found === undefined) return [];
  const findings: Finding[] = [];
  if (found.closed.length > 0) {
    findings.push(
      problem(
        `the role may not read and write ${shown(found.closed, 'tables')}`,
        'Grant select, insert, update and delete on all tables to it, or create the roles in deploy/postgres/roles.sql.',
      ),
    );
  }
  if (found.uncallable.length > 0) {
    findings.push(
      problem(
        `the role may not call ${shown(found.uncallable, 'functions')}`,
        'Grant execute on all functions in the schema to it: they create, archive and delete months (docs/operators/storage.md).',
      ),
    );
  }
  if (changesSchema && !found.may_create) {
    findings.push(problem('the role may not create tables', 'Grant it create on schema public, or make it the owner.'));
  }
  if (changesSchema && found.foreign.length > 0) {
    findings.push(
      warning(
        `${shown(found.foreign, 'tables')} belong to another role, so an upgrade cannot change them`,
        'Transfer them to the role of DATABASE_URL: alter table … owner to …',
      ),
    );
  }
  return findings.length === 0 ? ok('the role has all required privileges') : findings;
}

const SHOWN_NAMES = 3;

function shown(names: readonly string[], what: string): string {
  const rest = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more ${what}` : ''}`;
}

/** Without user and password. */
function describeAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host || 'the local socket'}${pathname}`;
}
