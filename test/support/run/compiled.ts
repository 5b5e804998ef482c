import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * The JavaScript of a TypeScript file of this project, for a child process such as
 * `test/support/children/engine.ts`. The start of a test run has built it (`buildSources`), as
 * have the npm scripts that start other programs.
 */
export function compile(file: string): string {
  const compiled = join(ROOT, 'dist', file.replace(/\.ts$/, '.js'));
  if (!existsSync(compiled)) throw new Error(`${file} is not built: npm run build`);
  return compiled;
}
