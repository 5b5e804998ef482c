import { open, rm } from 'node:fs/promises';
import { messageOf, TerminalError } from '../../errors.ts';
import type { IssuedKey } from '../../merchants/index.ts';

/** Readable by the operator alone. */
const SECRETS_MODE = 0o600;

/**
 * Makes a secret and hands it out before it exists: the file is complete on the disk when `make` is committed, and gone
 * when that fails. So there is no secret nobody has. Without a file it is for the terminal. `keep` is given what goes into the
 * file, as JSON. Throws a `TerminalError` `SECRETS_FILE` when the file cannot be made; one that is there is never written
 * over.
 */
export async function handOut<T>(
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

/** A key for programs, as the file has it. */
export function keyJson({ id, key }: IssuedKey) {
  return { key_id: id, key };
}

/** The key itself when nobody keeps it in a file; it cannot be shown again. */
export function handedOutText(out: string | null, { key }: IssuedKey): string {
  return out === null ? `${key}\nIt is not shown again.` : `It is in ${out} (readable by you alone).`;
}

/** The same for programs. */
export function handedOutJson(out: string | null, issued: IssuedKey) {
  return out === null ? keyJson(issued) : { key_id: issued.id, out };
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
