import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../src/http/console/static/folders.ts';

/** The folder of compiled programs; this file may itself be one. */
export const DIST = join(projectFolder(), 'dist');

/**
 * The JavaScript of a TypeScript file of this project, for a child process such as
 * `test/support/children/engine.ts`. The start of a test run has built it (`buildSources`), as
 * have the npm scripts that start other programs.
 */
export function compile(file: string): string {
  const compiled = join(DIST, file.replace(/\.ts$/, '.js'));
  if (!existsSync(compiled)) throw new Error(`${file} is not built: npm run build`);
  return compiled;
}
