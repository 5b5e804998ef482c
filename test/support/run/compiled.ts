import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

/**
 * The JavaScript of a TypeScript file of this project, for a child process such as
 * `test/support/children/engine.ts`. Builds first if anything has changed since the last build: a
 * child must not run stale code.
 */
export function compile(file: string): string {
  const compiled = join(ROOT, 'dist', file.replace(/\.ts$/, '.js'));
  // Compares file times before it reads any file: a tenth of a second when nothing has changed.
  const { error, stdout } = spawnSync(TSC, ['-b', 'tsconfig.build.json'], { cwd: ROOT, encoding: 'utf8' });
  // Type errors elsewhere are left to the type check; the emitted code can run.
  if (error !== undefined || !existsSync(compiled)) throw new Error(`${file} could not be built: ${error ?? stdout}`);
  return compiled;
}
