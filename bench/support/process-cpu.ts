import { readdirSync, readFileSync } from 'node:fs';

/** Kernel ticks per second in /proc, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Processor time of these processes in ms, all threads and ended children included. Linux only. */
export function cpuMsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.cpuMs ?? 0), 0);
}

/**
 * Returns a reading of the processor time in ms of a process's parent and all its children: of the
 * whole server when `pid` is a Postgres backend.
 */
export function createFamilyCpu(pid: number): () => number {
  const parent = statOf(pid)?.parent;
  if (parent === undefined) throw new Error('the processor time of Postgres is read from /proc of this machine');
  return () => {
    const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
    const family = stats.filter((each) => each.pid === parent || each.parent === parent);
    return family.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
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
