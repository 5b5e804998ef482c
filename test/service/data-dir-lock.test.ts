import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataDir } from '../../src/service/data-dir-lock.ts';
import { compile } from '../support/run/compiled.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a data folder has one owner at a time; a released lock can be acquired again', async () => {
  const lock = await lockDataDir(folder);
  await expect(lockDataDir(folder)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
  await lock.release();
  await (await lockDataDir(folder)).release();
});

test('the lock of a killed process is released', async () => {
  const module = pathToFileURL(compile('src/service/data-dir-lock.ts')).href;
  const program = `
    const { lockDataDir } = await import(${JSON.stringify(module)});
    await lockDataDir(${JSON.stringify(folder)});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await expect(lockDataDir(folder)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await (await lockDataDir(folder)).release();
});
