import { LOG_LEVELS } from '../log.ts';
import { type EvmCoin, NODE_NETWORKS, RATE_SOURCE_NAMES, type RateSourceName, ROLES, type UtxoCoin } from './config.ts';
import { type FixedRates, type FixedRatesSetting, parseFixedRates } from './fixed-rates.ts';
import { mailSender, smtpUrl } from './mail.ts';
import * as read from './parsers.ts';
import { parseTokenContracts, TOKEN_SYMBOLS } from './token-contracts.ts';

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
    read.mapped(read.jsonOrFile(fixedRates), toFixedRates),
  ),
  rateSources: setting(
    'RATES_SOURCES',
    '(all of them when a live network is set and RATES_FIXED is not, else none)',
    `Public sources asked for the rates of live payments: none, or some of ${RATE_SOURCE_NAMES.join(', ')}. ` +
      'What is in RATES_FIXED as well counts as one more source.',
    rateSources,
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
  smtpUrl: secret(
    'SMTP_URL',
    '(none: mails are kept in the database and not sent)',
    'Mail server to send with, like smtp://user:password@mail.example:587 (STARTTLS) or smtps://… (TLS, port 465). ' +
      'Goes with MAIL_FROM.',
    smtpUrl,
  ),
  mailFrom: setting(
    'MAIL_FROM',
    '(none)',
    'Whom mails come from: an address, or a name with it like `Shop payments <pay@shop.example>`. Goes with SMTP_URL.',
    mailSender,
  ),
  mailBounceSecret: secret(
    'MAIL_BOUNCE_SECRET',
    '(none: there is no such page)',
    'Token that POST /v1/mail/bounces asks for, which is told of mails that came back: at least 24 characters without ' +
      'spaces. Make one with `openssl rand -hex 32`.',
    token(24),
  ),
  secretsKey: secret(
    'SECRETS_KEY',
    '(secrets.key in DATA_DIR, made at the first start)',
    'Key that webhook secrets are encrypted with: 32 random bytes in hex or base64. Keep a copy; without it they are lost.',
    read.secretKey,
  ),
  secretsKeyPrevious: secret(
    'SECRETS_KEY_PREVIOUS',
    '(none)',
    'The key before, while it is being replaced: what is encrypted with it is still read, until `quittance secrets reseal`.',
    read.secretKey,
  ),
  plans: setting(
    'PLANS',
    'on',
    'Whether merchants have plans with limits: on or off. With off, all have one plan without limits.',
    read.mapped(read.oneOf(['on', 'off']), (choice) => choice === 'on'),
  ),
  signUp: setting(
    'SIGN_UP',
    'off',
    'Whether anybody can make a merchant account in the console: on or off. Needs a mail server.',
    read.mapped(read.oneOf(['on', 'off']), (choice) => choice === 'on'),
  ),
  operatorMerchant: setting(
    'OPERATOR_MERCHANT',
    '(none: plans cannot be bought)',
    'Name of the merchant that is paid when a merchant buys a plan, as in its provisioning file: your own.',
    merchantName,
  ),
  operatorToken: secret(
    'OPERATOR_TOKEN',
    '(none: there is no such page)',
    'Token that GET /v1/health/details asks for: at least 32 characters without spaces. Make one with `openssl rand -hex 32`.',
    token(32),
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

/** The node of each chain with one coin. Network and URL come together or not at all. */
export const UTXO_NODE_SETTINGS = {
  BTC: utxoNode('BTC', 'Bitcoin Core', 8332),
  LTC: utxoNode('LTC', 'Litecoin Core', 9332),
  DOGE: utxoNode('DOGE', 'Dogecoin Core', 22555),
  DASH: utxoNode('DASH', 'Dash Core', 9998),
} as const satisfies { readonly [C in UtxoCoin]: unknown };

/** The nodes of each account-based chain. */
export const EVM_NODE_SETTINGS = {
  ETH: {
    network: network('ETH', ' (testnet is Sepolia)'),
    rpcUrl: rpcUrl('ETH_RPC_URL', 'JSON-RPC of your Ethereum node or provider', 'http://127.0.0.1:8545'),
    secondRpcUrl: rpcUrl(
      'ETH_RPC_URL_2',
      'A second one, asked when the first fails or lags behind it',
      'https://ethereum.example/v3/key',
    ),
    tokens: setting(
      'ETH_TOKENS',
      '(built-in contracts of the network)',
      'Token contracts, before those that are built in: a JSON object like {"USDC":"0x1c7D…"}, or the path of a file ' +
        `with one. Symbols: ${TOKEN_SYMBOLS.join(', ')}.`,
      read.mapped(read.jsonOrFile(parseTokenContracts), ({ value }) => value),
    ),
  },
} as const satisfies { readonly [C in EvmCoin]: unknown };

/** All settings, as they are documented. */
export const ALL_SETTINGS: readonly Setting<unknown>[] = [
  ...Object.values(SETTINGS),
  ...Object.values(UTXO_NODE_SETTINGS).flatMap((node) => Object.values(node)),
  ...Object.values(EVM_NODE_SETTINGS).flatMap((node) => Object.values(node)),
];

// Helpers

function setting<T>(name: string, fallback: string, description: string, parse: read.Parser<T>): Setting<T> {
  return { name, fallback, description, isSecret: false, parse };
}

function secret<T>(name: string, fallback: string, description: string, parse: read.Parser<T>): Setting<T> {
  return { name, fallback, description, isSecret: true, parse };
}

function network(coin: string, note = '') {
  return setting(
    `${coin}_NETWORK`,
    '(none)',
    `Network of live ${coin} payments: ${NODE_NETWORKS.join(', ')}${note}. Goes with ${coin}_RPC_URL.`,
    read.oneOf(NODE_NETWORKS),
  );
}

function rpcUrl(name: string, what: string, example: string) {
  return secret(name, '(none)', `${what}, like ${example}.`, read.url(['http:', 'https:'], example));
}

function utxoNode(coin: UtxoCoin, node: string, rpcPort: number) {
  return {
    network: network(coin),
    rpcUrl: rpcUrl(`${coin}_RPC_URL`, `JSON-RPC of your ${node}`, `http://user:password@127.0.0.1:${rpcPort}`),
    zmqUrl: setting(
      `${coin}_ZMQ_URL`,
      '(none)',
      `Where your ${node} publishes news (zmqpubhashblock, zmqpubrawtx), like tcp://127.0.0.1:28332. ` +
        'Only a hint to look sooner: without it, the node is asked every second.',
      read.tcpEndpoint,
    ),
  };
}

/** As the provisioning file limits names. */
function merchantName(text: string): read.Parsed<string> {
  return text.length <= 100 ? read.good(text) : read.bad('must have at most 100 characters');
}

function rateSources(text: string): read.Parsed<readonly RateSourceName[]> {
  return text === 'none' ? read.good([]) : read.someOf(RATE_SOURCE_NAMES)(text);
}

/** Printable ASCII, because it travels in a header. */
function token(minCharacters: number): read.Parser<string> {
  return (text) => {
    if (/^[\x21-\x7e]{1,512}$/.test(text) && text.length >= minCharacters) return read.good(text);
    return read.bad(
      `must have ${minCharacters} to 512 printable ASCII characters and no spaces; make one with \`openssl rand -hex 32\``,
    );
  };
}

/** The rates of a file are not kept: it is read again when it changes. */
function toFixedRates({ value, file }: read.Located<FixedRates>): FixedRatesSetting {
  return file === null ? { kind: 'inline', rates: value } : { kind: 'file', path: file };
}

function fixedRates(json: string): read.Parsed<FixedRates> {
  const parsed = parseFixedRates(json);
  return parsed.ok ? read.good(parsed.rates) : read.bad(parsed.problem);
}
