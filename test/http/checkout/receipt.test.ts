import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/http/checkout/languages/choose-language.ts';
import { describePages } from '../../support/browser/describe-pages.ts';
import { hasEveryPage } from './expect-accessible.ts';
import { startSampleServer } from './sample-server.ts';

describePages('the printed receipt', startSampleServer, (server, browser) => {
  test.each(LANGUAGES.filter(hasEveryPage))('fits one sheet of A4, in %s', async (language) => {
    const { page, close } = await browser.open();
    await page.goto(server.pageOf('completed', language));
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    await close();
  });

  test('contains the proof of payment, and nothing that is useful only on a screen', async () => {
    // A receipt prints dark on white, also in the dark theme.
    const { page, close } = await browser.open({ colorScheme: 'dark' });
    await page.goto(server.pageOf('completed'));
    const screenOnly = ['#back', '#print', '#languages', '#copy-txid-0', '#explorer-0'];
    for (const part of screenOnly) {
      expect(await page.locator(part).isVisible()).toBe(true);
    }
    await page.emulateMedia({ media: 'print' });
    for (const part of screenOnly) {
      expect([part, await page.locator(part).isVisible()]).toEqual([part, false]);
    }
    const text = await page.locator('body').innerText();
    for (const proof of [
      'Corner Bakery',
      'A-2026-0017',
      '25.00 EUR',
      '0.33540373 LTC',
      '9f3c1d0b7e6a',
      'txn_',
      'Completed',
      'a…@example.com',
      'help@bakery.example',
    ]) {
      expect(text).toContain(proof);
    }
    const colours = await page.evaluate(
      "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('h1')).color]",
    );
    expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
    await close();
  });

  test('is printed by its button', async () => {
    const { page, close } = await browser.open();
    await page.goto(server.pageOf('completed'));
    await page.evaluate('globalThis.print = () => { globalThis.printed = true; }');
    await page.click('#print');
    expect(await page.evaluate('globalThis.printed')).toBe(true);
    await close();
  });
});
