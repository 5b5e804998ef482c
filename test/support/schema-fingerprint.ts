import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../src/console/static/folders.ts';

const MIGRATIONS = join(projectFolder(), 'src/db/migrations');
/** Code that makes tables or rows outside the migrations. */
const OTHERS = ['src/db/migrating/ledger.ts', 'test/support/migrate-template.ts'].map((path) =>
  join(projectFolder(), path),
);

/**
 * Returns 16 hexadecimal digits that change with any migration, with the code that makes a
 * template, or with any of `more`.
 */
export async function schemaFingerprint(more: readonly string[] = []): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [...OTHERS, ...more]) hash.update(await readFile(path));
  const names = await readdir(MIGRATIONS, { recursive: true });
  for (const name of names.filter((path) => path.endsWith('.ts')).sort())
    hash.update(name).update(await readFile(join(MIGRATIONS, name)));
  return hash.digest('hex').slice(0, 16);
}
