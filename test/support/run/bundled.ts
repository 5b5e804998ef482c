import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compile, DIST } from './compiled.ts';
import { makeOnce } from './make-once.ts';

const BUNDLES = join(DIST, 'bundles');
/** Longer than any test run. */
const DAY_MS = 86_400_000;
/** Native code, packages that load files relative to themselves, and large, rarely loaded ones. */
const EXTERNAL = [
  '@electric-sql/pglite',
  '@node-rs/argon2',
  '@scalar/fastify-api-reference',
  'elkjs',
  'pg-native',
  'viem',
  'vite',
  'vitest',
  'zeromq',
];

/**
 * The JavaScript of a TypeScript file of this project with all its imports, in few files. For child
 * processes that are started by the dozen and live for a second: most of their CPU time goes into
 * resolving and linking hundreds of modules. What is shipped is what `compile` returns, which
 * test/e2e/cli.test.ts runs.
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
  const { build } = await import('vite');
  const own = join(BUNDLES, `making-${name}-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'error',
    root: dirname(compiled),
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir: own,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: {
        // Vite does not follow `new Worker` in a program for Node: the thread's module becomes a
        // second entry.
        input: { main: compiled, 'assets/derivation-worker': compile('src/wallets/derivation-worker.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
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
