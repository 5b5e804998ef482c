import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { ALL_SETTINGS } from '../../src/config/settings.ts';
import { parseYaml } from '../support/yaml.ts';
import { environmentOf, parseDockerfile, readProjectFile } from './dockerfile.ts';

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
}
interface ComposeService {
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly env_file?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: unknown;
  readonly deploy?: { readonly replicas: number };
  readonly ports?: readonly string[];
  readonly networks?: { readonly default: { readonly ipv4_address: string } };
}

const NAMES = new Set(ALL_SETTINGS.map(({ name }) => name));

const ONE = readCompose('docker-compose.yml');
const SEVERAL = readCompose('deploy/compose/several.yml');
const PROCESSES = { 'api-1': 'api', 'api-2': 'api', worker: 'worker', watcher: 'watcher' } as const;

describe.each([
  ['docker-compose.yml', { app: ONE.services.app }],
  ['deploy/compose/several.yml', pick(SEVERAL.services, ['migrate', ...Object.keys(PROCESSES)])],
])('%s', (_path, services) => {
  test.each(Object.entries(services))(
    '%s has a read-only root, no privileges, and folders to write to',
    (_name, service) => {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      const writable = [...(service?.tmpfs ?? []), ...(service?.volumes ?? []).map((each) => each.split(':')[1])];
      const image = parseDockerfile(readProjectFile('Dockerfile')).at(-1);
      const { DATA_DIR } = { ...(image === undefined ? {} : environmentOf(image)), ...service?.environment };
      expect(writable).toEqual(expect.arrayContaining(['/tmp', DATA_DIR]));
    },
  );

  test.each(Object.entries(services))(
    '%s sets nothing that is no setting, and nothing that is refused',
    (_name, service) => {
      const set = Object.entries(service?.environment ?? {});
      expect(set.map(([name]) => name).filter((name) => !NAMES.has(name))).toEqual([]);
      // What is left to the shell is replaced by what the documentation of Compose says it becomes: its default, or nothing.
      const values = set.map(([name, value]) => [name, withDefaults(String(value ?? ''))] as const);
      const shared = service?.env_file === undefined ? {} : readSharedSettings();
      loadConfig({ ...shared, ...Object.fromEntries(values) });
    },
  );
});

describe('deploy/compose/several.yml', () => {
  test('runs two processes of every role, none of which changes the schema, after one that does', () => {
    for (const [name, role] of Object.entries(PROCESSES)) {
      expect(SEVERAL.services[name]).toMatchObject({
        depends_on: { migrate: { condition: 'service_completed_successfully' } },
        environment: { ROLES: role, MIGRATE: 'off' },
        ...(role === 'api' ? {} : { deploy: { replicas: 2 } }),
      });
    }
    expect(SEVERAL.services.migrate).toMatchObject({ command: ['migrate'], restart: 'no', depends_on: {} });
  });

  test('lets processes end in peace: longer than they drain and stop', () => {
    const drain = Number(SEVERAL.services['api-1']?.environment?.DRAIN_DELAY_SECONDS);
    expect(Number.parseInt(SEVERAL.services['api-1']?.stop_grace_period ?? '', 10)).toBeGreaterThan(drain + 20);
  });

  test('has a proxy that knows where they are, by variables that its configuration reads', () => {
    const { environment = {}, networks } = SEVERAL.services.proxy ?? {};
    const addresses = ['api-1', 'api-2'].map((name) => SEVERAL.services[name]?.networks?.default.ipv4_address);
    expect([environment.QUITTANCE_API_1, environment.QUITTANCE_API_2]).toEqual(addresses.map((each) => `${each}:8080`));
    expect(SEVERAL.services['api-1']?.environment?.TRUSTED_PROXIES).toBe(networks?.default.ipv4_address);
    const configuration = readProjectFile('deploy/haproxy/haproxy.cfg');
    for (const name of Object.keys(environment)) expect(configuration).toContain(`\${${name}-`);
  });

  test('publishes the proxy alone, on loopback', () => {
    const published = Object.entries(SEVERAL.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['proxy', ['127.0.0.1:8080:8080']]]);
  });

  test('asks for a key of its own: processes with different ones could not read what the others sealed', () => {
    expect(readProjectFile('deploy/compose/settings.env.example')).toMatch(/^SECRETS_KEY=$/m);
  });
});

test('Every image that is built has its folder', () => {
  const folders = [
    ...Object.values(ONE.services).map(({ build }) => [build, '.'] as const),
    ...Object.values(SEVERAL.services).map(({ build }) => [build, 'deploy/compose'] as const),
  ];
  const root = resolve(import.meta.dirname, '../..');
  const built = folders.flatMap(([build, from]) => (build === undefined ? [] : [resolve(root, from, build)]));
  expect(built.length).toBeGreaterThan(3);
  for (const folder of built) expect(existsSync(resolve(folder, 'Dockerfile')), folder).toBe(true);
});

// Helpers

function readCompose(path: string): Compose {
  return parseYaml(readProjectFile(path)) as Compose;
}

function pick(services: Compose['services'], names: readonly string[]): Record<string, ComposeService | undefined> {
  return Object.fromEntries(names.map((name) => [name, services[name]]));
}

/** `${NAME:-default}`, nested ones too. */
function withDefaults(text: string): string {
  const replaced = text.replaceAll(/\$\{[A-Z_0-9]+(?::-([^${}]*))?\}/g, (_all, fallback: string = '') => fallback);
  return replaced === text ? text : withDefaults(replaced);
}

/** The example filled in, as far as it asks to be. */
function readSharedSettings(): Record<string, string> {
  const lines = readProjectFile('deploy/compose/settings.env.example').split('\n');
  const given = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2));
  for (const [name = ''] of given) expect(NAMES).toContain(name);
  return { ...Object.fromEntries(given), SECRETS_KEY: '00'.repeat(32) };
}
