import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROLES } from '../../../src/platform/config/index.ts';
import { KEY_FILE, loadSecretKey } from '../../../src/platform/secrets/index.ts';

let folder: string;
let dataDir: string;
let path: string;
const roles = ROLES;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-key-'));
  dataDir = join(folder, 'not', 'there', 'yet');
  path = join(dataDir, KEY_FILE);
});
afterEach(() => rm(folder, { recursive: true }));

describe('loadSecretKey', () => {
  it('prefers SECRETS_KEY and then touches no file', async () => {
    const secretsKey = new Uint8Array(32).fill(7);
    expect(await loadSecretKey({ secretsKey, dataDir, roles })).toBe(secretsKey);
    expect(await readdir(folder)).toEqual([]);
  });

  it('creates a 32-byte key that only the owner can read, and loads it again', async () => {
    const key = await loadSecretKey({ secretsKey: null, dataDir, roles });
    expect(key).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim()).toBe(Buffer.from(key).toString('hex'));
    expect(await loadSecretKey({ secretsKey: null, dataDir, roles })).toEqual(key);
    expect(await readdir(dataDir)).toEqual([KEY_FILE]);
  });

  it('returns the same key to all processes that start at once', async () => {
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => loadSecretKey({ secretsKey: null, dataDir, roles })),
    );
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(await readdir(dataDir)).toEqual([KEY_FILE]);
  });

  it('creates none for a process that runs only some roles, since each process might have its own folder', async () => {
    for (const part of [['api'], ['worker', 'watcher']] as const) {
      await expect(loadSecretKey({ secretsKey: null, dataDir, roles: part })).rejects.toMatchObject({
        name: 'TerminalError',
        code: 'SECRETS_KEY_MISSING',
        message: expect.stringMatching(
          `${path} does not exist. A process with only ${part.join(', ')} .* SECRETS_KEY .* "openssl rand -hex 32"`,
        ),
      });
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('lets a process that runs only some roles use a key file in a shared folder', async () => {
    const key = await loadSecretKey({ secretsKey: null, dataDir, roles });
    expect(await loadSecretKey({ secretsKey: null, dataDir, roles: ['worker'] })).toEqual(key);
  });

  it('rejects a key file that other accounts can read, and names the command that fixes it', async () => {
    await loadSecretKey({ secretsKey: null, dataDir, roles });
    for (const mode of [0o644, 0o602, 0o604]) {
      await chmod(path, mode);
      await expect(loadSecretKey({ secretsKey: null, dataDir, roles })).rejects.toMatchObject({
        code: 'SECRETS_KEY_EXPOSED',
        message: expect.stringContaining(`chmod 600 ${path}`),
      });
    }
    await chmod(path, 0o640);
    expect(await loadSecretKey({ secretsKey: null, dataDir, roles })).toHaveLength(32);
  });

  it('rejects a file without a key, without repeating its content or changing it', async () => {
    await loadSecretKey({ secretsKey: null, dataDir, roles });
    for (const content of ['', 'hunter2', 'ab'.repeat(31)]) {
      await writeFile(path, content);
      const error = await loadSecretKey({ secretsKey: null, dataDir, roles }).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: 'SECRETS_KEY_INVALID', message: expect.stringContaining('backup') });
      if (content !== '') expect(String(error)).not.toContain(content);
      expect(await readFile(path, 'utf8')).toBe(content);
    }
  });

  it('reads a base64 key written by the operator', async () => {
    await loadSecretKey({ secretsKey: null, dataDir, roles });
    await writeFile(path, `${Buffer.alloc(32, 9).toString('base64')}\n`);
    expect(await loadSecretKey({ secretsKey: null, dataDir, roles })).toEqual(new Uint8Array(32).fill(9));
  });
});
