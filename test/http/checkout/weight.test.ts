import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/http/checkout/languages/choose-language.ts';
import { describePages } from '../../support/browser/describe-pages.ts';
import { level } from '../../support/run/level.ts';
import { startSampleServer } from './sample-server.ts';
import { SAMPLES } from './samples.ts';
import { transferOf } from './transfer.ts';

/** Budget of a first load, headers included. */
const BUDGET_BYTES = 60_000;

describePages('a first page load', startSampleServer, (server, browser) => {
  // German has the longest words; the other languages are tested on the fullest screen, since other
  // screens have less text.
  const fewer = ['waiting', 'completed, too much'];
  test.each([
    ...level.pick({ quick: fewer, full: Object.keys(SAMPLES) }).map((name) => ['de', name] as const),
    ...LANGUAGES.map((language) => [language, 'waiting, ether'] as const),
  ])('stays far below its budget: %s, %s', async (language, name) => {
    const { bytes, files } = await transferOf(browser, server.pageOf(name, language));
    // Page, style, script, icon, and the event stream where the page waits for something; the
    // colour of a merchant is a style of its own.
    expect(files).toBeGreaterThanOrEqual(3);
    expect(files).toBeLessThanOrEqual(name.includes('branded') ? 6 : 5);
    expect(bytes).toBeGreaterThan(3_000);
    expect(bytes).toBeLessThan(BUDGET_BYTES / 2);
  });

  test('stays within its budget without compression', async () => {
    const headers = { 'accept-encoding': 'identity' };
    const page = await fetch(server.pageOf('waiting, ether', 'de'), { headers });
    const text = await page.text();
    let bytes = Buffer.byteLength(text);
    for (const [, path] of text.matchAll(/(?:src|href)="\.\.\/(checkout\/assets\/[^"]+)"/g)) {
      const file = await fetch(`${server.url}/${path}`, { headers });
      expect(file.headers.get('content-encoding')).toBeNull();
      bytes += (await file.arrayBuffer()).byteLength;
    }
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(BUDGET_BYTES);
  });
});
