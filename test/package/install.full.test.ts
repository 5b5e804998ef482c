import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/platform/version.ts';
import { describeWithRegistry } from '../support/outside/registry.ts';
import { pack } from './pack.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TIMEOUT_MS = 240_000;

describeWithRegistry('the package, installed in an empty project,', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-package-'));
  let service: ChildProcess | null = null;

  beforeAll(() => {
    const { filename } = pack(['--pack-destination', folder]);
    writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      devDependencies: Readonly<Record<string, string>>;
    };
    const beside = ['fast-check', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
    succeed('npm', ['install', ...quiet, `./${filename}`, ...beside, 'xstate']);
    copyFileSync(join(ROOT, 'deploy/npm/example.ts'), join(folder, 'example.ts'));
  }, 600_000);

  afterAll(async () => {
    if (service !== null && service.exitCode === null && service.signalCode === null) {
      service.kill('SIGKILL');
      await once(service, 'close');
    }
    // Many times faster than Node's own.
    execFileSync('rm', ['-rf', folder]);
  }, 600_000);

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'has types for strict TypeScript, with module %s and resolution %s',
    (module, moduleResolution) => {
      const compilerOptions = {
        target: 'es2022',
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        // Declarations of dependencies need not satisfy these options.
        skipLibCheck: true,
        outDir: `out-${moduleResolution}`,
        types: ['node'],
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }));
      succeed(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json']);
    },
    600_000,
  );

  test('starts as `quittance`, and its three entries work', async () => {
    const bin = join(folder, 'node_modules/.bin/quittance');
    expect(succeed(bin, ['--version'])).toBe(`quittance ${VERSION}\n`);
    const data = join(folder, 'data');
    mkdirSync(data);
    const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: data, RATES_SOURCES: 'none' };
    let output = '';
    service = spawn(bin, [], { cwd: folder, env });
    for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    const find = () => /"publicUrl":"([^"]+)".*quittance is running/.exec(output)?.[1];
    await expect.poll(() => find() ?? output, { timeout: TIMEOUT_MS }).toMatch(/^http:/);

    const { sk_test: key } = JSON.parse(readFileSync(join(data, 'demo-keys.json'), 'utf8')) as { sk_test: string };
    const printed = succeed(process.execPath, ['out-bundler/example.js'], {
      QUITTANCE_URL: find() ?? '',
      QUITTANCE_KEY: key,
    });
    expect(JSON.parse(printed)).toEqual({
      id: expect.stringMatching(/^txn_/),
      status: 'pending',
      event: true,
      delivered: ['delivered', 'done', 2_000],
    });
  }, 600_000);

  function succeed(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
    const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } } as const;
    const { status, stdout, stderr, error } = spawnSync(command, args, options);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? status}\n${stdout}\n${stderr}`);
    return stdout;
  }
});
