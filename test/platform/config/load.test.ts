import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, type Environment, loadConfig, publicUrlOf } from '../../../src/platform/config/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { errorsOf } from './config-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'quittance-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const WBTC = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599';
/** Required for live coins on a main network. */
const DATABASE_URL = 'postgres://me:secret@db:5432/pay';
const KEY_HEX = '00112233445566778899aabbccddeeff'.repeat(2);

describe('loadConfig', () => {
  it('runs on defaults alone: embedded database, in-process bus, everything local', () => {
    expect(loadConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: null,
      monitor: { host: '127.0.0.1', port: null },
      dataDir: resolve('./data'),
      database: { url: null, poolSize: 10, pooler: 'none', migrationUrl: null, migrates: true },
      nats: { url: null, prefix: 'quittance' },
      testMode: 'simulated',
      nodes: [],
      fixedRates: null,
      rateSources: [],
      webhooks: { allowCidrs: [], allowHttp: false, allowPorts: [] },
      mail: null,
      mailBounceSecret: null,
      signUpOpen: false,
      reauthMinutes: 10,
      secretsKey: null,
      secretsKeyPrevious: null,
      payMaxOpen: 200,
      payMaxOpenPerClient: 20,
      recurringMaxUnconfirmed: 200,
      plansEnabled: true,
      operatorMerchant: null,
      operatorToken: null,
      logLevel: 'info',
      traces: { url: null, sample: 1 },
      roles: ['api', 'worker', 'watcher'],
      drainDelaySeconds: 0,
      trustedProxies: [],
      archiveAfterDays: 90,
      retention: {
        webhookAttempts: 60,
        webhookEvents: 400,
        mails: 180,
        deadLetters: 90,
        runs: 180,
        sessions: 30,
        audit: null,
        archive: null,
      },
    });
  });

  it('reads every setting', () => {
    const config = loadConfig({
      HOST: '0.0.0.0',
      PORT: '0',
      PUBLIC_URL: 'https://pay.example.com/shop/',
      MONITOR_PORT: '9464',
      MONITOR_HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/quittance',
      DATABASE_URL,
      DATABASE_POOL_SIZE: '25',
      DATABASE_MIGRATION_URL: 'postgres://owner:secret@db:5432/pay',
      MIGRATE: 'off',
      NATS_URL: 'nats://bus:4222',
      NATS_PREFIX: 'shop_1',
      BTC_NETWORK: 'testnet',
      BTC_RPC_URL: 'http://u:p@127.0.0.1:8332',
      LTC_NETWORK: 'regtest',
      LTC_RPC_URL: 'http://127.0.0.1:19443/',
      LTC_ZMQ_URL: 'tcp://127.0.0.1:28332',
      DOGE_NETWORK: 'testnet',
      DOGE_RPC_URL: 'http://127.0.0.1:22555',
      DASH_NETWORK: 'testnet',
      DASH_RPC_URL: 'https://u:p@dash.lan/',
      DASH_ZMQ_URL: 'tcp://[::1]:28333',
      ETH_NETWORK: 'testnet',
      ETH_RPC_URL: 'http://127.0.0.1:8545',
      ETH_RPC_URL_2: 'https://sepolia.example/v3/key',
      ETH_TOKENS: `{"USDC":"${USDC}","WBTC":"${WBTC.toLowerCase()}"}`,
      RATES_FIXED: '{"LTC":"80.5","EUR":1.08,"PEPE":0.0000001}',
      RATES_SOURCES: 'ecb, kraken',
      WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8,192.0.2.7',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_PORTS: '81, 591',
      SECRETS_KEY: KEY_HEX,
      LOG_LEVEL: 'debug',
      TRACES_URL: 'https://user:password@traces.example/v1/traces',
      TRACES_SAMPLE: '0.25',
      ROLES: 'worker, api,worker',
      DRAIN_DELAY_SECONDS: '15',
      TRUSTED_PROXIES: '172.16.0.0/12',
      ARCHIVE_AFTER_DAYS: '35',
      RETENTION_WEBHOOK_ATTEMPTS_DAYS: '7',
      RETENTION_WEBHOOK_EVENTS_DAYS: 'never',
      RETENTION_AUDIT_DAYS: '3650',
    });
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      publicUrl: 'https://pay.example.com/shop',
      monitor: { host: '0.0.0.0', port: 9464 },
      dataDir: '/var/lib/quittance',
      database: {
        url: DATABASE_URL,
        poolSize: 25,
        migrationUrl: 'postgres://owner:secret@db:5432/pay',
        migrates: false,
      },
      nats: { url: 'nats://bus:4222', prefix: 'shop_1' },
      nodes: [
        {
          family: 'utxo',
          mode: 'live',
          symbol: 'BTC',
          chain: 'bitcoin',
          networkKind: 'testnet',
          rpcUrl: 'http://u:p@127.0.0.1:8332',
          zmqUrl: null,
        },
        { symbol: 'LTC', chain: 'litecoin', networkKind: 'regtest', zmqUrl: 'tcp://127.0.0.1:28332' },
        { symbol: 'DOGE', chain: 'dogecoin', networkKind: 'testnet', rpcUrl: 'http://127.0.0.1:22555' },
        { symbol: 'DASH', chain: 'dash', networkKind: 'testnet', zmqUrl: 'tcp://[::1]:28333' },
        {
          family: 'evm',
          mode: 'live',
          symbol: 'ETH',
          chain: 'ethereum',
          networkKind: 'testnet',
          rpcUrls: ['http://127.0.0.1:8545', 'https://sepolia.example/v3/key'],
          tokens: { USDC, WBTC: WBTC.toLowerCase() },
        },
      ],
      fixedRates: { kind: 'inline', rates: { LTC: '80.5', EUR: '1.08', PEPE: '0.0000001' } },
      rateSources: ['ecb', 'kraken'],
      webhooks: { allowHttp: true, allowPorts: [81, 591] },
      logLevel: 'debug',
      traces: { url: 'https://user:password@traces.example/v1/traces', sample: 0.25 },
      roles: ['worker', 'api'],
      drainDelaySeconds: 15,
    });
    expect(config.webhooks.allowCidrs.map((cidr) => cidr.text)).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.7/32']);
    expect(config.trustedProxies.map((cidr) => cidr.text)).toEqual(['172.16.0.0/12']);
    expect(config.archiveAfterDays).toBe(35);
    expect(config.retention).toMatchObject({ webhookAttempts: 7, webhookEvents: null, mails: 180, audit: 3_650 });
    expect(Buffer.from(config.secretsKey ?? []).toString('hex')).toBe(KEY_HEX);
  });

  it('treats an empty or blank variable as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '  ', LTC_RPC_URL: '', DOGE_RPC_URL: '' })).toEqual(loadConfig({}));
  });

  it('accepts a trace sample ratio from 0 to 1, and an http or https endpoint', () => {
    expect(loadConfig({ TRACES_SAMPLE: '0' }).traces.sample).toBe(0);
    expect(loadConfig({ TRACES_SAMPLE: '1.0' }).traces.sample).toBe(1);
    for (const wrong of ['1.1', '-0.1', '50%', '2', '1e-3', '.5']) {
      expect(() => loadConfig({ TRACES_SAMPLE: wrong })).toThrow(/TRACES_SAMPLE: .* from 0 to 1/);
    }
    expect(() => loadConfig({ TRACES_URL: 'grpc://user:hidden@collector:4317' })).toThrow(/TRACES_URL: its value/);
  });

  it('reads the key from hex, base64 and base64url', () => {
    const bytes = Buffer.from(KEY_HEX, 'hex');
    for (const text of [KEY_HEX.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')]) {
      const keys = loadConfig({ SECRETS_KEY: text, SECRETS_KEY_PREVIOUS: text });
      expect([keys.secretsKey, keys.secretsKeyPrevious]).toEqual([new Uint8Array(bytes), new Uint8Array(bytes)]);
    }
  });

  it('uses all public rate sources where live payments need them, unless configured otherwise', () => {
    const live = { DATABASE_URL, LTC_NETWORK: 'mainnet', LTC_RPC_URL: 'http://127.0.0.1:9332' };
    const names = ['kraken', 'coinbase', 'binance', 'coingecko', 'ecb'];
    expect(loadConfig(live).rateSources).toEqual(names);
    expect(loadConfig({ ...live, RATES_FIXED: '{"LTC":"80"}' }).rateSources).toEqual([]);
    expect(loadConfig({ ...live, RATES_FIXED: '{"LTC":"80"}', RATES_SOURCES: 'coinbase' }).rateSources).toEqual([
      'coinbase',
    ]);
    expect(loadConfig({ ...live, RATES_SOURCES: 'none' }).rateSources).toEqual([]);
    expect(loadConfig({ RATES_SOURCES: names.join(',') }).rateSources).toEqual(names);
    for (const wrong of ['bitstamp', 'none,kraken', 'Kraken', ',']) {
      expect(() => loadConfig({ RATES_SOURCES: wrong })).toThrow(/RATES_SOURCES: .* kraken, coinbase/);
    }
  });

  it('connects an Ethereum network with one node and no tokens', () => {
    const { nodes } = loadConfig({ ETH_NETWORK: 'regtest', ETH_RPC_URL: 'http://127.0.0.1:8545' });
    expect(nodes).toEqual([
      {
        family: 'evm',
        mode: 'live',
        symbol: 'ETH',
        chain: 'ethereum',
        networkKind: 'regtest',
        rpcUrls: ['http://127.0.0.1:8545'],
        tokens: {},
      },
    ]);
  });

  it('reads token contracts from a file and validates them at startup', () => {
    const file = join(folder, 'tokens.json');
    const env = { DATABASE_URL, ETH_NETWORK: 'mainnet', ETH_RPC_URL: 'http://127.0.0.1:8545', ETH_TOKENS: file };
    writeFileSync(file, `{"USDC": "${USDC}"}`);
    expect(loadConfig(env).nodes).toMatchObject([{ tokens: { USDC } }]);
    writeFileSync(file, '{"XYZ": "0x0"}');
    expect(errorsOf(env)).toEqual([
      expect.stringMatching(/^ETH_TOKENS: .* is the path of a file that has "XYZ", which is not a supported token/),
    ]);
  });

  it('reads rates from a file and validates them at startup', () => {
    const good = join(folder, 'rates.json');
    const wrong = join(folder, 'wrong.json');
    writeFileSync(good, '{"BTC": "61000.5"}');
    writeFileSync(wrong, '{"XBT": "61000.5"}');
    expect(loadConfig({ RATES_FIXED: good }).fixedRates).toEqual({ kind: 'file', path: good });
    expect(errorsOf({ RATES_FIXED: wrong })).toEqual([expect.stringContaining('unknown symbol "XBT"')]);
    expect(errorsOf({ RATES_FIXED: join(folder, 'none.json') })).toEqual([expect.stringContaining('ENOENT')]);
  });
});

describe('an invalid setting', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['PORT', '65536', /from 0 to 65535/],
    ['PORT', '80a', /whole number/],
    ['PORT', '-1', /whole number/],
    ['HOST', '127.0.0.1:8080', /without a port/],
    ['MONITOR_PORT', '65536', /must be none, or a whole number from 0 to 65535/],
    ['MONITOR_PORT', 'off', /must be none, or/],
    ['MONITOR_PORT', '8080', /8080 is also PORT; choose another port/],
    ['MONITOR_HOST', '127.0.0.1:9464', /without a port/],
    ['PUBLIC_URL', 'pay.example.com', /http or https URL/],
    ['PUBLIC_URL', 'https://pay.example.com/?a=1', /without credentials, query/],
    ['PUBLIC_URL', 'ftp://pay.example.com', /http or https/],
    ['DATABASE_URL', 'mysql://u:p@h/db', /postgres:\/\/user/],
    ['DATABASE_POOL_SIZE', '0', /from 1 to/],
    ['NATS_URL', '127.0.0.1', /nats:\/\/host/],
    ['NATS_PREFIX', 'a.b', /letters, digits/],
    ['RATES_FIXED', '{"LTC":"80,5"}', /no usable rate for LTC/],
    ['RATES_FIXED', '{"LTC":0}', /above 0/],
    ['RATES_FIXED', '{"LTC":"-1"}', /above 0/],
    ['RATES_FIXED', '{"LTC":"0.00"}', /above 0/],
    ['RATES_FIXED', '{"LTC":true}', /above 0/],
    ['RATES_FIXED', '{"LTC":1e30}', /above 0/],
    ['RATES_FIXED', '{"USD":1}', /always 1/],
    ['RATES_FIXED', '{"ltc":80}', /unknown symbol "ltc"/],
    ['RATES_FIXED', '{"LTC":80', /not valid JSON/],
    ['RATES_FIXED', '{}', /has no rates/],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33', /not an address block/],
    ['WEBHOOK_ALLOW_CIDRS', 'localhost', /not an address block/],
    ['WEBHOOK_ALLOW_CIDRS', 'fe80::1%eth0/64', /not an address block/],
    ['WEBHOOK_ALLOW_HTTP', 'yes', /true or false/],
    ['WEBHOOK_ALLOW_PORTS', '81,smtp', /port numbers from 1 to 65535/],
    ['SECRETS_KEY', 'abc', /openssl rand -hex 32/],
    ['SECRETS_KEY_PREVIOUS', 'abc', /openssl rand -hex 32/],
    ['LOG_LEVEL', 'verbose', /one of fatal, error/],
    ['ROLES', 'api,cook', /api, worker, watcher/],
    ['ROLES', ',', /at least one/],
    ['DRAIN_DELAY_SECONDS', '16', /0 to 15/],
    ['TRUSTED_PROXIES', '0.0.0.0/0', /list your proxies/],
    ['ARCHIVE_AFTER_DAYS', '34', /from 35 to 36500/],
    ['RETENTION_WEBHOOK_EVENTS_DAYS', '64', /from 65 to 36500, or never/],
    ['RETENTION_AUDIT_DAYS', 'always', /from 365 to 36500, or never/],
    ['TRUSTED_PROXIES', '10.0.0.0/08', /not an address block/],
    ['LTC_RPC_URL', 'http://127.0.0.1:9332', /^LTC_NETWORK: is not set although LTC_RPC_URL is;/],
    ['BTC_NETWORK', 'regtest', /^BTC_RPC_URL: is not set although BTC_NETWORK is;/],
    ['DOGE_NETWORK', 'mainnet', /^DOGE_RPC_URL: is not set although DOGE_NETWORK is;/],
    ['ETH_RPC_URL', 'http://127.0.0.1:8545', /^ETH_NETWORK: is not set although ETH_RPC_URL is;/],
    ['ETH_RPC_URL_2', 'http://127.0.0.1:8545', /^ETH_RPC_URL_2: has no effect without ETH_NETWORK and ETH_RPC_URL/],
    ['DASH_ZMQ_URL', 'tcp://127.0.0.1:28332', /^DASH_ZMQ_URL: has no effect without DASH_NETWORK and DASH_RPC_URL/],
    ['DASH_ZMQ_URL', 'http://127.0.0.1:28332', /must have the form tcp:\/\/127\.0\.0\.1:28332/],
    ['DASH_ZMQ_URL', 'tcp://127.0.0.1', /must have the form tcp:/],
    ['DASH_ZMQ_URL', 'tcp://127.0.0.1:28332/blocks', /must have the form tcp:/],
    ['ETH_TOKENS', `{"USDC":"${USDC}"}`, /^ETH_TOKENS: has no effect without ETH_NETWORK/],
    [
      'ETH_TOKENS',
      `{"USDC":"${USDC.replace('A0b8', 'a0b8')}"}`,
      /has a contract for USDC with a wrong checksum \(EIP-55\)/,
    ],
    ['ETH_TOKENS', `{"USDC":"${USDC.slice(0, -1)}"}`, /has no contract address for USDC/],
    ['ETH_TOKENS', `{"USDC":"0x${'0'.repeat(40)}"}`, /has no contract address for USDC/],
    ['ETH_TOKENS', '{"USDC":7}', /has no contract address for USDC/],
    [
      'ETH_TOKENS',
      `{"ETH":"${USDC}"}`,
      /has "ETH", which is not a supported token; known symbols are USDT, USDC, EURC/,
    ],
    ['ETH_TOKENS', `{"usdc":"${USDC}"}`, /has "usdc", which is not a supported token/],
    ['ETH_TOKENS', `{"USDC":"${USDC}","EURC":"${USDC.toLowerCase()}"}`, /gives USDC and EURC the same contract/],
    ['ETH_TOKENS', '{}', /has no tokens/],
    ['ETH_TOKENS', '{"USDC"', /not valid JSON/],
    ['ETH_TOKENS', '/nowhere/tokens.json', /path of a readable file with one \(ENOENT/],
    ['ROLES', 'watcher', /needs DATABASE_URL and NATS_URL/],
  ];

  it.each(cases)('%s=%s gets one message with the remedy', (name, value, message) => {
    const errors = errorsOf({ [name]: value });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(message);
    expect(errors[0]).toContain(name);
  });

  it('is reported for a test network beside a main network, because live keys would accept worthless coins', () => {
    const node = 'http://127.0.0.1:1';
    const main = { DATABASE_URL, BTC_NETWORK: 'mainnet', BTC_RPC_URL: node };
    expect(errorsOf({ ...main, LTC_NETWORK: 'regtest', LTC_RPC_URL: node })).toEqual([
      'LTC_NETWORK: is regtest while BTC_NETWORK is mainnet, so live keys would accept coins that cost nothing; set ' +
        'LTC_NETWORK to mainnet, or use TEST_MODE=onchain with TEST_LTC_NETWORK for test keys.',
    ]);
    const ofTests = { TEST_MODE: 'onchain', TEST_LTC_NETWORK: 'regtest', TEST_LTC_RPC_URL: 'http://127.0.0.1:2' };
    expect(loadConfig({ ...main, ...ofTests }).nodes).toHaveLength(2);
  });

  it('is reported once for all coins on a main network with the embedded database, which can lose payments in a power cut', () => {
    const node = 'http://127.0.0.1:1';
    const env = { LTC_NETWORK: 'mainnet', LTC_RPC_URL: node, ETH_NETWORK: 'mainnet', ETH_RPC_URL: node };
    expect(errorsOf(env)).toEqual([
      'DATABASE_URL: is not set although LTC_NETWORK and ETH_NETWORK are mainnet. The embedded database can lose payments and reuse an ' +
        'address after a power cut; set DATABASE_URL to a PostgreSQL server, or use testnet or regtest.',
    ]);
    expect(loadConfig({ ...env, DATABASE_URL }).nodes).toHaveLength(2);
    // A wrong server address is then the only error.
    expect(errorsOf({ ...env, DATABASE_URL: 'mysql://h/db' })).toEqual([expect.stringMatching(/postgres:\/\/user/)]);
  });

  it('is not reported for a testnet or regtest node with the embedded database', () => {
    for (const kind of ['testnet', 'regtest']) {
      const env = { LTC_NETWORK: kind, LTC_RPC_URL: 'http://127.0.0.1:1' };
      expect(loadConfig(env)).toMatchObject({ database: { url: null }, nodes: [{ networkKind: kind }] });
    }
  });

  it('of one node is reported once, even when its partner is valid', () => {
    expect(errorsOf({ LTC_NETWORK: 'signet', LTC_RPC_URL: 'http://127.0.0.1:9332' })).toEqual([
      'LTC_NETWORK: "signet" must be one of mainnet, testnet, regtest.',
    ]);
  });

  it('of a companion is reported once, even without the node it belongs to', () => {
    expect(errorsOf({ ETH_NETWORK: 'regtest', ETH_RPC_URL: 'http://h', ETH_TOKENS: '{"DAI":"0x1"}' })).toHaveLength(1);
    expect(errorsOf({ BTC_ZMQ_URL: 'nonsense' })).toHaveLength(1);
  });

  it('never hides another error', () => {
    const chosen = fc.uniqueArray(
      fc.constantFrom(...cases.filter(([name, , { source }]) => name !== 'ROLES' && !/not set|no effect/.test(source))),
      {
        selector: ([name]) => name,
      },
    );
    assertProperty(
      fc.property(chosen, (wrong) => {
        const errors = errorsOf(Object.fromEntries(wrong.map(([name, value]) => [name, value])));
        expect(errors).toHaveLength(wrong.length);
        for (const [name, , message] of wrong) {
          expect(errors.some((text) => text.startsWith(`${name}:`) && message.test(text))).toBe(true);
        }
      }),
    );
  });

  it('never repeats a secret value in its message', () => {
    const password = fc.stringMatching(/^[A-Za-z0-9]{12,40}$/);
    const secretName = fc.constantFrom(
      'DATABASE_URL',
      'NATS_URL',
      'DASH_RPC_URL',
      'ETH_RPC_URL_2',
      'SECRETS_KEY',
      'SECRETS_KEY_PREVIOUS',
    );
    const shape = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `mysql://user:${text}@host/db`,
      (text) => `user:${text}@host`,
      (text) => `http//u:${text}@127.0.0.1`,
    );
    assertProperty(
      fc.property(secretName, password, shape, (name, text, wrap) => {
        const error = errorOf({ [name]: wrap(text), ROLES: 'nonsense' });
        expect(error.message).not.toContain(text);
        expect(error.message).toContain(name);
      }),
    );
    const errors = errorsOf({ LOG_LEVEL: `sk_live_${'a1'.repeat(21)}`, PUBLIC_URL: 'http://me:hunter2@host' });
    expect(errors.join()).not.toMatch(/a1a1|hunter2/);
  });
});

describe('publicUrlOf', () => {
  it('returns PUBLIC_URL, or else the address the service listens on', () => {
    expect(publicUrlOf(loadConfig({ PUBLIC_URL: 'https://a.example/' }), 5)).toBe('https://a.example');
    expect(publicUrlOf(loadConfig({ PORT: '0' }), 40123)).toBe('http://127.0.0.1:40123');
    expect(publicUrlOf(loadConfig({ HOST: '0.0.0.0' }), 8080)).toBe('http://127.0.0.1:8080');
    expect(publicUrlOf(loadConfig({ HOST: '::' }), 8080)).toBe('http://[::1]:8080');
    expect(publicUrlOf(loadConfig({ HOST: 'shop.lan' }), 80)).toBe('http://shop.lan:80');
  });
});

// Helpers

function errorOf(env: Environment): ConfigError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}
