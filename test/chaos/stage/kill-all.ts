import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Ends every process that works in this folder with SIGKILL. Resolves when none is left. */
export async function killAllIn(folder: string): Promise<void> {
  const real = realpathSync(folder);
  // A process may fork while the others are killed.
  for (let pids = findProcessesIn(real); pids.length > 0; pids = findProcessesIn(real)) {
    for (const pid of pids) kill(pid);
    await sleep(POLL_MS);
  }
}

// Helpers

/** One that has ended and was not waited for by its parent has no working folder any more. */
function findProcessesIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readWorkingFolder(pid) === folder).map(Number);
}

function readWorkingFolder(pid: string): string | null {
  try {
    return readlinkSync(join('/proc', pid, 'cwd'));
  } catch {
    return null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
