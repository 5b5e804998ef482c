import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../support/run/make-once.ts';
import type { Reaper } from './reaper.ts';

const NAME = 'quittance-chaos-';

/**
 * The folder of a run: logs and timeline, and the servers' data in `servers`. It is named after
 * this process; leftovers of a run that was killed together with its reaper are removed by the next
 * run.
 */
export function createWorkspace(reaper: Reaper): { readonly folder: string; readonly servers: string } {
  removeLeftovers();
  const folder = join(tmpdir(), `${NAME}${process.pid}-${randomBytes(3).toString('hex')}`);
  const servers = join(folder, 'servers');
  mkdirSync(servers, { recursive: true });
  // Postgres runs under its own account and must reach its data.
  for (const open of [folder, servers]) chmodSync(open, 0o755);
  reaper.folder(folder);
  return { folder, servers };
}

// Helpers

/** A kept folder of a failed run no longer has `servers`, and stays. */
function removeLeftovers(): void {
  const mounted = readFileSync('/proc/mounts', 'utf8');
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1]);
    const folder = join(tmpdir(), name);
    if (!pid || isRunning(pid) || mounted.includes(folder)) continue;
    if (readdirSync(folder).includes('servers')) rmSync(folder, { recursive: true, force: true });
  }
}
