import { join } from 'node:path';
import { appFolder, projectFolder } from '../../src/http/console/static/folders.ts';
import { buildIfOutdated } from './build-if-outdated.ts';

/** Builds the pages of the console. Resolves with whether they were missing or outdated. */
export function buildPages(project: string = projectFolder(), target: string = appFolder()): Promise<boolean> {
  return buildIfOutdated({ project, target, sources: ['src/web', 'package-lock.json'] }, (folder) =>
    buildForProduction(project, folder),
  );
}

// Helpers

/**
 * Sets NODE_ENV, which alone determines the variant of React that Vite bundles; tests set another
 * value.
 */
async function buildForProduction(project: string, target: string): Promise<void> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    // Imported only when needed: loading it takes longer than everything else when nothing is to be
    // built.
    const { build } = await import('vite');
    await build({
      configFile: join(project, 'src/web/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: target, emptyOutDir: true },
    });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
