import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, parseSecretKey, ROLES } from '../config/index.ts';
import { TerminalError } from '../errors.ts';

/** Name of the key file inside the data folder. */
export const KEY_FILE = 'secrets.key';

/**
 * The key that stored secrets are encrypted with: SECRETS_KEY when it is set, else the key file in the data
 * folder, which is made at the first start. Several processes may start at once: all get the same key. A process with a part
 * of the roles makes none, because those with the other parts may have folders of their own. Throws a `TerminalError` when the
 * file holds no key (SECRETS_KEY_INVALID), others can read it (SECRETS_KEY_EXPOSED), or there is none and none is made
 * (SECRETS_KEY_MISSING).
 */
export async function loadSecretKey(config: Pick<Config, 'secretsKey' | 'dataDir' | 'roles'>): Promise<Uint8Array> {
  if (config.secretsKey !== null) return config.secretsKey;
  const path = join(config.dataDir, KEY_FILE);
  const key = await readKey(path);
  if (key !== null) return key;
  if (config.roles.length < ROLES.length) throw missing(config.roles, path);
  return makeKey(config.dataDir, path);
}

// Helpers

/**
 * Read, write or search permission for everybody. Group permissions are left to the operator: container
 * platforms set them on mounted volumes by themselves.
 */
const OTHERS_MASK = 0o007;

function missing(roles: Config['roles'], path: string): TerminalError {
  return new TerminalError(
    'SECRETS_KEY_MISSING',
    `SECRETS_KEY is not set, and there is no ${path}. Running only ${roles.join(', ')} takes the key that the processes with ` +
      'the other roles have. Set SECRETS_KEY to the same value for every process: to what is in the secrets.key that the ' +
      'service has used so far, or, if it never ran, to what "openssl rand -hex 32" prints.',
  );
}

/** The key in the file, or null when there is no file. */
async function readKey(path: string): Promise<Uint8Array | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  if (((await stat(path)).mode & OTHERS_MASK) !== 0) {
    throw new TerminalError(
      'SECRETS_KEY_EXPOSED',
      `${path} can be used by every account of this machine; run: chmod 600 ${path}`,
    );
  }
  const parsed = parseSecretKey(text.trim());
  if (parsed.ok) return parsed.value;
  throw new TerminalError(
    'SECRETS_KEY_INVALID',
    `${path} ${parsed.problem}. Restore it from a backup; a new key cannot read the secrets already stored.`,
  );
}

/** Writes a complete file beside the final name and links it there, so nobody ever sees half a key. */
async function makeKey(folder: string, path: string): Promise<Uint8Array> {
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await file.sync();
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster; its key is the one.
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await file.close();
    await rm(draft);
  }
  const key = await readKey(path);
  if (key === null) throw new Error(`${path} vanished right after it was made`);
  return key;
}
