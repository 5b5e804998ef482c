import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_EVERY_MS = 50;

/**
 * Creates a file or folder that all workers need, in the first worker that requests it; the others
 * wait. `make` puts it in place when it is finished. If that worker is killed, another takes over.
 */
export async function makeOnce(path: string, make: () => Promise<void>): Promise<void> {
  for (; !existsSync(path); await sleep(POLL_EVERY_MS)) {
    const lock = `${path}.lock`;
    if (!tryLock(lock)) continue;
    try {
      if (!existsSync(path)) await make();
    } finally {
      rmSync(lock, { force: true });
    }
    return;
  }
}

/** Whether a process with this id runs, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but it is running.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

// Helpers

/** Whether this process got the lock. Removes the lock of a process that no longer runs. */
function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const maker = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    // It is empty for the moment in which it is written.
    if (maker > 0 && !isRunning(maker)) rmSync(lock, { force: true });
    return false;
  }
}
