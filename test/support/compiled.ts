import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** Written by every build that found something to do. */
const BUILD_INFO = join(ROOT, 'dist/.tsbuildinfo');
/** What tsconfig.build.json names, and what may change how it is read. */
const INPUT_FOLDERS = ['machines', 'src', 'bench', 'demo', 'test/support', 'test/chaos'];
const INPUT_FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/**
 * The JavaScript of a TypeScript file of this project, for a child process: `test/support/child-engine.ts`. Builds first if
 * anything was written since the last build, since a child that runs yesterday's code proves nothing.
 */
export function compile(file: string): string {
  const compiled = join(ROOT, 'dist', file.replace(/\.ts$/, '.js'));
  if (existsSync(compiled) && isBuilt()) return compiled;
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { error, stdout } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { cwd: ROOT, encoding: 'utf8' });
  // Type errors elsewhere are the type check's business; what was written can run.
  if (error !== undefined || !existsSync(compiled)) throw new Error(`${file} could not be built: ${error ?? stdout}`);
  return compiled;
}

// Helpers

/** Looking at the times of all files is a hundred times cheaper than asking the compiler. */
function isBuilt(): boolean {
  const builtMs = statSync(BUILD_INFO, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isOlder = (path: string) => statSync(path).mtimeMs < builtMs;
  // A folder is as new as the last file that came or went.
  const inFolders = INPUT_FOLDERS.flatMap((folder) => {
    const path = join(ROOT, folder);
    return [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))];
  });
  return [...INPUT_FILES.map((name) => join(ROOT, name)), ...inFolders].every(isOlder);
}
