import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * The JavaScript of a TypeScript file of this project, for a child process: `test/support/child-engine.ts`. Builds first
 * (incrementally, so a second time costs little), since a child that runs yesterday's code proves nothing.
 */
export function compile(file: string): string {
  const compiled = join(ROOT, 'dist', file.replace(/\.ts$/, '.js'));
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { error, stdout } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { cwd: ROOT, encoding: 'utf8' });
  // Type errors elsewhere are the type check's business; what was written can run.
  if (error !== undefined || !existsSync(compiled)) throw new Error(`${file} could not be built: ${error ?? stdout}`);
  return compiled;
}
