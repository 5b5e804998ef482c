import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceSecretFile } from '../../../src/platform/secrets/index.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-secrets-'));
  path = join(folder, 'secrets.json');
});
afterEach(() => rm(folder, { recursive: true }));

describe('replaceSecretFile', () => {
  it('leaves one file that only its owner can read, also in place of a readable one', async () => {
    await writeFile(path, 'old');
    await chmod(path, 0o644);
    await replaceSecretFile(path, 'new');
    expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['new', 0o600]);
    expect(await readdir(folder)).toEqual(['secrets.json']);
  });

  it('never writes through a link that another user put there', async () => {
    const target = join(folder, 'readable');
    await writeFile(target, 'untouched');
    await symlink(target, path);
    // The name of the draft was predictable once.
    await symlink(target, join(folder, `.secrets-${process.pid}.tmp`));
    await replaceSecretFile(path, 'new');
    expect([await readFile(target, 'utf8'), await readFile(path, 'utf8')]).toEqual(['untouched', 'new']);
  });

  it('uses another draft each time, and leaves none behind when it fails', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, index) => replaceSecretFile(path, `new ${index}`)));
    expect(await readdir(folder)).toEqual(['secrets.json']);
    const taken = join(folder, 'taken');
    await mkdir(join(taken, 'full'), { recursive: true });
    await expect(replaceSecretFile(taken, 'new')).rejects.toThrow();
    expect((await readdir(folder)).toSorted()).toEqual(['secrets.json', 'taken']);
  });
});
