import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder with `package.json`. The depth of this file differs between the sources and the build.
 */
export function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('No package.json found above the program: install its complete folder');
    folder = parent;
  }
  return folder;
}

/** The folder of the built pages. */
export function appFolder(): string {
  return join(projectFolder(), 'dist', 'console');
}
