import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../src/platform/db/index.ts';
import { type Backend, createAnyBackend } from '../backends.ts';
import { runToEnd } from '../run-to-end.ts';

let folder: string;
let backend: Backend;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-actors-'));
  backend = await createAnyBackend();
  await backend.prepare(folder);
});
afterAll(async () => {
  await backend?.remove();
  await rm(folder, { recursive: true, force: true });
});

function quittance(...args: readonly string[]) {
  return runToEnd(args, { cwd: folder, env: backend.env });
}

test('versions in use are listed with whether this program still has them', async () => {
  expect((await quittance('actor', 'versions')).stdout).toBe('There are no actors.\n');
  const { db, close } = await connect({
    url: backend.env.DATABASE_URL ?? null,
    dataDir: join(folder, 'data'),
    poolSize: 1,
  });
  const at = new Date();
  const row = {
    state: 'sending',
    status: 'active' as const,
    snapshot: JSON.stringify({ value: 'sending', context: {}, status: 'active' }),
    sequence: 1,
    start_key: null,
    created_at: at,
    updated_at: at,
    state_entered_at: at,
  };
  await db
    .insertInto('actor')
    .values([
      { id: 'a', kind: 'delivery', version: '1', ...row },
      { id: 'b', kind: 'delivery', version: '0', ...row },
    ])
    .execute();
  await close();
  const { stdout } = await quittance('actor', 'versions', '--json');
  const sent = { kind: 'delivery', state: 'sending', status: 'active', actors: 1 };
  expect(JSON.parse(stdout)).toEqual({
    versions: [
      { ...sent, version: '0', registered: 'missing' },
      { ...sent, version: '1', registered: 'current' },
    ],
  });
});

test('an invalid move is rejected with the existing values and the usage', async () => {
  const ask = (...more: readonly string[]) =>
    quittance('actor', 'migrate', '--kind', 'transaction', '--from', '1', '--to', '2', ...more);
  expect((await ask()).stderr).toContain('pass exactly one of --dry-run, --yes and --fingerprint TEXT');
  expect((await ask('--yes', '--dry-run')).stderr).toContain('pass exactly one of');
  const { code, stderr } = await ask('--dry-run');
  expect([code, stderr]).toEqual([1, 'The chart "transaction" has no version 2 in this release, only 1.\n']);
});
