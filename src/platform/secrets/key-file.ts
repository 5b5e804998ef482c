import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, parseSecretKey, ROLES } from '../config/index.ts';
import { TerminalError } from '../errors.ts';

/** Name of the key file inside the data folder. */
export const KEY_FILE = 'secrets.key';

/**
 * The encryption key for stored secrets: SECRETS_KEY if set, else the key file in the data folder,
 * which the first start creates. Concurrent starts all get the same key. A process with only some
 * roles does not create one, because the other processes may use other folders.
 *
 * Throws a `TerminalError`: SECRETS_KEY_INVALID when the file holds no valid key,
 * SECRETS_KEY_EXPOSED when other users have access to it, SECRETS_KEY_MISSING when there is none
 * and none is created.
 */
export async function loadSecretKey(config: Pick<Config, 'secretsKey' | 'dataDir' | 'roles'>): Promise<Uint8Array> {
  if (config.secretsKey !== null) return config.secretsKey;
  const path = join(config.dataDir, KEY_FILE);
  const key = await readKey(path);
  if (key !== null) return key;
  if (config.roles.length < ROLES.length) throw missing(config.roles, path);
  return makeKey(config.dataDir, path);
}

/**
 * Writes a file that only its owner can read, and replaces an existing one. Writes a new file and
 * renames it, so that a crash leaves the old or the new content. Its name is random and it must not
 * exist, so that no other user can put a link or a readable file there.
 */
export async function replaceSecretFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = await open(draft, 'wx', MODE);
  try {
    await file.writeFile(text);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

// Helpers

/** Readable only by its owner. */
const MODE = 0o600;

/**
 * Any permission for others. Group permissions are up to the operator: container platforms set them
 * on mounted volumes automatically.
 */
const OTHERS_MASK = 0o007;

function missing(roles: Config['roles'], path: string): TerminalError {
  return new TerminalError(
    'SECRETS_KEY_MISSING',
    `SECRETS_KEY is not set, and ${path} does not exist. A process with only ${roles.join(', ')} needs the key of the processes ` +
      'with the other roles. Set SECRETS_KEY to the same value for every process: the content of the existing secrets.key ' +
      'or, for a new installation, the output of "openssl rand -hex 32".',
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
      `${path} is accessible to every account on this machine; run: chmod 600 ${path}`,
    );
  }
  const parsed = parseSecretKey(text.trim());
  if (parsed.ok) return parsed.value;
  throw new TerminalError(
    'SECRETS_KEY_INVALID',
    `${path} ${parsed.problem}. Restore it from a backup; a new key cannot decrypt the stored secrets.`,
  );
}

/** Writes a temporary file and links it to its name, so no process ever reads a partial key. */
async function makeKey(folder: string, path: string): Promise<Uint8Array> {
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = await open(draft, 'wx', MODE);
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await file.sync();
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster; use its key.
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await file.close();
    await rm(draft);
  }
  const key = await readKey(path);
  if (key === null) throw new Error(`${path} vanished right after it was created`);
  return key;
}
