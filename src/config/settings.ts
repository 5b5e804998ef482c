import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../errors.ts';
import { LOG_LEVELS } from '../log.ts';
import { NODE_NETWORKS, ROLES, UNWATCHED_COINS, type WatchedCoin } from './config.ts';
import { type FixedRatesSetting, parseFixedRates } from './fixed-rates.ts';
import * as read from './parsers.ts';

/** One environment variable: what `--help` and the documentation print, and how it is read. */
export interface Setting<T> {
  readonly name: string;
  /** What an unset variable stands for: the text that is read then, or, in brackets, a description of it. */
  readonly fallback: string;
  readonly description: string;
  /** Its value may hold credentials and is never repeated in a message. */
  readonly isSecret: boolean;
  readonly parse: read.Parser<T>;
}

export const SETTINGS = {
  port: setting('PORT', '8080', 'TCP port of the HTTP server; 0 takes any free one.', read.wholeNumber(0, 65_535)),
  host: setting('HOST', '127.0.0.1', 'Address the HTTP server listens on; 0.0.0.0 for all.', read.hostName),
  publicUrl: setting(
    'PUBLIC_URL',
    '(http://HOST:PORT)',
    'Where customers and merchants reach this service; payment links begin with it.',
    read.baseUrl,
  ),
  dataDir: setting('DATA_DIR', './data', 'Folder of the embedded database and the key file.', read.path),
  databaseUrl: secret(
    'DATABASE_URL',
    '(embedded database in DATA_DIR)',
    'PostgreSQL to use, like postgres://user:password@host:5432/quittance.',
    read.url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/quittance'),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '10',
    'Most connections to PostgreSQL that one process opens.',
    read.wholeNumber(1, 1_000),
  ),
  natsUrl: secret(
    'NATS_URL',
    '(bus inside the process)',
    'NATS server with JetStream, like nats://host:4222.',
    read.url(['nats:', 'tls:'], 'nats://host:4222'),
  ),
  natsPrefix: setting(
    'NATS_PREFIX',
    'quittance',
    'Beginning of every stream and subject name, to share one NATS between installations.',
    read.subjectToken,
  ),
  ratesFixed: setting(
    'RATES_FIXED',
    '(none)',
    'USD per unit for live payments: a JSON object like {"LTC":"80.5","EUR":"1.08"}, or the path of a file with one, ' +
      'which is read again when it changes. Test keys use sample rates for what it leaves out.',
    fixedRates,
  ),
  webhookAllowCidrs: setting(
    'WEBHOOK_ALLOW_CIDRS',
    '(none)',
    'Private address blocks that webhooks may be sent to all the same, like 10.1.0.0/16,fd00::/8.',
    read.cidrs({ allowAny: true }),
  ),
  webhookAllowHttp: setting(
    'WEBHOOK_ALLOW_HTTP',
    'false',
    'Whether webhook URLs may be plain http. Only for receivers in your own network.',
    read.trueOrFalse,
  ),
  secretsKey: secret(
    'SECRETS_KEY',
    '(secrets.key in DATA_DIR, made at the first start)',
    'Key that webhook secrets are encrypted with: 32 random bytes in hex or base64. Keep a copy; without it they are lost.',
    read.secretKey,
  ),
  logLevel: setting('LOG_LEVEL', 'info', `Least severity to log: ${LOG_LEVELS.join(', ')}.`, read.oneOf(LOG_LEVELS)),
  roles: setting('ROLES', ROLES.join(','), 'What this process does, comma-separated.', read.someOf(ROLES)),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    '(none)',
    'Address blocks of reverse proxies whose X-Forwarded-For is believed.',
    read.cidrs({ allowAny: false }),
  ),
} as const;

/** The node of each watched coin. Network and URL come together or not at all. */
export const NODE_SETTINGS = {
  BTC: nodeSettings('BTC', 'Bitcoin Core', 'http://user:password@127.0.0.1:8332'),
  LTC: nodeSettings('LTC', 'Litecoin Core', 'http://user:password@127.0.0.1:9332'),
} as const satisfies { readonly [C in WatchedCoin]: unknown };

/** All settings, as they are documented. */
export const ALL_SETTINGS: readonly Setting<unknown>[] = [
  ...Object.values(SETTINGS),
  ...Object.values(NODE_SETTINGS).flatMap((node) => [node.network, node.rpcUrl]),
];

/** Names that are recognised only to say that they cannot be used yet. */
export const REFUSED_SETTINGS = UNWATCHED_COINS.map((coin) => ({
  coin,
  names: [`${coin}_NETWORK`, `${coin}_RPC_URL`],
}));

// Helpers

function setting<T>(name: string, fallback: string, description: string, parse: read.Parser<T>): Setting<T> {
  return { name, fallback, description, isSecret: false, parse };
}

function secret<T>(name: string, fallback: string, description: string, parse: read.Parser<T>): Setting<T> {
  return { name, fallback, description, isSecret: true, parse };
}

function nodeSettings(coin: WatchedCoin, node: string, example: string) {
  return {
    network: setting(
      `${coin}_NETWORK`,
      '(none)',
      `Network of live ${coin} payments: ${NODE_NETWORKS.join(', ')}. Goes with ${coin}_RPC_URL.`,
      read.oneOf(NODE_NETWORKS),
    ),
    rpcUrl: secret(
      `${coin}_RPC_URL`,
      '(none)',
      `JSON-RPC of your ${node}, like ${example}.`,
      read.url(['http:', 'https:'], example),
    ),
  };
}

function fixedRates(text: string): read.Parsed<FixedRatesSetting> {
  if (text.startsWith('{')) {
    const parsed = parseFixedRates(text);
    return parsed.ok ? read.good({ kind: 'inline', rates: parsed.rates }) : read.bad(parsed.problem);
  }
  const file = resolve(text);
  try {
    const parsed = parseFixedRates(readFileSync(file, 'utf8'));
    return parsed.ok ? read.good({ kind: 'file', path: file }) : read.bad(`names a file that ${parsed.problem}`);
  } catch (error) {
    return read.bad(`must be a JSON object or the path of a readable file with one (${messageOf(error)})`);
  }
}
