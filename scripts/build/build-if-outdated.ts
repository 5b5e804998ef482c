import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A build product and its sources. */
export interface Product {
  readonly project: string;
  /** The folder it is built into. */
  readonly target: string;
  /** Files and folders of the project that it is built from. */
  readonly sources: readonly string[];
}

/**
 * Builds a folder when it is missing or outdated, and does nothing otherwise: every start of the
 * service calls it. Compares hashes of the contents, because a checkout sets arbitrary file times.
 * Resolves with whether anything was built.
 */
export async function buildIfOutdated(
  { project, target, sources }: Product,
  build: (folder: string) => Promise<void>,
): Promise<boolean> {
  const digest = digestOf(project, sources);
  const stamp = join(target, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return false;
  // Built in a separate folder and then renamed, because another process may read or build it at
  // the same time.
  const fresh = `${target}.${process.pid}`;
  await build(fresh);
  writeFileSync(join(fresh, STAMP), digest);
  putInPlace(fresh, target);
  return true;
}

// Helpers

/** Stored with the built files: the hash of their sources. */
const STAMP = 'sources.sha256';

/**
 * Another process may do the same concurrently: if several built the same sources, any result is
 * fine.
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

function digestOf(project: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => filesIn(project, source))) {
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
