import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Reaper, startReaper } from '../chaos/stage/reaper.ts';
import { createPowerDisk, type PowerDisk } from '../support/power-disk.ts';

/** A disk of one test's own, and what ends and removes everything that was made on it. */
export function createStage(): { readonly disk: PowerDisk; readonly reaper: Reaper; readonly logFile: string } {
  const reaper = startReaper();
  onTestFinished(() => reaper.reap());
  const place = mkdtempSync(join(tmpdir(), 'quittance-power-'));
  reaper.folder(place);
  // The account of Postgres passes through it.
  chmodSync(place, 0o711);
  return { disk: createPowerDisk({ place, reaper }), reaper, logFile: join(place, 'server.log') };
}
