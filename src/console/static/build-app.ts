import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { appFolder, projectFolder } from './folders.ts';

/** What the pages are made of, besides the packages of the lock file. */
const SOURCES = ['src/console/app', 'src/console/contract', 'package-lock.json'];
/** Beside the built files: which sources they were built from. */
const STAMP = 'sources.sha256';

/**
 * Builds the pages of the console when they are missing or older than their sources, and does nothing otherwise: every start
 * of the service goes through here. Whether they are older is asked of the contents, not of the times, which a checkout sets
 * as it likes. Resolves with whether anything was built.
 */
export async function buildApp(project: string = projectFolder(), target: string = appFolder()): Promise<boolean> {
  const digest = digestOf(project);
  const stamp = join(target, STAMP);
  if (existsSync(join(target, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest)
    return false;
  // Built beside it and put in its place whole: another process may read or build it at the same time.
  const fresh = `${target}.${process.pid}`;
  await buildForProduction(project, fresh);
  writeFileSync(join(fresh, STAMP), digest);
  putInPlace(fresh, target);
  return true;
}

// Helpers

/** Others may be doing the same at this moment: of several that have built the same, any one's will do. */
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

/** Whoever asks for it, tests included: Vite takes what React is built for from NODE_ENV alone. */
async function buildForProduction(project: string, target: string): Promise<void> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    // Loaded here alone: it takes longer than everything else when there is nothing to do.
    const { build } = await import('vite');
    await build({
      configFile: join(project, 'src/console/app/vite.config.ts'),
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

/** A file, or all files of a folder, in an order that does not depend on the file system. */
function filesIn(project: string, source: string): string[] {
  if (source.includes('.')) return [source];
  return readdirSync(join(project, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    .sort();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildApp();
