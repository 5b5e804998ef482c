import { ASSETS } from '../../machines/index.ts';
import { TerminalError } from '../errors.ts';
import { scrubText } from '../log.ts';
import {
  type Config,
  EVM_COINS,
  type EvmCoin,
  type EvmNodeConfig,
  type NodeNetwork,
  RATE_SOURCE_NAMES,
  type RetentionDays,
  ROLES,
  type Role,
  UTXO_COINS,
  type UtxoCoin,
  type UtxoNodeConfig,
} from './config.ts';
import type { MailConfig } from './mail.ts';
import { EVM_NODE_SETTINGS, RETENTION_SETTINGS, SETTINGS, type Setting, UTXO_NODE_SETTINGS } from './settings.ts';

/** What the process environment looks like. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings cannot be used. `mistakes` has one sentence each: the variable, what is wrong, the remedy. */
export class ConfigError extends TerminalError {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    const heading = mistakes.length === 1 ? 'One setting is wrong:' : `${mistakes.length} settings are wrong:`;
    super('INVALID_CONFIG', [heading, ...mistakes.map((mistake) => `  ${mistake}`)].join('\n'));
    this.mistakes = mistakes;
  }
}

/**
 * Reads and checks all settings. An empty variable counts as unset. Throws a `ConfigError` that lists every
 * mistake there is, so that one start shows them all; values of secret settings are not repeated.
 */
export function loadConfig(env: Environment): Config {
  const reader = createReader(env);
  // Mistakes are told in the order of this literal.
  const given = {
    host: reader.required(SETTINGS.host),
    port: reader.required(SETTINGS.port),
    publicUrl: reader.optional(SETTINGS.publicUrl),
    monitor: { host: reader.required(SETTINGS.monitorHost), port: reader.required(SETTINGS.monitorPort) },
    dataDir: reader.required(SETTINGS.dataDir),
    database: {
      url: reader.optional(SETTINGS.databaseUrl),
      poolSize: reader.required(SETTINGS.databasePoolSize),
      migrationUrl: readMigrationUrl(reader),
      migrates: reader.required(SETTINGS.migrate),
    },
    nats: { url: reader.optional(SETTINGS.natsUrl), prefix: reader.required(SETTINGS.natsPrefix) },
    nodes: [
      ...UTXO_COINS.flatMap((coin) => readUtxoNode(reader, coin)),
      ...EVM_COINS.flatMap((coin) => readEvmNode(reader, coin)),
    ],
    fixedRates: reader.optional(SETTINGS.ratesFixed),
    rateSources: reader.optional(SETTINGS.rateSources),
    webhooks: {
      allowCidrs: reader.optional(SETTINGS.webhookAllowCidrs) ?? [],
      allowHttp: reader.required(SETTINGS.webhookAllowHttp),
    },
    mail: readMail(reader),
    mailBounceSecret: reader.optional(SETTINGS.mailBounceSecret),
    secretsKey: reader.optional(SETTINGS.secretsKey),
    secretsKeyPrevious: reader.optional(SETTINGS.secretsKeyPrevious),
    plansEnabled: reader.required(SETTINGS.plans),
    signUpOpen: reader.required(SETTINGS.signUp),
    operatorMerchant: reader.optional(SETTINGS.operatorMerchant),
    operatorToken: reader.optional(SETTINGS.operatorToken),
    logLevel: reader.required(SETTINGS.logLevel),
    traces: { url: reader.optional(SETTINGS.tracesUrl), sample: reader.required(SETTINGS.tracesSample) },
    roles: reader.required(SETTINGS.roles),
    drainDelaySeconds: reader.required(SETTINGS.drainDelaySeconds),
    trustedProxies: reader.optional(SETTINGS.trustedProxies) ?? [],
    archiveAfterDays: reader.required(SETTINGS.archiveAfterDays),
    retention: readRetention(reader),
  };
  refuseLonelyRoles(reader, given.roles);
  refuseSharedPort(reader, given);
  if (reader.mistakes.length > 0) throw new ConfigError(reader.mistakes);
  const asksPublicSources = given.nodes.length > 0 && given.fixedRates === null;
  return { ...given, rateSources: given.rateSources ?? (asksPublicSources ? RATE_SOURCE_NAMES : []) };
}

/**
 * Where customers reach the service, without a slash at its end: PUBLIC_URL, or the address that is
 * listened on. A server listening on all addresses is reached at the loopback one.
 */
export function publicUrlOf(config: Pick<Config, 'publicUrl' | 'host'>, listeningPort: number): string {
  if (config.publicUrl !== null) return config.publicUrl;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[config.host] ?? config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${listeningPort}`;
}

// Helpers

interface Reader {
  readonly mistakes: string[];
  /** The text of a variable, or null when it is unset or empty. */
  given(name: string): string | null;
  required<T>(setting: Setting<T>): T;
  optional<T>(setting: Setting<T>): T | null;
}

/** Reads on after a mistake, with the default in its place, so that later mistakes are found too. */
function createReader(env: Environment): Reader {
  const mistakes: string[] = [];
  const given = (name: string) => env[name]?.trim() || null;

  function optional<T>(setting: Setting<T>): T | null {
    const text = given(setting.name);
    if (text === null) return null;
    const parsed = setting.parse(text);
    if (parsed.ok) return parsed.value;
    const shown = setting.isSecret ? 'its value' : shownValue(text);
    mistakes.push(`${setting.name}: ${shown} ${parsed.problem}.`);
    return null;
  }

  function required<T>(setting: Setting<T>): T {
    const text = given(setting.name);
    const parsed = text === null ? null : setting.parse(text);
    // Null may be what the text says.
    if (parsed?.ok) return parsed.value;
    optional(setting);
    const fallback = setting.parse(setting.fallback);
    if (!fallback.ok) throw new Error(`the default of ${setting.name} ${fallback.problem}`);
    return fallback.value;
  }

  return { mistakes, given, required, optional };
}

const SHOWN_CHARACTERS = 60;

/** The value as a message may repeat it: short, in quotes, and without a secret that was put into the wrong variable. */
function shownValue(text: string): string {
  const scrubbed = scrubText(text);
  return JSON.stringify(scrubbed.length > SHOWN_CHARACTERS ? `${scrubbed.slice(0, SHOWN_CHARACTERS)}…` : scrubbed);
}

function readRetention({ required }: Reader): RetentionDays {
  return {
    webhookAttempts: required(RETENTION_SETTINGS.webhookAttempts),
    webhookEvents: required(RETENTION_SETTINGS.webhookEvents),
    mails: required(RETENTION_SETTINGS.mails),
    notices: required(RETENTION_SETTINGS.notices),
    deadLetters: required(RETENTION_SETTINGS.deadLetters),
    runs: required(RETENTION_SETTINGS.runs),
    sessions: required(RETENTION_SETTINGS.sessions),
    audit: required(RETENTION_SETTINGS.audit),
    archive: required(RETENTION_SETTINGS.archive),
  };
}

function readUtxoNode(reader: Reader, symbol: UtxoCoin): UtxoNodeConfig[] {
  const settings = UTXO_NODE_SETTINGS[symbol];
  const zmqUrl = reader.optional(settings.zmqUrl);
  const place = readPlace(reader, settings, { [settings.zmqUrl.name]: zmqUrl });
  if (place === null) return [];
  const { chain } = ASSETS[symbol];
  return [{ family: 'utxo', symbol, chain, networkKind: place.networkKind, rpcUrl: place.rpcUrl, zmqUrl }];
}

function readEvmNode(reader: Reader, symbol: EvmCoin): EvmNodeConfig[] {
  const settings = EVM_NODE_SETTINGS[symbol];
  const second = reader.optional(settings.secondRpcUrl);
  const tokens = reader.optional(settings.tokens);
  const place = readPlace(reader, settings, {
    [settings.secondRpcUrl.name]: second,
    [settings.tokens.name]: tokens,
  });
  if (place === null) return [];
  const { chain } = ASSETS[symbol];
  const rpcUrls = [place.rpcUrl, ...(second === null ? [] : [second])] as const;
  return [{ family: 'evm', symbol, chain, networkKind: place.networkKind, rpcUrls, tokens: tokens ?? {} }];
}

/** Mail server and sender, which come together or not at all. */
function readMail(reader: Reader): MailConfig | null {
  const { smtpUrl, mailFrom } = SETTINGS;
  const smtp = reader.optional(smtpUrl);
  const from = reader.optional(mailFrom);
  refuseHalf(reader, smtpUrl, mailFrom);
  return smtp === null || from === null ? null : { smtp, from };
}

function readMigrationUrl(reader: Reader): string | null {
  const { databaseUrl, databaseMigrationUrl } = SETTINGS;
  const url = reader.optional(databaseMigrationUrl);
  if (url !== null && reader.given(databaseUrl.name) === null) {
    reader.mistakes.push(
      `${databaseMigrationUrl.name}: has no effect without ${databaseUrl.name}; set it too, or unset this one.`,
    );
  }
  return url;
}

interface PlaceSettings {
  readonly network: Setting<NodeNetwork>;
  readonly rpcUrl: Setting<string>;
}

/** Network and URL, which come together or not at all. `companions` are settings by name that mean nothing without them. */
function readPlace(
  reader: Reader,
  { network, rpcUrl }: PlaceSettings,
  companions: Readonly<Record<string, unknown>>,
): { networkKind: NodeNetwork; rpcUrl: string } | null {
  const isGiven = ({ name }: Setting<unknown>) => reader.given(name) !== null;
  refuseHalf(reader, network, rpcUrl);
  for (const [name, value] of Object.entries(companions)) {
    if (value === null || isGiven(network) || isGiven(rpcUrl)) continue;
    reader.mistakes.push(`${name}: has no effect without ${network.name} and ${rpcUrl.name}; set them, or unset it.`);
  }
  const networkKind = reader.optional(network);
  const url = reader.optional(rpcUrl);
  return networkKind === null || url === null ? null : { networkKind, rpcUrl: url };
}

/** Two settings of which one means nothing without the other. */
function refuseHalf(reader: Reader, ...pair: readonly [Setting<unknown>, Setting<unknown>]): void {
  const [given, missing] = [
    pair.find(({ name }) => reader.given(name) !== null),
    pair.find(({ name }) => reader.given(name) === null),
  ];
  if (given === undefined || missing === undefined) return;
  reader.mistakes.push(`${missing.name}: is missing although ${given.name} is set; set both or neither.`);
}

/** Customers must not see what is for those who run the service, so one port cannot be both. */
function refuseSharedPort(reader: Reader, { port, monitor, roles }: Pick<Config, 'port' | 'monitor' | 'roles'>): void {
  if (port === 0 || monitor.port !== port || !roles.includes('api')) return;
  reader.mistakes.push(`MONITOR_PORT: ${port} is PORT already; choose another one that strangers cannot reach.`);
}

/** A process that does only part of the work must be able to reach the one that does the rest. */
function refuseLonelyRoles(reader: Reader, roles: readonly Role[]): void {
  if (roles.length === ROLES.length) return;
  const missing = [SETTINGS.databaseUrl.name, SETTINGS.natsUrl.name].filter((name) => reader.given(name) === null);
  if (missing.length === 0) return;
  reader.mistakes.push(
    `ROLES: running only ${roles.join(', ')} needs ${missing.join(' and ')}, since the other roles run in other ` +
      'processes; set what is missing, or unset ROLES to run everything here.',
  );
}
