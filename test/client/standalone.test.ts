import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from '../architecture/find-violations.ts';
import { compile } from '../support/run/compiled.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the client imports only Node modules and its own files', () => {
  const waiting = [join(ROOT, 'src/client/index.ts')];
  const seen = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { specifier } of importsOf(readFileSync(path, 'utf8'))) {
      expect(specifier, path).toMatch(/^(node:|\.\/)/);
      if (specifier.startsWith('./')) waiting.push(join(dirname(path), specifier));
    }
  }
  expect(seen.size).toBeGreaterThan(5);
});

test('the built client works in a folder without packages, and the package exports it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-client-'));
  try {
    cpSync(dirname(compile('src/client/index.ts')), join(folder, 'client'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const program = `import { createClient, verifyWebhook, WebhookError } from './client/index.js';
      const client = createClient({ baseUrl: 'https://pay.example.com/v1', apiKey: 'sk_test_1' });
      try { verifyWebhook('{}', {}, 'whsec_1', { mode: 'live' }); } catch (error) { console.log(error instanceof WebhookError, typeof client.create); }`;
    writeFileSync(join(folder, 'run.js'), program);
    const { stdout, stderr } = spawnSync(process.execPath, ['run.js'], { cwd: folder, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'true function\n', stderr: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  expect(exports).toHaveProperty(['./client', 'import'], './dist/src/client/index.js');
  expect(exports).toHaveProperty(['./client', 'types'], './dist/src/client/index.d.ts');
});
