import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/platform/config/index.ts';
import { ALL_SETTINGS } from '../../src/platform/config/settings.ts';
import { parseYaml } from '../support/yaml.ts';
import { environmentOf, parseDockerfile, readProjectFile } from './dockerfile.ts';

interface Compose {
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly services: Readonly<Record<string, ComposeService>>;
}
interface FixedAddress {
  readonly default: { readonly ipv4_address: string };
}
interface ComposeService {
  readonly command?: readonly string[];
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
  readonly networks?: readonly string[] | FixedAddress;
}

const NAMES = new Set(ALL_SETTINGS.map(({ name }) => name));

const ONE = readCompose('docker-compose.yml');
const SEVERAL = readCompose('deploy/compose/several.yml');
const PROCESSES = { 'api-1': 'api', 'api-2': 'api', worker: 'worker', watcher: 'watcher' } as const;

test('the shipped NATS configuration syncs each message before acknowledging it', () => {
  const { command, volumes } = ONE.services.nats ?? {};
  expect(volumes).toContain(`./deploy/nats/nats.conf:${command?.[1]}:ro`);
  expect(readProjectFile('deploy/nats/nats.conf')).toMatch(
    /^jetstream \{\n {2}store_dir: \/data\n {2}sync_interval: always\n\}$/m,
  );
});

describe.each([
  ['docker-compose.yml', pick(ONE.services, ['app', 'migrate'])],
  ['deploy/compose/several.yml', pick(SEVERAL.services, ['migrate', ...Object.keys(PROCESSES)])],
])('%s', (_path, services) => {
  test.each(Object.entries(services))(
    '%s has a read-only root, no privileges, and a writable /tmp and data folder',
    (_name, service) => {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      const writable = [...(service?.tmpfs ?? []), ...(service?.volumes ?? []).map((each) => each.split(':')[1])];
      const image = parseDockerfile(readProjectFile('Dockerfile')).at(-1);
      const { DATA_DIR } = { ...(image === undefined ? {} : environmentOf(image)), ...service?.environment };
      expect(writable).toEqual(expect.arrayContaining(['/tmp', DATA_DIR]));
    },
  );

  test.each(Object.entries(services))('%s sets only known settings with accepted values', (_name, service) => {
    const set = Object.entries(service?.environment ?? {});
    expect(set.map(([name]) => name).filter((name) => !NAMES.has(name))).toEqual([]);
    // Shell variables are replaced as Compose documents it: by their default, or by nothing.
    const values = set.map(([name, value]) => [name, withDefaults(String(value ?? ''))] as const);
    const shared = service?.env_file === undefined ? {} : readSharedSettings();
    loadConfig({ ...shared, ...Object.fromEntries(values) });
  });
});

describe('the passwords and networks of docker-compose.yml', () => {
  const text = readProjectFile('docker-compose.yml');
  const networksOf = (name: string) => ONE.services[name]?.networks as readonly string[] | undefined;

  test('every password is required: none has a default', () => {
    const passwords = [...text.matchAll(/^[^#\n]*\$\{([A-Z]+_PASSWORD)(:.)/gm)];
    expect(new Set(passwords.map(([, name]) => name))).toEqual(
      new Set(['POSTGRES', 'SERVICE', 'READER', 'NATS', 'GRAFANA'].map((name) => `${name}_PASSWORD`)),
    );
    expect(new Set(passwords.map(([, , operator]) => operator))).toEqual(new Set([':?']));
    expect(text).toContain('for name in POSTGRES SERVICE READER NATS GRAFANA; do');
  });

  test('the service waits for its database role, which cannot change the schema', () => {
    const { app, roles, migrate } = ONE.services;
    expect(app?.environment?.DATABASE_URL).toMatch(/^postgres:\/\/quittance_service:/);
    expect(app?.environment?.MIGRATE).toBe('off');
    expect(app?.depends_on).toMatchObject({ roles: { condition: 'service_completed_successfully' } });
    expect(roles?.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    expect(migrate).toMatchObject({ command: ['quittance', 'migrate'], restart: 'no' });
  });

  test('Postgres and NATS are in their own internal networks, and Grafana is in neither', () => {
    expect(ONE.networks).toMatchObject({ database: { internal: true }, bus: { internal: true } });
    expect(networksOf('postgres')).toEqual(['database']);
    expect(networksOf('nats')).toEqual(['bus']);
    const inNetwork = (network: string) =>
      Object.keys(ONE.services).filter((name) => networksOf(name)?.includes(network));
    expect(inNetwork('database')).toEqual(['app', 'migrate', 'roles', 'postgres']);
    expect(inNetwork('bus')).toEqual(['app', 'nats']);
    expect(networksOf('grafana')).toEqual(['monitoring']);
    expect(Object.keys(ONE.services).filter((name) => networksOf(name) === undefined)).toEqual([]);
    for (const name of ['postgres', 'nats']) expect(ONE.services[name]?.ports).toBeUndefined();
  });
});

describe('deploy/compose/several.yml', () => {
  test('runs two processes of each role, none of which migrates, after one process that migrates', () => {
    for (const [name, role] of Object.entries(PROCESSES)) {
      expect(SEVERAL.services[name]).toMatchObject({
        depends_on: { migrate: { condition: 'service_completed_successfully' } },
        environment: { ROLES: role, MIGRATE: 'off' },
        ...(role === 'api' ? {} : { deploy: { replicas: 2 } }),
      });
    }
    expect(SEVERAL.services.migrate).toMatchObject({
      command: ['quittance', 'migrate'],
      restart: 'no',
      depends_on: {},
    });
  });

  test('gives processes longer to stop than they need to drain and stop', () => {
    const drain = Number(SEVERAL.services['api-1']?.environment?.DRAIN_DELAY_SECONDS);
    expect(Number.parseInt(SEVERAL.services['api-1']?.stop_grace_period ?? '', 10)).toBeGreaterThan(drain + 20);
  });

  test('has a proxy that reads the addresses from variables that its configuration uses', () => {
    const { environment = {} } = SEVERAL.services.proxy ?? {};
    const addressOf = (name: string) =>
      (SEVERAL.services[name]?.networks as FixedAddress | undefined)?.default.ipv4_address;
    const addresses = ['api-1', 'api-2'].map(addressOf);
    expect([environment.QUITTANCE_API_1, environment.QUITTANCE_API_2]).toEqual(addresses.map((each) => `${each}:8080`));
    // Replaceable, because TLS may end in another proxy, which must be trusted as well.
    const trusted = `\${TRUSTED_PROXIES:-${addressOf('proxy')}}`;
    expect(SEVERAL.services['api-1']?.environment?.TRUSTED_PROXIES).toBe(trusted);
    const configuration = readProjectFile('deploy/haproxy/haproxy.cfg');
    for (const name of Object.keys(environment)) expect(configuration).toContain(`\${${name}-`);
  });

  test('publishes only the proxy, on loopback', () => {
    const published = Object.entries(SEVERAL.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['proxy', ['127.0.0.1:8080:8080']]]);
  });

  test("requires a shared key: processes with different keys could not decrypt each other's data", () => {
    expect(readProjectFile('deploy/compose/settings.env.example')).toMatch(/^SECRETS_KEY=$/m);
  });
});

test('every image that is built has a Dockerfile', () => {
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

/** `${NAME:-default}`, also nested; `${NAME:?message}` must be set, so it gets a value. */
function withDefaults(text: string): string {
  const given = text.replaceAll(/\$\{[A-Z_0-9]+:\?[^}]*\}/g, 'given');
  const replaced = given.replaceAll(/\$\{[A-Z_0-9]+(?::-([^${}]*))?\}/g, (_all, fallback: string = '') => fallback);
  return replaced === text ? text : withDefaults(replaced);
}

/** The example, with the required values filled in. */
function readSharedSettings(): Record<string, string> {
  const lines = readProjectFile('deploy/compose/settings.env.example').split('\n');
  const given = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2));
  for (const [name = ''] of given) expect(NAMES).toContain(name);
  return { ...Object.fromEntries(given), SECRETS_KEY: '00'.repeat(32) };
}
