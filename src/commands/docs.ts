import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { settingsMarkdown } from '../config/index.ts';
import { metricsMarkdown } from '../monitoring/index.ts';

/**
 * `npm run docs` writes the settings into the operations guide and the metrics into the monitoring
 * guide; with `--check` it only compares. Runs in the root of the repository, where npm starts it.
 */
const SECTIONS = [
  { target: 'docs/operations.md', name: 'settings', markdown: settingsMarkdown },
  { target: 'docs/monitoring.md', name: 'metrics', markdown: metricsMarkdown },
] as const;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
for (const { target, name, markdown } of SECTIONS) {
  const present = await readFile(target, 'utf8');
  // The text between the two markers is generated.
  const section = new RegExp(`(?<=^<!-- ${name}:begin [^\\n]*-->\\n).*?(?=^<!-- ${name}:end -->$)`, 'ms');
  if (!section.test(present)) throw new Error(`${target} has no lines "${name}:begin" and "${name}:end"`);
  const wanted = present.replace(section, () => `\n${markdown()}\n\n`);
  if (!values.check) {
    await writeFile(target, wanted);
    console.log(`${target} written`);
  } else if (wanted === present) {
    console.log(`${target} agrees with the ${name}`);
  } else {
    console.error(`${target} does not agree with the ${name} any more. Run: npm run docs`);
    process.exitCode = 1;
  }
}
