import type { TestProject } from 'vitest/node';
import { buildSources } from './built-sources.ts';

/**
 * Runs once before the first test file: builds, provides servers for all files and prints a table
 * of what this machine lacks.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildSources();
  project.onTestsRerun(buildSources);
  // Only now: it imports the build, and an older one would create templates of an old schema.
  const { prepareRun } = await import('./prepare-run.ts');
  return prepareRun();
}
