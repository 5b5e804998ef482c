import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findPostgresProgram, findProgram } from './find-program.ts';
import { canNatsSyncEachMessage, findNatsServer } from './nats-version.ts';
import { type DescribeSuite, requireOrSkip } from './skip.ts';

/** A dependency outside this repository that test suites need. */
export interface Component {
  /** What is missing, as a clause: `litecoind is not installed`. */
  readonly missing: string;
  /** What is skipped without it. */
  readonly skips: string;
  /** The Debian package that provides it; `null` when `npm ci` installs it. */
  readonly debianPackage: string | null;
  readonly isThere: () => boolean;
}

/**
 * The server itself: Debian's /usr/bin/litecoind is a wrapper that writes to the home directory.
 */
export const LITECOIND_PATH = '/usr/lib/litecoin/litecoind';
/** The headless shell is the same engine without windows, and needs half the CPU time. */
const CHROMIUM_PROGRAMS = ['chromium-headless-shell', 'chromium'];

/** Every component, by the name that `describeWith` takes. */
export const COMPONENTS = {
  postgres: {
    missing: 'no Postgres server answers, and none can be started',
    skips: 'everything on a Postgres server: most suites of the engine, the API and the console',
    debianPackage: 'postgresql',
    // Set by the global setup once a server answers.
    isThere: () => Boolean(process.env.TEST_POSTGRES_URL),
  },
  postgresPrograms: {
    missing: 'initdb and pg_dump are not installed',
    skips: 'backup and restore, database roles, chaos',
    debianPackage: 'postgresql',
    isThere: () => ['initdb', 'pg_dump', 'pg_restore'].every((name) => findPostgresProgram(name) !== undefined),
  },
  nats: {
    missing: 'no NATS server answers, and none can be started',
    skips: 'everything over NATS JetStream',
    debianPackage: 'nats-server',
    isThere: () => Boolean(process.env.TEST_NATS_URL),
  },
  natsServer: {
    missing: 'nats-server is not installed',
    skips: 'outages and losses of NATS, several processes, chaos',
    debianPackage: 'nats-server',
    isThere: () => findProgram('nats-server') !== undefined,
  },
  powerCuts: {
    missing: 'no ext4 image can be mounted here: that takes root, loop devices and e2fsprogs',
    skips: 'power cuts under Postgres, NATS and the embedded database',
    debianPackage: 'e2fsprogs',
    isThere: () =>
      process.getuid?.() === 0 && existsSync('/dev/loop-control') && ['mkfs.ext4', 'mount'].every(isInstalled),
  },
  litecoind: {
    missing: 'litecoind is not installed',
    skips: 'payments on a real Litecoin node',
    debianPackage: 'litecoind',
    isThere: () => existsSync(LITECOIND_PATH),
  },
  anvil: {
    missing: 'anvil is not installed',
    skips: 'payments on a real Ethereum node',
    debianPackage: null,
    isThere: () => findAnvil() !== null,
  },
  chromium: {
    missing: 'there is no Chromium',
    skips: 'everything in a browser: payment page, dashboard, console',
    debianPackage: 'chromium-headless-shell',
    isThere: () => findChromium() !== undefined,
  },
  haproxy: {
    missing: 'haproxy is not installed',
    skips: 'rolling restarts behind a load balancer',
    debianPackage: 'haproxy',
    isThere: () => findProgram('haproxy') !== undefined,
  },
  pgbouncer: {
    missing: 'pgbouncer is not installed',
    skips: 'the service behind a pooler in transaction mode',
    debianPackage: 'pgbouncer',
    isThere: () => findProgram('pgbouncer') !== undefined,
  },
  promtool: {
    missing: 'promtool is not installed',
    skips: 'alert rules and dashboards of Prometheus',
    debianPackage: 'prometheus',
    isThere: () => findProgram('promtool') !== undefined,
  },
  systemd: {
    missing: 'systemd-analyze is not installed',
    skips: 'checks of the systemd units',
    debianPackage: 'systemd',
    isThere: () => findProgram('systemd-analyze') !== undefined,
  },
  openssl: {
    missing: 'openssl is not installed',
    skips: 'webhooks and rates over TLS, the shell example of signatures',
    debianPackage: 'openssl',
    isThere: () => findProgram('openssl') !== undefined,
  },
  curl: {
    missing: 'curl is not installed',
    skips: 'the curl examples of the documents',
    debianPackage: 'curl',
    isThere: () => findProgram('curl') !== undefined,
  },
  python: {
    missing: 'python3 is not installed',
    skips: 'the Python examples of the documents, socket limits of the systemd units',
    debianPackage: 'python3',
    isThere: () => findProgram('python3') !== undefined,
  },
  php: {
    missing: 'php is not installed',
    skips: 'the PHP examples of the documents',
    debianPackage: 'php-cli',
    isThere: () => findProgram('php') !== undefined,
  },
} satisfies Readonly<Record<string, Component>>;

export type ComponentName = keyof typeof COMPONENTS;

/**
 * A `describe` for suites that need these components. When one is missing the suite is skipped with
 * the reason and the remedy; with `CI_NO_SKIP=1` that fails the run.
 *
 *     describeWith('postgres', 'litecoind')('a service on Litecoin', () => { … });
 */
export function describeWith(...names: readonly ComponentName[]): DescribeSuite {
  const absent = names.map((name): Component => COMPONENTS[name]).find(({ isThere }) => !isThere());
  return requireOrSkip(absent === undefined, absent?.missing ?? '', absent === undefined ? '' : remedyFor(absent));
}

/** The components that are missing. */
export function findAbsentComponents(): Component[] {
  return Object.values(COMPONENTS).filter(({ isThere }) => !isThere());
}

/** What no suite is skipped for, because no package of Debian 12 has it; printed all the same. */
export function describeGaps(): string | null {
  if (findNatsServer() === undefined || canNatsSyncEachMessage()) return null;
  return 'nats-server is older than 2.10: that sync_interval keeps every message through a power cut is not shown here';
}

/**
 * A table of missing components, what is skipped without them, and the command that installs them;
 * `null` when none is missing.
 */
export function describeAbsent(absent: readonly Component[] = findAbsentComponents()): string | null {
  if (absent.length === 0) return null;
  const width = Math.max(...absent.map(({ missing }) => missing.length));
  return [
    'Missing on this machine, and skipped for it:',
    ...absent.map(({ missing, skips }) => `  ${missing.padEnd(width)}  ${skips}`),
    'Install all of it: npm run setup:tests',
  ].join('\n');
}

/** Throws an error that names the component and the remedy when it is missing. */
export function requireComponent(name: ComponentName): void {
  const component: Component = COMPONENTS[name];
  if (!component.isThere()) throw new Error(`${component.missing}: ${remedyFor(component)}`);
}

function isInstalled(name: string): boolean {
  return findProgram(name) !== undefined;
}

/** The path of Chromium, or `undefined`. */
export function findChromium(): string | undefined {
  return process.env.TEST_CHROMIUM_PATH ?? CHROMIUM_PROGRAMS.map(findProgram).find((path) => path !== undefined);
}

/** The path of anvil in its npm package for this platform; `null` when there is none. */
export function findAnvil(): string | null {
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    const path = createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

// Helpers

function remedyFor({ debianPackage }: Component): string {
  return debianPackage === null ? 'npm ci' : `npm run setup:tests (or apt-get install ${debianPackage})`;
}
