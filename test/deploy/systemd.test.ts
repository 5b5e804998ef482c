import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROLES } from '../../src/platform/config/config.ts';
import { describeWith } from '../support/run/components.ts';

const FOLDER = resolve(import.meta.dirname, '../../deploy/systemd');
const UNITS = ['quittance.service', 'quittance@.service'];
/** On a scale up to 10; what a network service needs at least adds up to a little over 1. */
const MAX_EXPOSURE = 2;

const describeSystemd = describeWith('systemd');

describe.each(UNITS)('%s', (unit) => {
  const text = readFileSync(join(FOLDER, unit), 'utf8');

  test('stops in order and restarts after a crash, as an unprivileged user', () => {
    const settings = Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
    expect(settings).toMatchObject({
      DynamicUser: 'yes',
      ProtectSystem: 'strict',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
      Restart: 'on-failure',
      TimeoutStopSec: '45s',
      // The last one is for a server on all addresses; socket-families.full.test.ts starts one.
      RestrictAddressFamilies: 'AF_INET AF_INET6 AF_UNIX AF_NETLINK',
    });
    expect(settings.EnvironmentFile).toContain('/etc/quittance/');
  });
});

test('quittance@.service differs from quittance.service only in its role and in the paths of its data and settings', () => {
  const [one, role] = UNITS.map((unit) =>
    readFileSync(join(FOLDER, unit), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  );
  const different = role?.filter((line) => !one?.includes(line)) ?? [];
  expect(different.map((line) => line.split('=')[0])).toEqual([
    'Description',
    'Environment',
    'EnvironmentFile',
    'EnvironmentFile',
    'StateDirectory',
  ]);
  expect(different.join()).toContain('ROLES=%i');
  // systemd makes each a link, and none inside another.
  const folders = [one, role].map((lines) => lines?.find((line) => line.startsWith('StateDirectory='))?.split('=')[1]);
  expect(folders).toEqual(['quittance', 'quittance-%i']);
  expect(different.join()).toContain(`DATA_DIR=/var/lib/${folders[1]} `);
});

describeSystemd('systemd itself', () => {
  const instances = [...ROLES, 'api-2'].map((name) => `quittance@${name}.service`);
  test.each(['quittance.service', ...instances])('accepts %s', (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-systemd-'));
    try {
      const source = UNITS.find((unit) => name === unit) ?? 'quittance@.service';
      const path = join(folder, name);
      copyFileSync(join(FOLDER, source), path);
      // The program is not installed here, and the test is not about finding it.
      writeFileSync(path, readFileSync(path, 'utf8').replace('/usr/bin/node', process.execPath));
      const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
      const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('quittance'));
      expect(complaints).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each(UNITS)('rates the exposure of %s as low', (unit) => {
    const args = ['security', '--offline=yes', `--threshold=${MAX_EXPOSURE * 10}`, '--no-pager', join(FOLDER, unit)];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
    expect(exposure).toBeLessThan(MAX_EXPOSURE);
  });
});
