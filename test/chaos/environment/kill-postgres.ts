import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
/** Line of postmaster.pid, counted from 0: key and id of the System V segment. */
const SHARED_MEMORY_LINE = 6;

/**
 * Kills every process of the server with this data folder by SIGKILL, and removes its shared
 * memory, which a power cut would lose too. Resolves when no process is left.
 */
export async function killPostgres(data: string): Promise<void> {
  const folder = realpathSync(data);
  const segment = readSharedMemoryId(folder);
  // A process may fork while others are being killed.
  for (let pids = findProcessesIn(folder); pids.length > 0; pids = findProcessesIn(folder)) {
    for (const pid of pids) kill(pid);
    await sleep(POLL_MS);
  }
  if (segment !== undefined) spawnSync('ipcrm', ['-m', segment]);
}

// Helpers

/** All Postgres processes have the data folder as working directory. Zombies have none. */
function findProcessesIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => attempt(() => readlinkSync(join('/proc', pid, 'cwd'))) === folder).map(Number);
}

/** `undefined` when the server is not running. */
function readSharedMemoryId(data: string): string | undefined {
  const lines = attempt(() => readFileSync(join(data, 'postmaster.pid'), 'utf8'))?.split('\n');
  return /^\s*\d+\s+(\d+)\s*$/.exec(lines?.[SHARED_MEMORY_LINE] ?? '')?.[1];
}

function kill(pid: number): void {
  attempt(() => process.kill(pid, 'SIGKILL'));
}

/** `undefined` when the process or the file no longer exists. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
