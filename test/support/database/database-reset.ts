import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

type Client = Pick<pg.Client, 'query'>;

/**
 * The content of a fresh copy of the template: its structure, and the rows that migrations insert.
 */
export interface Pristine {
  readonly structure: string;
  readonly partitions: readonly string[];
  /** A hash of the rows of each table that has any, by table name. */
  readonly seeds: ReadonlyMap<string, string>;
}

export async function readPristine(client: Client): Promise<Pristine> {
  const seeds = new Map<string, string>();
  for (const table of await filledTables(client)) seeds.set(table, await hashOfRows(client, table));
  return { structure: await structureOf(client), partitions: await partitionsOf(client), seeds };
}

/**
 * Deletes every row that tests have written. Returns false, and leaves the database in an undefined
 * state, when a test changed something else: the structure, planner statistics or a seeded row.
 */
export async function resetDatabase(client: Client, pristine: Pristine): Promise<boolean> {
  await endOtherConnections(client);
  await dropPartitions(client, pristine.partitions);
  if ((await structureOf(client)) !== pristine.structure || (await hasStatistics(client))) return false;
  const written = (await filledTables(client)).filter((table) => !pristine.seeds.has(table));
  if (written.length > 0) await client.query(`truncate ${written.join(', ')} cascade`);
  for (const [table, rows] of pristine.seeds) if ((await hashOfRows(client, table)) !== rows) return false;
  await client.query(`
    select setval(quote_ident(schemaname) || '.' || quote_ident(sequencename), start_value, false)
    from pg_sequences where last_value is not null`);
  await client.query('select pg_stat_reset()');
  return true;
}

// Helpers

const OTHERS = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
/** How long connections that their clients have closed may still be there. */
const CLOSING_MS = 1_000;

/**
 * A pool says that it is closed before the server has seen that: a connection ended meanwhile would
 * be an error of its client.
 */
async function endOtherConnections(client: Client): Promise<void> {
  for (const until = Date.now() + CLOSING_MS; Date.now() < until; await sleep(5)) {
    if ((await client.query(`select ${OTHERS} limit 1`)).rows.length === 0) return;
  }
  await client.query(`select pg_terminate_backend(pid, 5000) ${OTHERS}`);
}

async function partitionsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relispartition`);
  return rows.map(({ name }) => name);
}

/** A service creates the partitions of the coming months when it starts. */
async function dropPartitions(client: Client, kept: readonly string[]): Promise<void> {
  const made = (await partitionsOf(client)).filter((name) => !kept.includes(name));
  if (made.length > 0) await client.query(`drop table ${made.join(', ')}`);
}

/** Tables that have had a row since they were created or truncated. */
async function filledTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0 order by name`);
  return rows.map(({ name }) => name);
}

async function hashOfRows(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ hash: string | null }>(
    `select md5(string_agg(row::text, e'\\n' order by row::text)) as hash from ${table} as row`,
  );
  return String(rows[0]?.hash);
}

/** Statistics from one test's ANALYZE would change the plans of the next. */
async function hasStatistics(client: Client): Promise<boolean> {
  const { rows } = await client.query(`
    select from pg_statistic join pg_class on pg_class.oid = starelid
    where relnamespace = 'public'::regnamespace limit 1`);
  return rows.length > 0;
}

/**
 * A hash of everything that can be defined, granted or set in a database, as the catalogs store it:
 * copies of a template have the same object ids, and definitions as SQL would open every relation.
 */
async function structureOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(`
    with own as (select oid from pg_class where relnamespace = 'public'::regnamespace)
    select md5(string_agg(part, e'\\n' order by part)) as hash from (
      select concat_ws(' ', oid, relname, relkind, reloptions, relacl, relrowsecurity, relowner, relpartbound)
      from pg_class where oid in (select oid from own)
      union all
      select concat_ws(' ', attrelid, attname, attnum, atttypid, atttypmod, attnotnull, attacl, attstattarget,
        attoptions, attisdropped) from pg_attribute where attrelid in (select oid from own) and attnum > 0
      union all
      select concat_ws(' ', adrelid, adnum, adbin) from pg_attrdef
      union all
      select concat_ws(' ', 'constraint', part.*) from pg_constraint as part
      where connamespace = 'public'::regnamespace
      union all
      select concat_ws(' ', 'index', part.*) from pg_index as part where indrelid in (select oid from own)
      union all
      select concat_ws(' ', 'trigger', part.*) from pg_trigger as part where tgrelid in (select oid from own)
      union all
      select concat_ws(' ', 'function', part.*) from pg_proc as part where pronamespace = 'public'::regnamespace
      union all
      select concat_ws(' ', typname, typtype) from pg_type where typnamespace = 'public'::regnamespace
      union all
      select concat_ws(' ', nspname, nspacl) from pg_namespace where nspname !~ '^pg_(toast_)?temp_'
      union all
      select concat_ws(' ', extname, extversion) from pg_extension
      union all
      select concat_ws(' ', setrole, setconfig) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
      union all
      select concat_ws(' ', datacl, datconnlimit, datallowconn) from pg_database where datname = current_database()
    ) as parts (part)`);
  return String(rows[0]?.hash);
}
