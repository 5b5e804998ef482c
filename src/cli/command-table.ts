import { type Command, defineCommand } from './command.ts';
import { asText, asWholeNumber, flag, json, operand, optional } from './options.ts';

/** The commands that begin with the same word. */
export interface CommandGroup {
  readonly word: string;
  /** Loads their definitions: names and options. */
  readonly load: () => Promise<readonly Command[]>;
}

const out = optional('SECRETS', 'Writes new secrets to this new file (mode 0600).', asText, null);

export const DEFAULT_COMMAND: Command = defineCommand({
  name: 'serve',
  summary: 'Runs the service. This is the default command.',
  options: { provision: optional('FILE', 'Applies this provisioning file first.', asText, null), out },
  run: async (values) => (await import('./serve.ts')).serve(values),
});

const PROVISION: Command = defineCommand({
  name: 'provision',
  summary: 'Creates or updates the merchants of FILE.',
  options: {
    file: operand('FILE', 'The provisioning file; see docs/operators/merchants-and-wallets.md.'),
    out,
  },
  run: async (values) => (await import('./provision.ts')).provision(values),
});

const MIGRATE: Command = defineCommand({
  name: 'migrate',
  summary: 'Migrates the database schema to this version. Safe while the service runs, and from several processes.',
  options: {
    'dry-run': flag('Lists pending migrations and changes nothing.'),
    json,
  },
  run: async (values) => (await import('./migrate.ts')).migrate(values),
});

const DOCTOR: Command = defineCommand({
  name: 'doctor',
  summary: 'Checks every setting and dependency and prints remedies. Changes nothing. Exits with 1 on problems.',
  options: { json },
  run: async (values) => (await import('./doctor/doctor.ts')).doctor(values),
});

const RESTORE_FINISH: Command = defineCommand({
  name: 'restore finish',
  summary: 'Run after restoring a backup, before the first start: skips addresses, ends sessions, schedules a rescan.',
  options: {
    advance: optional(
      'N',
      'Addresses to skip per wallet; default: twice its busiest hour, for each hour since the backup.',
      asWholeNumber(1, 1_000_000),
      null,
    ),
    json,
  },
  run: async (values) => (await import('./restore/finish.ts')).restoreFinish(values),
});

const SECRETS_RESEAL: Command = defineCommand({
  name: 'secrets reseal',
  summary: 'Encrypts every stored secret with the current key. Needs SECRETS_KEY_PREVIOUS. Idempotent.',
  options: { json },
  run: async (values) => (await import('./secrets/reseal.ts')).secretsReseal(values),
});

/**
 * Every command, by first word. Option definitions import from the feature they configure, and some
 * features take long to load. So a group is loaded only when one of its commands is called, and the
 * code that runs a command only when it runs.
 */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { word: 'serve', load: async () => [DEFAULT_COMMAND] },
  { word: 'provision', load: async () => [PROVISION] },
  { word: 'migrate', load: async () => [MIGRATE] },
  { word: 'actor', load: async () => (await import('./actor/commands.ts')).ACTOR_COMMANDS },
  { word: 'chain', load: async () => (await import('./chain/commands.ts')).CHAIN_COMMANDS },
  { word: 'wallet', load: async () => (await import('./wallet/commands.ts')).WALLET_COMMANDS },
  { word: 'plan', load: async () => (await import('./plan/commands.ts')).PLAN_COMMANDS },
  { word: 'merchant', load: async () => (await import('./merchant/commands.ts')).MERCHANT_COMMANDS },
  { word: 'key', load: async () => (await import('./key/commands.ts')).KEY_COMMANDS },
  { word: 'link', load: async () => (await import('./link/commands.ts')).LINK_COMMANDS },
  { word: 'image', load: async () => (await import('./image/commands.ts')).IMAGE_COMMANDS },
  { word: 'webhook', load: webhookCommands },
  { word: 'mail', load: async () => (await import('./mail/commands.ts')).MAIL_COMMANDS },
  { word: 'user', load: async () => (await import('./user/commands.ts')).USER_COMMANDS },
  { word: 'doctor', load: async () => [DOCTOR] },
  { word: 'restore', load: async () => [RESTORE_FINISH] },
  { word: 'secrets', load: async () => [SECRETS_RESEAL] },
];

/** All commands, in the order of the help. */
export async function loadCommands(): Promise<readonly Command[]> {
  const groups = await Promise.all(COMMAND_GROUPS.map(({ load }) => load()));
  return groups.flat();
}

// Helpers

async function webhookCommands(): Promise<readonly Command[]> {
  const [{ WEBHOOK_COMMANDS }, { WEBHOOK_LOG_COMMANDS }] = await Promise.all([
    import('./webhook/commands.ts'),
    import('./webhook-log/commands.ts'),
  ]);
  return [...WEBHOOK_COMMANDS, ...WEBHOOK_LOG_COMMANDS];
}
