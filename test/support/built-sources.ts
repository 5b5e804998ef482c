import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';

const ROOT = resolve(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'dist');
const PARTS = ['src', 'machines', 'demo', 'bench'].map((part) => join(ROOT, part) + sep);

/** What Node loads as it is, for `server.deps.external`. */
export const BUILT_FILES: RegExp = /\/dist\/(?:src|machines|demo|bench)\/.*\.js$/;

/**
 * Tests load the built files of the product in place of its sources: what ships is what is tested, and no worker has to
 * transform a thousand files. What is not built (the console's pages, the tests themselves) is transformed as ever.
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

/** Brings what is built up to date; does nothing where it is. */
export function buildSources(): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
}
