import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { connect, migrate } from '../../src/db/index.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MIGRATIONS = join(ROOT, 'src/db/migrations');
const CACHE = join(ROOT, 'node_modules/.cache/quittance');

/**
 * The contents of an embedded database with the schema of this version. Making one costs seconds of computing, dozens of
 * test files need one, and loading a finished one is several times cheaper; so it is kept between runs, under a name that
 * follows from the migrations and the version of PGlite.
 */
export async function readEmbeddedTemplate(): Promise<Blob> {
  const path = join(CACHE, `embedded-${await fingerprint()}.tar`);
  const kept = await readFile(path).catch(() => null);
  if (kept !== null) return new Blob([new Uint8Array(kept)]);
  const made = await makeTemplate();
  await mkdir(CACHE, { recursive: true });
  // Test files run side by side: whoever is last replaces a file with its equal.
  const own = `${path}.${process.pid}`;
  await writeFile(own, made);
  await rename(own, path);
  return new Blob([made]);
}

// Helpers

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(join(ROOT, 'node_modules/@electric-sql/pglite/package.json')));
  for (const name of (await readdir(MIGRATIONS)).sort())
    hash.update(name).update(await readFile(join(MIGRATIONS, name)));
  return hash.digest('hex').slice(0, 16);
}

async function makeTemplate(): Promise<Uint8Array<ArrayBuffer>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-template-'));
  try {
    const connection = await connect({ url: null, dataDir, poolSize: 1 });
    await migrate(connection.db);
    await connection.close();
    const database = await PGlite.create({ dataDir: join(dataDir, 'database') });
    const dump = await database.dumpDataDir('none');
    await database.close();
    return new Uint8Array(await dump.arrayBuffer());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
