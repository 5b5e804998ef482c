import { ALL_SETTINGS } from './settings.ts';

const NAME_COLUMN = 24;
const TEXT_COLUMNS = 96;

/** All settings as terminal text: name and default on one line, the description below. */
export function describeSettings(): string {
  return ALL_SETTINGS.flatMap(({ name, fallback, description }) => [
    `  ${`${name} `.padEnd(NAME_COLUMN)}${fallback}`,
    ...wrap(description, TEXT_COLUMNS - NAME_COLUMN).map((line) => `  ${' '.repeat(NAME_COLUMN)}  ${line}`),
  ]).join('\n');
}

/** All settings as a Markdown table. */
export function settingsMarkdown(): string {
  const rows = ALL_SETTINGS.map(({ name, fallback, description }) => {
    const shown = fallback.startsWith('(') ? fallback.slice(1, -1) : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${description.replaceAll('|', '\\|')} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
