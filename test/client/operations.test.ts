import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generateOperations } from '../../scripts/openapi/client-operations.ts';
import { OPERATIONS } from '../../src/client/operations.ts';
import { compile } from '../support/run/compiled.ts';
import { level } from '../support/run/level.ts';

const ROOT = resolve(import.meta.dirname, '../..');

// At the quick level the next test covers the generator, and
// test/docs/settings-and-provisioning.test.ts --check.
if (level.isFull) {
  test('npm run openapi -- --check reports an outdated client or document, and writing updates it', () => {
    const script = compile('scripts/openapi/main.ts');
    const folder = mkdtempSync(join(tmpdir(), 'quittance-openapi-'));
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
    try {
      const paths = ['generated/openapi.json', 'src/client/operations.ts'];
      for (const path of ['package.json', ...paths]) cpSync(join(ROOT, path), join(folder, path));
      expect(run('--check')).toMatchObject({ status: 0, stderr: '' });
      const committed = paths.map((path) => readFileSync(join(ROOT, path), 'utf8'));
      for (const [index, path] of paths.entries())
        writeFileSync(join(folder, path), `${committed[index]?.replaceAll('listBalances', 'listHoldings')}`);
      const stderr = paths.map((path) => `${path} is out of date. Run: npm run openapi\n`).join('');
      expect(run('--check')).toMatchObject({ status: 1, stderr });
      expect(run().status).toBe(0);
      expect(paths.map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(committed);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test('the client is generated from the document', () => {
  const text = readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8').replaceAll('listBalances', 'listHoldings');
  const client = generateOperations(JSON.parse(text) as Parameters<typeof generateOperations>[0]);
  expect(client).toContain('listHoldings');
  expect(client).not.toContain('listBalances');
});

test('the client leaves out what only operators and browsers use', () => {
  expect(OPERATIONS).toHaveProperty('getHealth');
  expect(OPERATIONS).not.toHaveProperty('getHealthDetails');
  expect(OPERATIONS).not.toHaveProperty('hostedCheckoutRedirect');
});

test('create accepts an idempotency key', () => {
  expect(OPERATIONS.createTransaction).toEqual({
    method: 'POST',
    path: '/transactions/create',
    takesIdempotencyKey: true,
  });
});
