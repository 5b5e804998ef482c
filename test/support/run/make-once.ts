import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './is-running.ts';

const POLL_EVERY_MS = 50;

/**
 * Creates a file or folder that all workers need, in the first worker that requests it; the others
 * wait. `make` puts it in place when it is finished. If that worker is killed, another takes over.
 */
export async function makeOnce(path: string, make: () => Promise<void>): Promise<void> {
  for (; !existsSync(path); await sleep(POLL_EVERY_MS)) {
    const lock = `${path}.lock`;
    if (!isLocked(lock)) continue;
    try {
      if (!existsSync(path)) await make();
    } finally {
      rmSync(lock, { force: true });
    }
    return;
  }
}

// Helpers

/** True when this process has the lock now. */
function isLocked(lock: string): boolean {
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
