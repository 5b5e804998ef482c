import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { settingsMarkdown } from '../config/index.ts';

/**
 * `npm run docs` writes the settings into the operations guide; with `--check` it only compares. Runs in the root of the
 * repository, where npm starts it.
 */
const TARGET = 'docs/operations.md';
/** What stands between these two lines is made here. */
const SECTION = /(?<=^<!-- settings:begin [^\n]*-->\n).*?(?=^<!-- settings:end -->$)/ms;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const present = await readFile(TARGET, 'utf8');
if (!SECTION.test(present)) throw new Error(`${TARGET} has no lines "settings:begin" and "settings:end"`);
const wanted = present.replace(SECTION, () => `\n${settingsMarkdown()}\n\n`);
if (!values.check) {
  await writeFile(TARGET, wanted);
  console.log(`${TARGET} written`);
} else if (wanted === present) {
  console.log(`${TARGET} agrees with the settings`);
} else {
  console.error(`${TARGET} does not agree with the settings any more. Run: npm run docs`);
  process.exitCode = 1;
}
