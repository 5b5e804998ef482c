import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { TerminalError } from '../../platform/errors.ts';
import type { CreatedSecrets } from './apply.ts';

/** Readable only by its owner. */
const SECRETS_MODE = 0o600;

/**
 * Adds the created secrets to the secrets file and keeps the existing entries. Writes a temporary
 * file and renames it, so that a crash leaves the old or the new file. Throws a `TerminalError`
 * `SECRETS_FILE` when the file has another content.
 */
export async function addToSecretsFile(path: string, created: readonly CreatedSecrets[]): Promise<void> {
  const merchants = new Map((await readExisting(path)).map((each) => [each.name, each]));
  for (const each of created) {
    const known = merchants.get(each.name);
    const webhooks = [...(known?.webhooks ?? []), ...each.webhooks];
    merchants.set(each.name, each.keys === undefined ? { ...known, ...each, webhooks } : each);
  }
  const temporary = join(dirname(resolve(path)), `.secrets-${process.pid}.tmp`);
  const file = await open(temporary, 'w', SECRETS_MODE);
  try {
    await file.writeFile(`${JSON.stringify({ merchants: [...merchants.values()] }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

// Helpers

async function readExisting(path: string): Promise<CreatedSecrets[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null || text.trim() === '') return [];
  try {
    const parsed = JSON.parse(text) as { merchants?: CreatedSecrets[] };
    if (Array.isArray(parsed.merchants)) return parsed.merchants;
  } catch {
    // Reported below.
  }
  throw new TerminalError('SECRETS_FILE', `${path} exists and is not a secrets file; pass another --out or move it`);
}
