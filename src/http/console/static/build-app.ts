import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { appFolder, projectFolder } from './folders.ts';

/** The sources of the pages, in addition to the packages of the lock file. */
const SOURCES = ['src/web', 'package-lock.json'];
/** Stored with the built files: the hash of their sources. */
const STAMP = 'sources.sha256';

/**
 * Builds the pages of the console when they are missing or outdated, and does nothing otherwise:
 * every start of the service calls it. Compares hashes of the contents, because a checkout sets
 * arbitrary file times. Resolves with whether anything was built.
 */
export async function buildApp(project: string = projectFolder(), target: string = appFolder()): Promise<boolean> {
  const digest = digestOf(project);
  const stamp = join(target, STAMP);
  if (existsSync(join(target, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest)
    return false;
  // Built in a separate folder and then renamed, because another process may read or build it at
  // the same time.
  const fresh = `${target}.${process.pid}`;
  await buildForProduction(project, fresh);
  writeFileSync(join(fresh, STAMP), digest);
  putInPlace(fresh, target);
  return true;
}

// Helpers

/**
 * Another process may do the same at this moment: if several built the same sources, any result
 * will do.
 */
function putInPlace(fresh: string, target: string): void {
  const former = `${fresh}.former`;
  try {
    if (existsSync(target)) renameSync(target, former);
    renameSync(fresh, target);
  } catch (error) {
    if (!existsSync(join(target, STAMP))) throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
  rmSync(former, { recursive: true, force: true });
}

/**
 * Sets NODE_ENV, which alone determines the variant of React that Vite bundles; tests set another
 * value.
 */
async function buildForProduction(project: string, target: string): Promise<void> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    // Imported only when needed: loading it takes longer than everything else when nothing is to be
    // built.
    const { build } = await import('vite');
    await build({
      configFile: join(project, 'src/web/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: target, emptyOutDir: true },
    });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

function digestOf(project: string): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesIn(project, source))) {
    const content = readFileSync(join(project, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** A file, or all files of a folder, in an order independent of the file system. */
function filesIn(project: string, source: string): string[] {
  if (source.includes('.')) return [source];
  return readdirSync(join(project, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    .sort();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildApp();
