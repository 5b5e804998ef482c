import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

/**
 * The JavaScript of a TypeScript file of this project, for a child process: `test/support/child-engine.ts`. Builds first if
 * anything was written since the last build, since a child that runs yesterday's code proves nothing.
 */
export function compile(file: string): string {
  const compiled = join(ROOT, 'dist', file.replace(/\.ts$/, '.js'));
  // Compares the times of files before it reads any: a tenth of a second when there is nothing to do.
  const { error, stdout } = spawnSync(TSC, ['-b', 'tsconfig.build.json'], { cwd: ROOT, encoding: 'utf8' });
  // Type errors elsewhere are the type check's business; what was written can run.
  if (error !== undefined || !existsSync(compiled)) throw new Error(`${file} could not be built: ${error ?? stdout}`);
  return compiled;
}
