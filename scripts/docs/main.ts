import { readFile } from 'node:fs/promises';
import { type GeneratedFile, writeOrCheck } from '../write-or-check.ts';
import { metricsMarkdown } from './metrics-markdown.ts';
import { settingsMarkdown } from './settings-markdown.ts';

/**
 * `npm run docs` writes the table of settings and the table of metrics into their documents;
 * with `--check` it only compares.
 */
await writeOrCheck('npm run docs', [
  await withSection('docs/operators/settings.md', 'settings', settingsMarkdown()),
  await withSection('docs/operators/monitoring.md', 'metrics', metricsMarkdown()),
]);

// Helpers

/** Replaces the text between the two markers of the section. */
async function withSection(path: string, name: string, markdown: string): Promise<GeneratedFile> {
  const present = await readFile(path, 'utf8');
  const section = new RegExp(`(?<=^<!-- ${name}:begin [^\\n]*-->\\n).*?(?=^<!-- ${name}:end -->$)`, 'ms');
  if (!section.test(present)) throw new Error(`${path} has no markers "${name}:begin" and "${name}:end"`);
  return { path, text: present.replace(section, () => `\n${markdown}\n\n`) };
}
