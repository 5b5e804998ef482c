import { ALL_SETTINGS } from '../../src/platform/config/index.ts';

/** All settings as a Markdown table, in the order of `quittance help`. */
export function settingsMarkdown(): string {
  const rows = ALL_SETTINGS.map(({ name, fallback, description }) => {
    const shown = fallback.startsWith('(') ? fallback.slice(1, -1) : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${description.replaceAll('|', '\\|')} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
