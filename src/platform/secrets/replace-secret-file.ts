import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** Readable only by its owner. */
const MODE = 0o600;

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
