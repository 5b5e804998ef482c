import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeWith } from '../support/run/components.ts';
import { createPowerCutHarness } from './harness.ts';

describeWith('powerCuts')('a disk with power cuts', () => {
  test('keeps synced writes and loses unsynced ones, also within one file', async () => {
    const { disk } = createPowerCutHarness();
    const [synced, unsynced] = [join(disk.folder, 'synced'), join(disk.folder, 'unsynced')];
    const folder = openSync(disk.folder, 'r');
    const file = openSync(synced, 'w');
    writeSync(file, 'one');
    fsyncSync(file);
    fsyncSync(folder);
    writeSync(file, 'two');
    writeFileSync(unsynced, 'three');
    expect(readFileSync(synced, 'utf8')).toBe('onetwo');
    disk.cut();
    expect(() => writeFileSync(join(disk.folder, 'later'), '')).toThrow(/EIO/);
    closeSync(file);
    closeSync(folder);
    await disk.restore();
    expect(readFileSync(synced, 'utf8')).toBe('one');
    expect(existsSync(unsynced) ? readFileSync(unsynced, 'utf8') : '').toBe('');
  });
});
