import { sql } from 'kysely';
import type { Connection } from '../../../platform/db/index.ts';
import { type Check, type Examined, ok, problem, warning } from '../check.ts';
import { onServer } from './database.ts';

type Db = Connection['db'];

/** The server's settings: what a crash may lose, and whether connections are left. */
export const DATABASE_SETTING_CHECKS: readonly Check[] = [
  { name: 'database durability', run: onServer(durability) },
  { name: 'database upkeep', run: onServer(upkeep) },
  { name: 'database room', run: onServer(room) },
];

// Helpers

async function settingOf(db: Db, name: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db);
  return rows[0]?.value ?? 'unknown';
}

/**
 * A payment that was reported as completed must survive a crash: a lost commit is a lost payment.
 */
async function durability(db: Db) {
  const fsync = await settingOf(db, 'fsync');
  if (fsync === 'off') {
    return problem('fsync is off: a power cut can destroy the whole database', 'Set fsync = on in postgresql.conf.');
  }
  const fullPageWrites = await settingOf(db, 'full_page_writes');
  if (fullPageWrites === 'off') {
    return problem(
      'full_page_writes is off: a power cut can destroy tables',
      'Set full_page_writes = on in postgresql.conf.',
    );
  }
  const synchronous = await settingOf(db, 'synchronous_commit');
  if (synchronous === 'off') {
    return problem(
      'synchronous_commit is off: a crash of the server loses payments and webhooks that were already reported',
      'Set synchronous_commit = on for the server, this database and this role (alter database …, alter role …).',
    );
  }
  return ok(`fsync on, synchronous_commit ${synchronous}`);
}

async function upkeep(db: Db) {
  if ((await settingOf(db, 'autovacuum')) === 'on' && (await settingOf(db, 'track_counts')) === 'on') {
    return ok('autovacuum is on');
  }
  return warning(
    'autovacuum is off: tables grow without limit, and queries become slow',
    'Set autovacuum = on and track_counts = on in postgresql.conf.',
  );
}

async function room(db: Db, { config }: Examined) {
  const { rows } = await sql<{ limit: number; used: number; ours: number; rolelimit: number }>`
    select current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4 as limit,
      (select count(*)::int4 from pg_stat_activity where backend_type = 'client backend') as used,
      (select count(*)::int4 from pg_stat_activity
        where backend_type = 'client backend' and application_name like 'quittance%') as ours,
      (select rolconnlimit from pg_roles where rolname = current_user) as rolelimit`.execute(db);
  const [found] = rows;
  if (found === undefined) return [];
  const { limit, used, ours, rolelimit } = found;
  const { poolSize } = config.database;
  const most = rolelimit >= 0 ? Math.min(limit, rolelimit) : limit;
  const text = `each process opens up to ${poolSize} connections; the server allows ${most}, ${used} are in use, ${ours} by this service`;
  const remedy =
    'Lower DATABASE_POOL_SIZE, or raise max_connections: it must cover the pools of all processes and all other clients.';
  if (poolSize > most) return problem(text, remedy);
  // Includes one more process: the one started next.
  return used - ours + Math.max(ours, poolSize) > most * 0.9 ? warning(text, remedy) : ok(text);
}
