import { open, rm } from 'node:fs/promises';
import type { IssuedKey } from '../../merchants/index.ts';
import { messageOf, TerminalError } from '../../platform/errors.ts';

/** Readable only by its owner. */
const SECRETS_MODE = 0o600;

/**
 * Creates a secret and writes it to the file before the commit: the file is synced to disk when
 * `make` commits, and removed when `make` fails. So no secret exists that was not received. Without
 * a file the secret is printed to the terminal. `keep` receives the content of the file, as JSON.
 * Throws a `TerminalError` `SECRETS_FILE` when the file cannot be created; an existing file is
 * never overwritten.
 */
export async function issueSecret<T>(
  out: string | null,
  make: (keep: (issued: object) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (out === null) return make(async () => {});
  let isWritten = false;
  try {
    return await make(async (issued) => {
      await writeNewFile(out, `${JSON.stringify(issued, null, 2)}\n`);
      isWritten = true;
    });
  } catch (error) {
    if (isWritten) await rm(out, { force: true });
    throw error;
  }
}

/** A key as JSON, as the file contains it. */
export function keyJson({ id, key }: IssuedKey) {
  return { key_id: id, key };
}

/** The key itself when it is not written to a file; it cannot be shown again. */
export function issuedKeyText(out: string | null, { key }: IssuedKey): string {
  return out === null ? `${key}\nIt is not shown again.` : `Written to ${out} (only you can read it).`;
}

export function issuedKeyJson(out: string | null, issued: IssuedKey) {
  return out === null ? keyJson(issued) : { key_id: issued.id, out };
}

// Helpers

async function writeNewFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', SECRETS_MODE).catch((error: unknown) => {
    throw new TerminalError('SECRETS_FILE', `${path} cannot be created (${messageOf(error)}); pass another --out`);
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
