import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeApi } from '../api/index.ts';

/**
 * `npm run openapi` writes the OpenAPI document of the merchant API; with `--check` it only
 * compares. Runs in the root of the repository, where npm starts it.
 */
const TARGET = 'src/api/openapi.json';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const wanted = await render();
if (!values.check) {
  await writeFile(TARGET, wanted);
  console.log(`${TARGET} written`);
} else if ((await readCommitted()) === wanted) {
  console.log(`${TARGET} agrees with the routes`);
} else {
  console.error(`${TARGET} does not agree with the routes any more. Run: npm run openapi`);
  process.exitCode = 1;
}

// Helpers

async function render(): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  return `${JSON.stringify(await describeApi({ version }), null, 2)}\n`;
}

async function readCommitted(): Promise<string | null> {
  try {
    return await readFile(TARGET, 'utf8');
  } catch {
    // Not written yet counts as different.
    return null;
  }
}
