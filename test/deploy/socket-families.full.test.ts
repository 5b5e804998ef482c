import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../../demo/wait.ts';
import { compile } from '../support/run/compiled.ts';
import { requireOrSkip } from '../support/run/skip.ts';

const ONLY_FAMILIES = resolve(import.meta.dirname, 'only-families.py');
const UNITS = ['quittance.service', 'quittance@.service'];
const NETLINK = 'AF_NETLINK';
const MAIN = compile('src/main.ts');
/** Startup on a busy machine. */
const START_TIMEOUT_MS = 120_000;

let child: ChildProcess | undefined;
let folder: string | undefined;
afterEach(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  if (folder !== undefined) rmSync(folder, { recursive: true });
  child = undefined;
  folder = undefined;
});

const describeFamilies = requireOrSkip(
  spawnSync('python3', [ONLY_FAMILIES, 'AF_UNIX', 'true']).status === 0,
  'python3 is not installed, or may not filter calls of the system',
  'apt-get install python3',
);

describeFamilies('with only the socket families that the unit allows', () => {
  test.each(UNITS)('%s: the service listens on all addresses', { timeout: 2 * START_TIMEOUT_MS }, async (unit) => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-families-'));
    const env = { DATA_DIR: folder, HOST: '0.0.0.0', PORT: '0', MONITOR_HOST: '0.0.0.0', MONITOR_PORT: '0' };
    const service = spawn('python3', [ONLY_FAMILIES, familiesOf(unit).join(), process.execPath, MAIN], {
      env: { PATH: process.env.PATH, ...env },
    });
    child = service;
    let output = '';
    for (const stream of [service.stdout, service.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    const runs = async () => {
      if (service.exitCode !== null) throw new Error(`it ended: ${output}`);
      return output.includes('quittance is running') || null;
    };
    await waitFor(runs, () => `it did not start: ${output}`, START_TIMEOUT_MS);
    service.kill('SIGTERM');
    await once(service, 'exit');
    expect(service.exitCode, output).toBe(0);
  });

  test(`Node fails to list its addresses without ${NETLINK}, so this test would fail`, () => {
    const ask = (families: readonly string[]) =>
      spawnSync('python3', [ONLY_FAMILIES, families.join(), process.execPath, '-e', 'os.networkInterfaces()']).status;
    const families = familiesOf('quittance.service');
    expect(ask(families)).toBe(0);
    expect(ask(families.filter((family) => family !== NETLINK))).not.toBe(0);
  });
});

// Helpers

function familiesOf(unit: string): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../deploy/systemd', unit), 'utf8');
  const [, families] = /^RestrictAddressFamilies=(.*)$/m.exec(text) ?? [];
  if (families === undefined) throw new Error(`${unit} does not say which families`);
  return families.split(' ');
}
