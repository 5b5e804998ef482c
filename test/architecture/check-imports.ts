import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnruledFiles, findViolations, findWildcardIndexes, type SourceFile } from './find-violations.ts';

/**
 * `npm run check:imports` compares every import of `machines` and `src` with the table in
 * folder-rules.ts, and exits 1 when the table does not allow one. Runs in the repository root,
 * where npm starts it.
 */
const files = ['machines', 'src'].flatMap(sourceFiles);
const problems = [findViolations, findUnruledFiles, findWildcardIndexes].flatMap((find) => find(files));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${files.length} files import only what test/architecture/allowed-imports.ts allows`);
}

// Helpers

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));
}
