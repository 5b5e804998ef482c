import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle as bundleInto } from '../../../scripts/build/program.ts';
import { compile, DIST } from './compiled.ts';
import { makeOnce } from './make-once.ts';

const BUNDLES = join(DIST, 'bundles');
/** Longer than any test run. */
const DAY_MS = 86_400_000;

/**
 * The JavaScript of a TypeScript file of this project with all its imports, in few files, like the
 * program that ships. For child processes that are started by the dozen and live for a second.
 */
export async function bundle(file: string): Promise<string> {
  const compiled = compile(file);
  const name = basename(file, '.ts');
  // Every build that changed a module has also written this file.
  const folder = join(BUNDLES, `${name}-${statSync(join(DIST, '.tsbuildinfo')).mtimeMs}`);
  const entry = join(folder, 'main.js');
  mkdirSync(BUNDLES, { recursive: true });
  await makeOnce(folder, () => make(compiled, { name, folder }));
  return entry;
}

// Helpers

async function make(compiled: string, { name, folder }: { name: string; folder: string }): Promise<void> {
  const own = join(BUNDLES, `making-${name}-${process.pid}`);
  await bundleInto(compiled, own);
  for (const each of readdirSync(BUNDLES).filter((other) => other.startsWith(`${name}-`))) {
    if (isOutdated(join(BUNDLES, each))) rmSync(join(BUNDLES, each), { recursive: true, force: true });
  }
  renameSync(own, folder);
}

/**
 * Workers that build at the same time name their bundles after two different builds, and each uses
 * its own until it exits.
 */
function isOutdated(folder: string): boolean {
  const madeAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  return madeAt !== undefined && madeAt < Date.now() - DAY_MS;
}
