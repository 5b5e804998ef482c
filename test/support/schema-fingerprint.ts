import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../src/console/static/folders.ts';

const MIGRATIONS = join(projectFolder(), 'src/db/migrations');
const TEMPLATE = join(projectFolder(), 'test/support/migrate-template.ts');

/**
 * Returns 16 hexadecimal digits that change with any migration, with the code that makes a
 * template, or with any of `more`.
 */
export async function schemaFingerprint(more: readonly string[] = []): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [TEMPLATE, ...more]) hash.update(await readFile(path));
  for (const name of (await readdir(MIGRATIONS)).sort())
    hash.update(name).update(await readFile(join(MIGRATIONS, name)));
  return hash.digest('hex').slice(0, 16);
}
