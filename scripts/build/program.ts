import { dirname, join } from 'node:path';
import { projectFolder } from '../../src/http/console/static/folders.ts';
import { buildIfOutdated } from './build-if-outdated.ts';

const DIST = join(projectFolder(), 'dist');

/** The `quittance` command of the image, the systemd units and a clone. */
export const PROGRAM: string = join(DIST, 'quittance/main.js');

/** Bundles the compiled command. Resolves with whether it was missing or outdated. */
export function buildProgram(): Promise<boolean> {
  // The compiler's list of its files has the hash of each.
  const sources = ['dist/.tsbuildinfo', 'package-lock.json'];
  return buildIfOutdated({ project: projectFolder(), target: dirname(PROGRAM), sources }, (folder) =>
    bundle(join(DIST, 'src/main.js'), folder),
  );
}

/**
 * Writes `main.js` with all modules that a compiled program imports, and dynamically imported ones
 * next to it. Resolving and linking two thousand modules takes most of the CPU time of a start, and
 * a fifth of the memory afterwards.
 */
export async function bundle(compiled: string, folder: string): Promise<void> {
  // Imported only when needed: loading it takes longer than everything else when nothing is built.
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    root: dirname(compiled),
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: {
        // Vite does not follow `new Worker` in a program for Node: the thread's module becomes a
        // second entry.
        input: { main: compiled, 'assets/derivation-worker': join(DIST, 'src/wallets/supply/derivation-worker.js') },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
}

// Helpers

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
