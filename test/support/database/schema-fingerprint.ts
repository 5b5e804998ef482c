import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../../src/http/console/static/folders.ts';

/** The built files: the build creates templates, and an edited source may be ahead of it. */
const MIGRATIONS = join(projectFolder(), 'dist/src/platform/db/migrations');
/** Code that creates tables or rows outside the migrations. */
const OTHERS = ['dist/src/platform/db/migrating/run-migrations.js', 'test/support/database/migrate-template.ts'].map(
  (path) => join(projectFolder(), path),
);

/**
 * Returns 16 hexadecimal digits that change with any migration, with the code that creates a
 * template, or with any of `more`.
 */
export async function schemaFingerprint(more: readonly string[] = []): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [...OTHERS, ...more]) hash.update(await readFile(path));
  const names = await readdir(MIGRATIONS, { recursive: true });
  for (const name of names.filter((path) => path.endsWith('.js')).sort())
    hash.update(name).update(await readFile(join(MIGRATIONS, name)));
  return hash.digest('hex').slice(0, 16);
}
