import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { projectFolder } from '../../src/console/static/folders.ts';
import { connect } from '../../src/db/index.ts';
import { KEPT_FOLDER } from './kept-folder.ts';
import { migrateTemplate } from './migrate-template.ts';
import { schemaFingerprint } from './schema-fingerprint.ts';

const ROOT = projectFolder();
const PGLITE = join(ROOT, 'node_modules/@electric-sql/pglite/package.json');

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

/** Makes the file if it is not there yet, and returns its path. Each run does so before its first test, once for all workers. */
export async function keepTemplate(): Promise<string> {
  const path = join(KEPT_FOLDER, `embedded-${await schemaFingerprint([PGLITE])}.tar`);
  if (existsSync(path)) return path;
  const made = await makeTemplate();
  await mkdir(KEPT_FOLDER, { recursive: true });
  for (const name of await readdir(KEPT_FOLDER)) if (name.startsWith('embedded-')) await rm(join(KEPT_FOLDER, name));
  const own = `${path}.${process.pid}`;
  await writeFile(own, made);
  await rename(own, path);
  return path;
}

// Helpers

async function makeTemplate(): Promise<Uint8Array<ArrayBuffer>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-template-'));
  try {
    const connection = await connect({ url: null, dataDir, poolSize: 1 });
    await migrateTemplate(connection.db);
    await connection.close();
    const database = await PGlite.create({ dataDir: join(dataDir, 'database') });
    const dump = await database.dumpDataDir('none');
    await database.close();
    return new Uint8Array(await dump.arrayBuffer());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
