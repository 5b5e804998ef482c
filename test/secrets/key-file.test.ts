import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEY_FILE, loadSecretKey } from '../../src/secrets/index.ts';

let folder: string;
let dataDir: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-key-'));
  dataDir = join(folder, 'not', 'there', 'yet');
  path = join(dataDir, KEY_FILE);
});
afterEach(() => rm(folder, { recursive: true }));

describe('loadSecretKey', () => {
  it('prefers SECRETS_KEY and then touches no file', async () => {
    const secretsKey = new Uint8Array(32).fill(7);
    expect(await loadSecretKey({ secretsKey, dataDir })).toBe(secretsKey);
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes a key of 32 bytes that only the owner can read, and finds it again', async () => {
    const key = await loadSecretKey({ secretsKey: null, dataDir });
    expect(key).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim()).toBe(Buffer.from(key).toString('hex'));
    expect(await loadSecretKey({ secretsKey: null, dataDir })).toEqual(key);
    expect(await readdir(dataDir)).toEqual([KEY_FILE]);
  });

  it('gives one key to all that start at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadSecretKey({ secretsKey: null, dataDir })));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(await readdir(dataDir)).toEqual([KEY_FILE]);
  });

  it('refuses a key file that every account can read, and names the command that repairs it', async () => {
    await loadSecretKey({ secretsKey: null, dataDir });
    for (const mode of [0o644, 0o602, 0o604]) {
      await chmod(path, mode);
      await expect(loadSecretKey({ secretsKey: null, dataDir })).rejects.toMatchObject({
        code: 'SECRETS_KEY_EXPOSED',
        message: expect.stringContaining(`chmod 600 ${path}`),
      });
    }
    await chmod(path, 0o640);
    expect(await loadSecretKey({ secretsKey: null, dataDir })).toHaveLength(32);
  });

  it('refuses a file without a key, repeats nothing of it and leaves it as it is', async () => {
    await loadSecretKey({ secretsKey: null, dataDir });
    for (const content of ['', 'hunter2', 'ab'.repeat(31)]) {
      await writeFile(path, content);
      const error = await loadSecretKey({ secretsKey: null, dataDir }).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: 'SECRETS_KEY_INVALID', message: expect.stringContaining('backup') });
      if (content !== '') expect(String(error)).not.toContain(content);
      expect(await readFile(path, 'utf8')).toBe(content);
    }
  });

  it('reads a key that the operator wrote in base64', async () => {
    await loadSecretKey({ secretsKey: null, dataDir });
    await writeFile(path, `${Buffer.alloc(32, 9).toString('base64')}\n`);
    expect(await loadSecretKey({ secretsKey: null, dataDir })).toEqual(new Uint8Array(32).fill(9));
  });
});
