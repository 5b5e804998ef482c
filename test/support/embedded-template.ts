import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { projectFolder } from '../../src/console/static/folders.ts';
import { connect, migrate } from '../../src/db/index.ts';
import { schemaFingerprint } from './schema-fingerprint.ts';

const ROOT = projectFolder();
const PGLITE = join(ROOT, 'node_modules/@electric-sql/pglite/package.json');
const CACHE = join(ROOT, 'node_modules/.cache/quittance');

/**
 * The contents of an embedded database with the schema of this version. Making one costs seconds of computing, dozens of
 * test files need one, and loading a finished one is several times cheaper; so it is kept between runs, under a name that
 * follows from the migrations and the version of PGlite.
 */
export async function readEmbeddedTemplate(): Promise<Blob> {
  return new Blob([new Uint8Array(await readFile(await keepTemplate()))]);
}

/** Writes it to where a service with this data folder has its embedded database, which must not exist yet. */
export async function unpackEmbeddedTemplate(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'database');
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('tar', ['-xf', await keepTemplate(), '-C', folder]);
}

// Helpers

/** Makes the file if it is not there yet, and answers where it is. */
async function keepTemplate(): Promise<string> {
  const path = join(CACHE, `embedded-${await schemaFingerprint([PGLITE])}.tar`);
  if (existsSync(path)) return path;
  const made = await makeTemplate();
  await mkdir(CACHE, { recursive: true });
  // Test files run side by side: whoever is last replaces a file with its equal.
  const own = `${path}.${process.pid}`;
  await writeFile(own, made);
  await rename(own, path);
  return path;
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
