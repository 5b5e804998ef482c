import { expect, test, vi } from 'vitest';
import { appFolder } from '../../../../src/http/console/static/folders.ts';
import { loadFiles } from '../../../../src/http/console/static/load-files.ts';
import { PATIENCE } from '../../../support/patience.ts';
import { describeConsolePages } from '../support/describe-console.ts';

/** Of the page and all it loads, compressed as they are sent. */
const MOST_BYTES = 120_000;

describeConsolePages('the first page load of a merchant', {}, (console) => {
  // Operators' pages, charts and dialogs once came with it: 218 KB.
  test.each(['/', '/payments', '/needs-attention'])('%s loads less than 120 KB', async (path) => {
    const { page, requests, troubles, close } = await console.open('owner', path, { isOwn: true });
    await page.locator('h1').waitFor();
    await vi.waitFor(async () => expect(await page.locator('.loading').count()).toBe(0), PATIENCE);
    const files = loadFiles(appFolder());
    const names = requests.map((url) => new URL(url).pathname.replace(/^\/console\//, ''));
    const loaded = [...new Set(['index.html', ...names])].flatMap((name) => {
      const file = files.get(name);
      return file === undefined ? [] : [{ name, bytes: (file.gzipped ?? file.content).length }];
    });
    const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(loaded.length).toBeGreaterThan(3);
    expect(total, JSON.stringify(loaded)).toBeLessThan(MOST_BYTES);
    expect(troubles).toEqual([]);
    await close();
  });
});
