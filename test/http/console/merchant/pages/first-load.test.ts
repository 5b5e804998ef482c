import { expect, test, vi } from 'vitest';
import { appFolder } from '../../../../../src/http/console/static/folders.ts';
import { loadFiles } from '../../../../../src/http/console/static/load-files.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';

/** Maximum size of the page and all code and styles it loads, compressed as sent. */
const MAX_BYTES = 120_000;
/** Maximum size of the font. No page waits for it: until it is loaded, a system font is shown. */
const MAX_FONT_BYTES = 30_000;

describeConsolePages('the first page load of a merchant', {}, (console) => {
  // Operators' pages, charts and dialogs once came with it: 218 KB.
  test.each(['/', '/payments', '/needs-attention'])('%s loads less than 120 KB', async (path) => {
    const { page, requests, troubles, close } = await console.open('owner', path, { isOwn: true });
    await page.locator('h1').waitFor();
    await vi.waitFor(async () => expect(await page.locator('.loading').count()).toBe(0), POLLING);
    const files = loadFiles(appFolder());
    const names = requests.map((url) => new URL(url).pathname.replace(/^\/console\//, ''));
    const loaded = [...new Set(['index.html', ...names])].flatMap((name) => {
      const file = files.get(name);
      return file === undefined ? [] : [{ name, bytes: (file.gzipped ?? file.content).length }];
    });
    const bytesOf = (isCounted: (name: string) => boolean) =>
      loaded.filter(({ name }) => isCounted(name)).reduce((sum, { bytes }) => sum + bytes, 0);
    const isFont = (name: string) => name.endsWith('.woff2');
    expect(loaded.length).toBeGreaterThan(3);
    expect(
      bytesOf((name) => !isFont(name)),
      JSON.stringify(loaded),
    ).toBeLessThan(MAX_BYTES);
    expect(bytesOf(isFont), JSON.stringify(loaded)).toBeLessThan(MAX_FONT_BYTES);
    expect(await page.evaluate('document.fonts.check(\'16px "Geist Variable"\')')).toBe(true);
    expect(troubles).toEqual([]);
    await close();
  });
});
