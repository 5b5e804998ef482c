import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { projectFolder } from '../../../src/http/console/static/folders.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { KEPT_FOLDER } from '../run/kept-folder.ts';
import { migrateTemplate } from './migrate-template.ts';
import { schemaFingerprint } from './schema-fingerprint.ts';

const ROOT = projectFolder();
const PGLITE = join(ROOT, 'node_modules/@electric-sql/pglite/package.json');

/**
 * The contents of an embedded database with the current schema. Creating one takes seconds of CPU
 * time, dozens of test files need one, and loading a finished one is several times cheaper; so it
 * is cached between runs, under a name derived from the migrations and the version of PGlite.
 */
export async function readEmbeddedTemplate(): Promise<Blob> {
  return new Blob([new Uint8Array(await readFile(await keepTemplate()))]);
}

/** Unpacks it as the embedded database of this data folder, which must not have one yet. */
export async function unpackEmbeddedTemplate(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'database');
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('tar', ['-xf', await keepTemplate(), '-C', folder]);
}

/**
 * Creates the file if it does not exist, and returns its path. Each run calls it once for all
 * workers, before the first test.
 */
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
