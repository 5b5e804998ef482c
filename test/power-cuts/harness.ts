import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Reaper, startReaper } from '../chaos/environment/reaper.ts';
import { createPowerDisk, type PowerDisk } from '../support/outside/power-disk.ts';

/** A disk for one test, and the reaper that ends and removes everything created on it. */
export function createPowerCutHarness(): {
  readonly disk: PowerDisk;
  readonly reaper: Reaper;
  readonly logFile: string;
} {
  const reaper = startReaper();
  onTestFinished(() => reaper.reap());
  const folder = mkdtempSync(join(tmpdir(), 'quittance-power-'));
  reaper.folder(folder);
  // The Postgres account must be able to traverse it.
  chmodSync(folder, 0o711);
  return { disk: createPowerDisk({ folder, reaper }), reaper, logFile: join(folder, 'server.log') };
}
