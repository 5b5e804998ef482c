import { open, rm } from 'node:fs/promises';
import { messageOf, TerminalError } from '../../errors.ts';
import type { IssuedKey } from '../../merchants/index.ts';

/** Readable by the operator alone. */
const SECRETS_MODE = 0o600;

/**
 * Makes a key and hands it out before it exists: the file is complete on the disk when `make` is committed, and gone
 * when that fails. So there is no key nobody has. Without a file the key is for the terminal. Throws a `TerminalError`
 * `SECRETS_FILE` when the file cannot be made; one that is there is never written over.
 */
export async function handOut(
  out: string | null,
  make: (keep: (issued: IssuedKey) => Promise<void>) => Promise<IssuedKey>,
): Promise<IssuedKey> {
  if (out === null) return make(async () => {});
  let isWritten = false;
  try {
    return await make(async ({ id, key }) => {
      await writeNewFile(out, `${JSON.stringify({ key_id: id, key }, null, 2)}\n`);
      isWritten = true;
    });
  } catch (error) {
    if (isWritten) await rm(out, { force: true });
    throw error;
  }
}

/** The key itself when nobody keeps it in a file; it cannot be shown again. */
export function handedOutText(out: string | null, { key }: IssuedKey): string {
  return out === null ? `${key}\nIt is not shown again.` : `It is in ${out} (readable by you alone).`;
}

/** The same for programs. */
export function handedOutJson(out: string | null, { id, key }: IssuedKey) {
  return out === null ? { key_id: id, key } : { key_id: id, out };
}

// Helpers

async function writeNewFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', SECRETS_MODE).catch((error: unknown) => {
    throw new TerminalError('SECRETS_FILE', `${path} cannot be made (${messageOf(error)}); give another --out`);
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
