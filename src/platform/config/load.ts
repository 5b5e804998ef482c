import { TerminalError } from '../errors.ts';
import { RATE_SOURCE_NAMES, type RetentionDays } from './config.ts';
import { rejectConflicts } from './conflicting-settings.ts';
import { readNodes } from './load-nodes.ts';
import type { MailConfig } from './mail.ts';
import { createSettingReader, type Environment, rejectHalf, type SettingReader } from './setting-reader.ts';
import { RETENTION_SETTINGS, SETTINGS } from './settings.ts';

/** Invalid settings. Each entry of `errors` names the variable, the problem and the remedy. */
export class ConfigError extends TerminalError {
  override readonly name = 'ConfigError';
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    const heading = errors.length === 1 ? '1 invalid setting:' : `${errors.length} invalid settings:`;
    super('INVALID_CONFIG', [heading, ...errors.map((error) => `  ${error}`)].join('\n'));
    this.errors = errors;
  }
}

/** The validated configuration. Built once at startup by `loadConfig` and passed down in parts. */
export type Config = Readonly<ReturnType<typeof loadConfig>>;

/**
 * Reads and validates all settings. An empty variable counts as unset. Throws a `ConfigError` that
 * lists all configuration errors, without the values of secret settings.
 */
export function loadConfig(env: Environment) {
  const reader = createSettingReader(env);
  const testMode = reader.required(SETTINGS.testMode);
  // Errors are listed in the order of this literal. `settings/` describes each setting.
  const given = {
    host: reader.required(SETTINGS.host),
    port: reader.required(SETTINGS.port),
    /** Without a trailing slash; null means the listening address. See `publicUrlOf`. */
    publicUrl: reader.optional(SETTINGS.publicUrl),
    monitor: { host: reader.required(SETTINGS.monitorHost), port: reader.required(SETTINGS.monitorPort) },
    /** Absolute path. */
    dataDir: reader.required(SETTINGS.dataDir),
    database: {
      /** Null selects the embedded database inside `dataDir`. */
      url: reader.optional(SETTINGS.databaseUrl),
      poolSize: reader.required(SETTINGS.databasePoolSize),
      pooler: readPooler(reader),
      /** Null means `url`. */
      migrationUrl: readMigrationUrl(reader),
      migrates: reader.required(SETTINGS.migrate),
    },
    /** Without a URL, the bus is in this process. */
    nats: { url: reader.optional(SETTINGS.natsUrl), prefix: reader.required(SETTINGS.natsPrefix) },
    testMode,
    /** The nodes for live keys, then those for test keys. If empty, all payments are simulated. */
    nodes: readNodes(reader, testMode),
    fixedRates: reader.optional(SETTINGS.ratesFixed),
    rateSources: reader.optional(SETTINGS.rateSources),
    webhooks: {
      allowCidrs: reader.optional(SETTINGS.webhookAllowCidrs) ?? [],
      allowHttp: reader.required(SETTINGS.webhookAllowHttp),
      allowPorts: reader.optional(SETTINGS.webhookAllowPorts) ?? [],
    },
    /** Null: emails are stored but not sent. */
    mail: readMail(reader),
    mailBounceSecret: reader.optional(SETTINGS.mailBounceSecret),
    /** 32 bytes; null means the key file inside `dataDir`. */
    secretsKey: reader.optional(SETTINGS.secretsKey),
    /** Still decrypts stored secrets. */
    secretsKeyPrevious: reader.optional(SETTINGS.secretsKeyPrevious),
    plansEnabled: reader.required(SETTINGS.plans),
    payMaxOpen: reader.required(SETTINGS.payMaxOpen),
    payMaxOpenPerClient: reader.required(SETTINGS.payMaxOpenPerClient),
    recurringMaxUnconfirmed: reader.required(SETTINGS.recurringMaxUnconfirmed),
    signUpOpen: reader.required(SETTINGS.signUp),
    reauthMinutes: reader.required(SETTINGS.reauthMinutes),
    operatorMerchant: reader.optional(SETTINGS.operatorMerchant),
    operatorToken: reader.optional(SETTINGS.operatorToken),
    logLevel: reader.required(SETTINGS.logLevel),
    /** The URL may contain credentials: never include it in a message. */
    traces: { url: reader.optional(SETTINGS.tracesUrl), sample: reader.required(SETTINGS.tracesSample) },
    roles: reader.required(SETTINGS.roles),
    drainDelaySeconds: reader.required(SETTINGS.drainDelaySeconds),
    trustedProxies: reader.optional(SETTINGS.trustedProxies) ?? [],
    archiveAfterDays: reader.required(SETTINGS.archiveAfterDays),
    retention: readRetention(reader),
  };
  rejectConflicts(reader, given);
  if (reader.errors.length > 0) throw new ConfigError(reader.errors);
  const asksPublicSources = given.nodes.some(({ mode }) => mode === 'live') && given.fixedRates === null;
  return { ...given, rateSources: given.rateSources ?? (asksPublicSources ? RATE_SOURCE_NAMES : []) };
}

/**
 * The public base URL without a trailing slash: PUBLIC_URL, or the listening address. For a server
 * listening on all addresses it is the loopback address.
 */
export function publicUrlOf(config: Pick<Config, 'publicUrl' | 'host'>, listeningPort: number): string {
  if (config.publicUrl !== null) return config.publicUrl;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[config.host] ?? config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${listeningPort}`;
}

// Helpers

function readRetention({ required }: SettingReader): RetentionDays {
  const days = Object.entries(RETENTION_SETTINGS).map(([name, setting]) => [name, required(setting)]);
  // The same names: `RetentionDays` is made of these settings.
  return Object.fromEntries(days) as RetentionDays;
}

/** SMTP server and sender; both must be set, or neither. */
function readMail(reader: SettingReader): MailConfig | null {
  const { smtpUrl, mailFrom } = SETTINGS;
  const smtp = reader.optional(smtpUrl);
  const from = reader.optional(mailFrom);
  rejectHalf(reader, smtpUrl, mailFrom);
  return smtp === null || from === null ? null : { smtp, from };
}

function readMigrationUrl(reader: SettingReader): string | null {
  const { databaseUrl, databaseMigrationUrl } = SETTINGS;
  const url = reader.optional(databaseMigrationUrl);
  if (url !== null && reader.given(databaseUrl.name) === null) {
    reader.errors.push(
      `${databaseMigrationUrl.name}: has no effect without ${databaseUrl.name}; set it too, or unset this one.`,
    );
  }
  return url;
}

/** Migrations need a session-level lock, which a pooler in transaction mode cannot provide. */
function readPooler(reader: SettingReader): 'none' | 'transaction' | 'transaction-prepared' {
  const pooler = reader.required(SETTINGS.databasePooler);
  if (pooler === 'none') return pooler;
  const { databaseUrl, databaseMigrationUrl, migrate, databasePooler } = SETTINGS;
  if (reader.given(databaseUrl.name) === null) {
    reader.errors.push(
      `${databasePooler.name}: has no effect without ${databaseUrl.name}; set it too, or unset this one.`,
    );
  } else if (reader.given(databaseMigrationUrl.name) === null && reader.required(migrate)) {
    reader.errors.push(
      `${databasePooler.name}: the schema cannot be migrated through a pooler; set ${databaseMigrationUrl.name} to an ` +
        `address that bypasses it, or ${migrate.name}=off and run "quittance migrate" without the pooler.`,
    );
  }
  return pooler;
}
