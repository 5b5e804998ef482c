import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Config, parseSecretKey, ROLES } from '../../../platform/config/index.ts';
import type { Connection } from '../../../platform/db/index.ts';
import { createSecretBox, KEY_FILE, loadSecretKey } from '../../../platform/secrets/index.ts';
import { checkEndpointSecrets } from '../../../webhooks/index.ts';
import { type Check, type Examined, ok, problem, warning } from '../check.ts';
import { onServer } from './database.ts';

export const SECRETS_CHECKS: readonly Check[] = [
  { name: 'secrets key', run: ({ config }) => secretsKey(config) },
  { name: 'stored secrets', run: onServer(storedSecrets) },
];

// Helpers

const SHARE_KEY =
  'Set SECRETS_KEY to the same value for every process: use the content of the key file, or run `openssl rand -hex 32`.';

async function secretsKey(config: Config) {
  if (config.secretsKey !== null) return ok('SECRETS_KEY is set; back it up');
  if (config.roles.length < ROLES.length) return partOfTheRoles(config);
  const missing = 'SECRETS_KEY is not set, so every DATA_DIR gets its own key';
  const shared =
    config.nats.url === null ? [] : [warning(`${missing}; with NATS several processes may run`, SHARE_KEY)];
  return [await keyFile(join(config.dataDir, KEY_FILE)), ...shared];
}

async function partOfTheRoles({ dataDir, roles }: Config) {
  const path = join(dataDir, KEY_FILE);
  const isThere = (await stat(path).catch(() => null)) !== null;
  return problem(
    isThere
      ? `SECRETS_KEY is not set, so ${path} is used: processes with another DATA_DIR cannot decrypt its secrets`
      : `SECRETS_KEY is not set, and ${path} does not exist: a process with only ${roles.join(', ')} cannot start`,
    SHARE_KEY,
  );
}

async function keyFile(path: string) {
  const found = await stat(path).catch(() => null);
  if (found === null) return ok(`${path} will be created at the first start`);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return problem(`${path} cannot be read`, 'Make the user that runs the service its owner.');
  const parsed = parseSecretKey(text.trim());
  if (!parsed.ok)
    return problem(
      `${path} ${parsed.problem}`,
      'Restore it from a backup: a new key cannot decrypt the stored secrets.',
    );
  if ((found.mode & 0o007) !== 0) {
    return problem(
      `every account on this machine can use ${path}`,
      `The service cannot start until you run: chmod 600 ${path}`,
    );
  }
  if ((found.mode & 0o070) !== 0)
    return warning(`other members of its group can use ${path}`, `Run: chmod 600 ${path}`);
  return ok(`${path} exists and only its owner can read it; back it up`);
}

/** Otherwise a wrong key is noticed only at the first webhook. */
async function storedSecrets(db: Connection['db'], { config }: Examined) {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('webhook_endpoint') is not null as exists`.execute(
    db,
  );
  const hasKey = config.secretsKey !== null || (await stat(join(config.dataDir, KEY_FILE)).catch(() => null)) !== null;
  // Without a key, opening the secret box would create one, which a read-only check must not do.
  if (rows[0]?.exists !== true || !hasKey) return [];
  const box = createSecretBox(await loadSecretKey(config), config.secretsKeyPrevious);
  const { checked, unreadable } = await checkEndpointSecrets(db, box);
  if (unreadable === 0) return ok(`the key decrypts the webhook secrets (${checked} checked)`);
  return problem(
    `the key does not decrypt ${unreadable} of ${checked} webhook secrets: their webhooks cannot be signed`,
    'Set SECRETS_KEY to the key they were encrypted with, or set SECRETS_KEY_PREVIOUS to it and run "quittance secrets reseal".',
  );
}
