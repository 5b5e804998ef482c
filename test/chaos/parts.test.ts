import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { POLLING } from '../support/polling.ts';
import { compile } from '../support/run/compiled.ts';
import { describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import { isRunning } from '../support/run/make-once.ts';
import { describeFull } from '../support/run/skip.ts';
import { countLostWrites, readLastWrites } from './environment/last-writes.ts';
import { startReaper } from './environment/reaper.ts';
import { createServerDisk, type ServerDisk } from './environment/server-disk.ts';
import { readOptions } from './options.ts';
import { createRandom } from './random.ts';
import { drawPlans, PLANS } from './workload/plans.ts';

describe('choices', () => {
  test('follow from the seed, and one part drawing more does not shift another', () => {
    const [one, other] = [createRandom(5), createRandom(5)];
    one.fork('storm').shuffled([1, 2, 3]);
    const draw = (random: typeof one) => drawPlans(random.fork('rounds'), 40);
    expect(draw(one)).toEqual(draw(other));
    expect(draw(createRandom(6))).not.toEqual(draw(other));
  });

  test('every plan is drawn when there is room for all, and shares add up to a hundred', () => {
    expect(new Set(drawPlans(createRandom(1), 200))).toEqual(new Set(Object.keys(PLANS)));
    expect(Object.values(PLANS).reduce((sum, { share }) => sum + share, 0)).toBe(100);
  });

  test('an invalid option is rejected by name', () => {
    expect(() => readOptions(['--payments', 'many'])).toThrow('--payments must be a whole number, got "many"');
    expect(() => readOptions(['--only', 'kill,earthquake'])).toThrow('there is no fault "earthquake"');
  });
});

describe('the reaper', () => {
  test('kills the processes and removes the folders of a run that was killed with SIGKILL', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-reaper-'));
    const program = `
      const { startReaper } = await import(${JSON.stringify(pathToFileURL(compile('test/chaos/environment/reaper.ts')).href)});
      const { spawn } = await import('node:child_process');
      const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
      const reaper = startReaper();
      reaper.process(child.pid, 'SIGKILL');
      reaper.folder(${JSON.stringify(folder)});
      console.log(child.pid);
      setInterval(() => {}, 1000);`;
    const run = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = (await once(run.stdout, 'data')) as [Buffer];
    const pid = Number(String(printed).trim());
    expect(isRunning(pid)).toBe(true);
    run.kill('SIGKILL');
    await vi.waitFor(() => {
      expect(isRunning(pid)).toBe(false);
      expect(existsSync(folder)).toBe(false);
    }, POLLING);
  });
});

// At the quick level test/chaos/power-faults.test.ts covers the disk, under NATS.
const describeDisk = level.isFull ? describeWith('powerCuts') : describeFull;

describeDisk("a server's disk", () => {
  test('stays full until it is freed, and its filler does not reappear after a power cut', async () => {
    const { disk, power } = await createDisk();
    const file = join(disk.folder, 'file');
    await disk.fill();
    expect(() => writeFileSync(file, 'data')).toThrow(/ENOSPC/);
    power.sync();
    disk.free();
    writeFileSync(file, 'data');
    power.cut();
    await power.restore();
    writeFileSync(file, 'data');
  });

  test('loses unsynced writes in a power cut, and the affected files are counted', async () => {
    const { disk, power } = await createDisk();
    const file = (name: string) => join(disk.folder, name);
    for (const name of ['kept', 'changed']) writeFileSync(file(name), 'synced');
    power.sync();
    for (const name of ['changed', 'made']) writeFileSync(file(name), 'not synced');
    const before = await readLastWrites(disk.folder);
    power.cut();
    await power.restore();
    const after = await readLastWrites(disk.folder);
    expect(countLostWrites(before, after)).toBe(2);
    expect([...after.keys()].sort()).toEqual([file('changed'), file('kept')]);
  });

  test('supports no power cut where its image cannot be mounted, and gives the reason', async () => {
    const { disk } = await createDisk({ megabytes: 0 });
    expect(disk.power).toBeNull();
    expect(disk.whyNoPowerCuts).toContain('mkfs.ext4');
    writeFileSync(join(disk.folder, 'file'), 'data');
  });
});

// Helpers

async function createDisk({ megabytes = 64 } = {}): Promise<{
  readonly disk: ServerDisk;
  readonly power: NonNullable<ServerDisk['power']>;
}> {
  const reaper = startReaper();
  onTestFinished(() => reaper.reap());
  const folder = mkdtempSync(join(tmpdir(), 'quittance-disk-'));
  reaper.folder(folder);
  const disk = await createServerDisk({ folder, megabytes, owner: null, reaper });
  return { disk, power: disk.power as NonNullable<ServerDisk['power']> };
}
