import { describe, expect, it } from 'vitest';
import { settingsMarkdown } from '../../../scripts/docs/settings-markdown.ts';
import { describeSettings, loadConfig } from '../../../src/platform/config/index.ts';
import { ALL_SETTINGS } from '../../../src/platform/config/settings.ts';

describe('the settings table', () => {
  it('lists every setting once in the help text and in the Markdown', () => {
    for (const { name, description } of ALL_SETTINGS) {
      expect(describeSettings().match(new RegExp(`^  ${name} `, 'gm'))).toHaveLength(1);
      expect(settingsMarkdown().split(`| \`${name}\` |`)).toHaveLength(2);
      expect(settingsMarkdown()).toContain(description);
    }
    expect(new Set(ALL_SETTINGS.map(({ name }) => name)).size).toBe(ALL_SETTINGS.length);
  });

  it('fits a terminal', () => {
    for (const line of describeSettings().split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('states defaults that parse to the default value', () => {
    const spelledOut = ALL_SETTINGS.filter(({ fallback }) => !fallback.startsWith('('));
    expect(spelledOut.length).toBeGreaterThan(5);
    expect(loadConfig(Object.fromEntries(spelledOut.map(({ name, fallback }) => [name, fallback])))).toEqual(
      loadConfig({}),
    );
  });

  it('has a Markdown row of three cells for each setting', () => {
    const rows = settingsMarkdown()
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(ALL_SETTINGS.length);
    for (const row of rows) expect(row.split(/(?<!\\)\|/)).toHaveLength(5);
  });
});
