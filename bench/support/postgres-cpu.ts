import { readdirSync, readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/db/index.ts';

/** Kernel ticks per second in /proc, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Returns a reading of the processor time (ms) of the whole Postgres server: its main process, the
 * processes it started, and those that have ended. Only for a server on this machine under Linux.
 */
export async function createPostgresCpu(db: Kysely<Database>): Promise<() => number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const postmaster = statOf(rows[0]?.pid ?? 0)?.parent;
  if (postmaster === undefined) throw new Error('the processor time of Postgres is read from /proc of this machine');
  return () => {
    const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
    const own = stats.filter(({ pid, parent }) => pid === postmaster || parent === postmaster);
    return own.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  };
}

// Helpers

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuMs: number;
}

/** The fields of /proc/PID/stat (proc(5)); undefined when the process is gone. */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), cpuMs: (ticks * 1_000) / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}
