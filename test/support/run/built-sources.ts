import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';

const ROOT = resolve(import.meta.dirname, '../../..');
const BUILT = join(ROOT, 'dist');
const PARTS = ['src', 'machines', 'scripts', 'demo', 'bench'].map((part) => join(ROOT, part) + sep);

/** Files that Node loads untransformed, for `server.deps.external`. */
export const BUILT_FILES: RegExp = /\/dist\/(?:src|machines|scripts|demo|bench)\/.*\.js$/;

/**
 * Makes tests load the built files instead of their sources: tests run what ships, and
 * no worker has to transform a thousand files. What is not built (console pages, the tests
 * themselves) is still transformed.
 */
export function builtSources(): Plugin {
  return {
    name: 'built-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.startsWith('.') || importer === undefined) return null;
      const path = resolve(dirname(importer), source);
      if (!PARTS.some((part) => path.startsWith(part))) return null;
      const built = join(BUILT, path.slice(ROOT.length).replace(/\.ts$/, '.js'));
      return existsSync(built) ? built : null;
    },
  };
}

/** Updates the build; does nothing when it is current. */
export function buildSources(): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  for (const command of [[compiler, '-b', 'tsconfig.build.json'], ['dist/scripts/build/main.js']])
    execFileSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' });
}
