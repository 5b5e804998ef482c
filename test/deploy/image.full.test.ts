import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithRegistry } from '../support/outside/registry.ts';
import {
  buildStage,
  environmentOf,
  IMAGE_USER,
  PROGRAMS,
  parseDockerfile,
  readProjectFile,
  wordsOf,
} from './dockerfile.ts';

const STAGES = parseDockerfile(readProjectFile('Dockerfile'));
const [BUILD, IMAGE] = STAGES;
if (BUILD === undefined || IMAGE === undefined) throw new Error('The Dockerfile has two stages');
const CONTEXT = resolve(import.meta.dirname, '../..');
/** More than the current size, and less than with anything that slim-packages.sh removes. */
const MAX_APP_MEGABYTES = 180;
/** Creates an embedded database, on a machine that may be busy with other tests. */
const TIMEOUT_MS = 240_000;

describeWithRegistry('the image built from the Dockerfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-image-'));
  const root = join(folder, 'image');
  const data = join(folder, 'data');
  const temporary = join(folder, 'tmp');
  let service: ChildProcess | null = null;

  beforeAll(() => {
    // Another user runs it.
    chmodSync(folder, 0o755);
    const build = join(folder, 'build');
    buildStage(BUILD, { root: build, context: CONTEXT, earlier: {} });
    buildStage(IMAGE, { root, context: CONTEXT, earlier: { [BUILD.name ?? '']: build } });
    for (const writable of [data, temporary]) {
      mkdirSync(writable);
      if (isRoot()) chownSync(writable, IMAGE_USER, IMAGE_USER);
    }
  }, 600_000);

  afterAll(async () => {
    if (service !== null && service.exitCode === null && service.signalCode === null) {
      service.kill('SIGKILL');
      await once(service, 'close');
    }
    // Tens of thousands of files: `rm` is many times faster than Node.
    execFileSync('rm', ['-rf', folder]);
  }, 600_000);

  test('is small, and contains no tests, types or build tools', () => {
    const app = join(root, 'app');
    expect(readdirSync(app).toSorted()).toEqual(['deploy', 'dist', 'node_modules', 'package.json']);
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => /\.(d\.[cm]?ts|map)$/.test(name))).toEqual([]);
    for (const name of ['typescript', 'vite', 'vitest', 'react', '@foundry-rs', 'playwright-core'])
      expect(files).not.toContain(`node_modules/${name}`);
    const megabytes = sizeOf(app);
    console.log(`The image adds ${megabytes} MB to its base: ${biggest(join(app, 'node_modules'))}`);
    expect(megabytes).toBeLessThan(MAX_APP_MEGABYTES);
  });

  test('processes a payment as an unprivileged user that can write only to its data folder', async () => {
    const env = { ...environmentOf(IMAGE), HOST: '127.0.0.1', PORT: '0', DATA_DIR: data, TMPDIR: temporary };
    let output = '';
    service = start(wordsOf(IMAGE, 'CMD'), env);
    for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    const find = () => /"publicUrl":"([^"]+)".*quittance is running/.exec(output)?.[1];
    await expect.poll(() => find() ?? output, { timeout: TIMEOUT_MS }).toMatch(/^http:/);
    const url = find() ?? '';

    const { sk_test: key } = JSON.parse(readFileSync(join(data, 'demo-keys.json'), 'utf8')) as { sk_test: string };
    const ask = async (path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const given = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(`${url}/v1/transactions/${path}`, { headers, ...given });
      return (await response.json()) as { data: { transaction_id: string; status: string } };
    };
    const { data: created } = await ask('create', { crypto: 'LTC', amount: 25, currency_fiat: 'EUR' });
    await ask(`${created.transaction_id}/simulate`, { action: 'pay' });
    await ask(`${created.transaction_id}/simulate`, { action: 'confirm' });
    const status = async () => (await ask(created.transaction_id)).data.status;
    await expect.poll(status, { timeout: TIMEOUT_MS }).toBe('completed');

    const check = wordsOf(IMAGE, 'HEALTHCHECK');
    const checked = start(check, { ...env, PORT: new URL(url).port });
    expect(await once(checked, 'close')).toEqual([0, null]);
    service.kill('SIGTERM');
    expect(await once(service, 'close')).toEqual([0, null]);
  }, 600_000);

  /**
   * As root: in a read-only mount of its own, as an unprivileged user. Otherwise as the user who
   * runs the tests.
   */
  function start([command = '', ...args]: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const path = [dirname(process.execPath), join(root, PROGRAMS), process.env.PATH].join(':');
    const options = { cwd: join(root, 'app'), env: { PATH: path, ...env } };
    if (!isRoot()) {
      spawnSync('chmod', ['-R', 'a-w', root]);
      return spawn(command, args, options);
    }
    const isolate =
      'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && ! touch "$0/x" 2>/dev/null && cd "$1" && shift && exec "$@"';
    const drop = [
      'setpriv',
      `--reuid=${IMAGE_USER}`,
      `--regid=${IMAGE_USER}`,
      '--clear-groups',
      '--no-new-privs',
      '--bounding-set=-all',
    ];
    const words = ['-m', 'sh', '-c', isolate, root, options.cwd, ...drop, command, ...args];
    return spawn('unshare', words, options);
  }
});

// Helpers

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function sizeOf(path: string): number {
  return Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]);
}

/** The largest packages, as a hint what could still be removed. */
function biggest(modules: string): string {
  const packages = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
  );
  return packages
    .map((name) => ({ name, megabytes: sizeOf(join(modules, name)) }))
    .toSorted((one, other) => other.megabytes - one.megabytes)
    .slice(0, 8)
    .map(({ name, megabytes }) => `${name} ${megabytes}`)
    .join(', ');
}
