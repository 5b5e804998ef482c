import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MACHINE_CHECKS, nodeVersion } from '../../../src/cli/doctor/checks/machine.ts';
import { SECRETS_CHECKS } from '../../../src/cli/doctor/checks/secrets.ts';
import { look, newFolder } from './installation.ts';

const KEY = '00112233445566778899aabbccddeeff'.repeat(2);
const SERVERS = { DATABASE_URL: 'postgres://127.0.0.1:1/pay', NATS_URL: 'nats://127.0.0.1:1' };

test('Node is supported from 20.19 on', () => {
  expect(['20.19.0', '22.0.1', '24.1.0'].map((version) => nodeVersion(version).level)).toEqual(['ok', 'ok', 'ok']);
  expect(['20.18.3', '18.20.4'].map((version) => nodeVersion(version).level)).toEqual(['problem', 'problem']);
});

test('a missing folder is ok where it can be created, and is not created', async () => {
  const folder = await newFolder();
  const found = await look(MACHINE_CHECKS, { DATA_DIR: join(folder, 'a/b') });
  expect(found).toEqual([
    `ok node: Node ${process.versions.node}`,
    `ok DATA_DIR: ${join(folder, 'a/b')} will be created at the first start`,
    expect.stringMatching(/^ok disk: [\d.]+ GB free for DATA_DIR/),
  ]);
  expect(await readdir(folder)).toEqual([]);
});

test('a folder that everyone can write to is a warning, and a file in its place a problem', async () => {
  const folder = await newFolder();
  await mkdir(join(folder, 'open'));
  await chmod(join(folder, 'open'), 0o777);
  await writeFile(join(folder, 'file'), '');
  const dataDir = async (path: string) => (await look(MACHINE_CHECKS, { DATA_DIR: join(folder, path) }))[1];
  expect(await dataDir('open')).toMatch(/^warning DATA_DIR: every account on this machine can write to/);
  expect(await dataDir('file')).toMatch(/^problem DATA_DIR: .* is not a folder/);
});

test('the key file is checked, neither created nor printed', async () => {
  const folder = await newFolder();
  const path = join(folder, 'secrets.key');
  const key = () => look(SECRETS_CHECKS, { DATA_DIR: folder });
  expect(await key()).toEqual([`ok secrets key: ${path} will be created at the first start`]);
  expect(await readdir(folder)).toEqual([]);
  await writeFile(path, `${KEY}\n`, { mode: 0o600 });
  expect(await key()).toEqual([`ok secrets key: ${path} exists and only its owner can read it; back it up`]);
  await chmod(path, 0o640);
  expect(await key()).toEqual([`warning secrets key: other members of its group can use ${path}`]);
  await chmod(path, 0o644);
  expect(await key()).toEqual([`problem secrets key: every account on this machine can use ${path}`]);
  await writeFile(path, 'not a key');
  const [found] = await key();
  expect(found).toMatch(/^problem secrets key: .* must be 32 random bytes/);
  expect(found).not.toContain('not a key');
});

test('processes that share the work need a shared key', async () => {
  const folder = await newFolder();
  const env = { DATA_DIR: folder, ...SERVERS };
  expect(await look(SECRETS_CHECKS, { ...env, ROLES: 'worker' })).toEqual([
    expect.stringMatching(/^problem secrets key: SECRETS_KEY is not set.*: a process with only worker cannot start/),
  ]);
  await writeFile(join(folder, 'secrets.key'), `${KEY}\n`, { mode: 0o600 });
  expect(await look(SECRETS_CHECKS, { ...env, ROLES: 'worker' })).toEqual([
    expect.stringMatching(
      /^problem secrets key: SECRETS_KEY is not set.*: processes with another DATA_DIR cannot decrypt/,
    ),
  ]);
  expect((await look(SECRETS_CHECKS, env)).at(-1)).toMatch(/^warning secrets key: SECRETS_KEY is not set/);
  expect(await look(SECRETS_CHECKS, { ...env, SECRETS_KEY: KEY, ROLES: 'worker' })).toEqual([
    'ok secrets key: SECRETS_KEY is set; back it up',
  ]);
});
