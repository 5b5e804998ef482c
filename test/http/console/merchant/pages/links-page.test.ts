import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { buttonOf } from '../../../../../src/web/pages/merchant/links/link-button.ts';
import { uniqueAddress } from '../../../../accounts/harness.ts';
import { bytesOfImage, IMAGES } from '../../../../images/samples.ts';
import { expectUsable, seriousViolations, TABLET_TOO } from '../../../../support/browser/axe.ts';
import { horizontalOverflow } from '../../../../support/browser/browser.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { picture } from './pages.ts';

const HOSTILE = '<img src=x onerror="document.title=1">"\'&amp;';

/** Pixels along an edge of a drawn QR code. */
const SIDE = 400;

describeConsolePages('the payment links page of a merchant', {}, (console) => {
  /** Opens an address as a customer of a network of their own: GET /v1/pay has a limit for each. */
  function follow(address: string): Promise<Response> {
    return fetch(address, { headers: { 'x-forwarded-for': uniqueAddress() }, redirect: 'manual' });
  }

  /** Horizontal overflow of the page, or of its dialog, in px. */
  async function overflowOf(page: Page): Promise<number> {
    const inDialog: unknown = await page.evaluate(
      "Math.max(0, ...[...document.querySelectorAll('.dialog-body')].map((body) => body.scrollWidth - body.clientWidth))",
    );
    return Math.max(await horizontalOverflow(page), Number(inDialog));
  }

  test('a link is created, shared and closed by clicks', async () => {
    const { page, troubles, close } = await console.open('staff', '/test/links');
    await page.getByText('No test links yet').waitFor();
    await page.getByRole('button', { name: 'Create a link' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Invoice 1042');
    await dialog.getByLabel('Description').fill('Two hours of advice');
    await dialog.getByLabel('Amount').fill('1,299.50');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.field', { hasText: 'Amount' }).getByText('Enter an amount like 1299.50').waitFor();
    expect(await dialog.getByLabel('What customers see').innerText()).not.toContain('1,299.50');
    await dialog.getByLabel('Amount').fill('24,5');
    const preview = dialog.getByLabel('What customers see');
    const file = dialog.getByLabel('Image (optional)');
    for (const [buffer, problem] of [
      [Buffer.alloc(300 * 1_024), 'This file has 300 KB. Choose one of at most 256 KB.'],
      [Buffer.from('no image'), 'Browsers cannot display this image. Choose a PNG, JPEG or WebP file.'],
    ] as const) {
      await file.setInputFiles({ name: 'mug.png', mimeType: 'image/png', buffer });
      await dialog.getByText(problem).waitFor();
    }
    await file.setInputFiles({ name: 'mug.png', mimeType: 'image/png', buffer: bytesOfImage(IMAGES.PNG) });
    await preview.locator('img').waitFor();
    await dialog.getByRole('button', { name: 'Remove image' }).click();
    await preview.locator('img').waitFor({ state: 'detached' });
    await file.setInputFiles({ name: 'mug.txt', mimeType: 'text/plain', buffer: bytesOfImage(IMAGES.PNG) });
    await preview.locator('img').waitFor();
    await expect
      .poll(() => preview.innerText(), POLLING)
      .toMatch(/24\.50\sEUR[\s\S]*Invoice 1042[\s\S]*Two hours of advice/);
    await dialog.getByLabel('LTC', { exact: true }).check();
    await dialog.getByText('More options').click();
    await dialog.getByLabel('Return URL').fill('javascript:alert(1)');
    await picture(page, 'filled-1440');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/success URL must be an https/)
      .waitFor();
    await dialog.getByLabel('Return URL').fill('https://shop.example/thanks');
    await dialog.getByRole('button', { name: 'Create link' }).click();

    const opened = page.getByRole('dialog', { name: 'Invoice 1042' });
    await opened.getByRole('img', { name: 'What customers see of Invoice 1042' }).waitFor();
    await opened.getByRole('img', { name: 'QR code of the address of Invoice 1042' }).waitFor();
    await picture(page, 'share-1440');
    const address = await opened.getByLabel('Address', { exact: true }).locator('code').innerText();
    expect(address).toMatch(/\/l\/\w{12}$/);
    for (const form of ['PNG', 'SVG']) {
      const saved = page.waitForEvent('download');
      await opened.getByRole('button', { name: `Save as ${form}` }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toMatch(new RegExp(`^payment-link-[\\w-]+\\.${form.toLowerCase()}$`));
      const bytes = await readFile(await file.path());
      expect(
        await scan(page, `data:${form === 'PNG' ? 'image/png' : 'image/svg+xml'};base64,${bytes.toString('base64')}`),
      ).toBe(address);
    }
    const customer = await console.browser.open();
    await customer.page.goto(address);
    await customer.page.getByText('Invoice 1042').waitFor();
    await customer.page.getByRole('img', { name: 'Invoice 1042' }).waitFor();
    const widthOfImage = () => customer.page.evaluate("document.querySelector('.picture').naturalWidth");
    await expect.poll(widthOfImage, POLLING).toBe(6);
    await customer.page.getByText('Two hours of advice').waitFor();
    await customer.page.getByLabel(/Litecoin/).check();
    await customer.page.getByRole('button', { name: 'Continue to the payment' }).click();
    await customer.page.waitForURL(/\/transaction\/txn_/);
    await customer.close();

    await opened.getByRole('button', { name: 'Close link…' }).click();
    await opened.getByText('It starts no new payments').waitFor();
    await opened.getByRole('button', { name: 'Close permanently' }).click();
    await opened.getByText('Closed', { exact: true }).first().waitFor();
    const { links } = (await console.call('owner', { path: '/merchant/links?mode=test' })).data;
    expect(links).toMatchObject([{ title: 'Invoice 1042', state: 'closed', cryptos: ['LTC'] }]);
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    await page.getByRole('table').getByText('Closed').waitFor();
    // The browser logs the rejected address.
    expect(troubles.filter((trouble) => !/status of 400/.test(trouble))).toEqual([]);
    await close();
  });

  test('the HTML to copy contains a title as text only', async () => {
    const { page, close } = await console.browser.open();
    const html = buttonOf({ url: 'https://pay.example.com/l/0"><b>', title: HOSTILE });
    // As a string, because these tests have no DOM types.
    const read = await page.evaluate(`(() => {
      const { body } = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html');
      return { tags: [...body.querySelectorAll('*')].map((element) => element.localName), text: body.textContent };
    })()`);
    expect(read).toEqual({ tags: ['a'], text: `Pay for ${HOSTILE}` });
    await close();
  });

  test('excess payments are shown, with links to them', async () => {
    const requested = { mode: 'test', title: 'One seat', amount: '25', currency: 'EUR', maxUses: 1, slug: 'one-seat' };
    expect((await console.call('owner', { method: 'POST', path: '/merchant/links', body: requested })).status).toBe(
      201,
    );
    const ids: string[] = [];
    for (const crypto of ['BTC', 'LTC']) {
      const query = new URLSearchParams({ pk: console.keys.pk_test, link: 'one-seat', amount: '25', crypto });
      const response = await follow(`${console.url}/v1/pay?${query}`);
      ids.push(response.headers.get('location')?.split('/').at(-1) ?? '');
    }
    for (const id of ids) {
      for (const action of ['pay', 'confirm']) {
        await console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: { action } });
      }
    }
    const counted = async () =>
      (await console.call('staff', { path: '/merchant/links?mode=test' })).data.links[0].excessUses;
    await expect.poll(counted, POLLING).toBe(1);
    const watched = await console.open('staff', '/test/links');
    const { page, close } = watched;
    const payment = page.getByRole('link', { name: 'Payment 1 too many of One seat' });
    await payment.waitFor();
    await page.getByRole('table').getByText('1 too many').waitFor();
    await picture(page, 'excess-1440');
    expect(await seriousViolations(watched)).toEqual([]);
    const href = (await payment.getAttribute('href')) ?? '';
    expect(ids.map((id) => `/console/test/payments/${id}`)).toContain(href);
    await close();
  });

  test('fits every screen and is accessible, with texts that look like markup', async () => {
    for (const body of [
      {
        title: HOSTILE,
        description: HOSTILE,
        image: IMAGES.PNG,
        amount: '12345678.99',
        slug: `hostile-${console.merchantId.slice(-8)}`,
      },
      {
        title: 'Donation',
        min: '5',
        slug: `donation-${console.merchantId.slice(-8)}`,
        expiresAt: Date.now() + 86_400_000,
      },
    ]) {
      const requested = {
        method: 'POST',
        path: '/merchant/links',
        body: { mode: 'test', currency: 'EUR', ...body },
      } as const;
      expect((await console.call('owner', requested)).status).toBe(201);
    }
    const watched = await console.open('owner', '/test/links');
    const { page, troubles, close } = watched;
    const check = (part: string) =>
      expectUsable(watched, TABLET_TOO, async ({ width }) => {
        expect(await overflowOf(page), part).toBe(0);
        await picture(page, `${part}-${width}`);
      });
    const titled = page.getByRole('button', { name: HOSTILE, exact: true }).first();
    await titled.waitFor();
    await check('list');
    await titled.click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await check('share');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create a link' }).first().click();
    await page.getByText('More options').click();
    await check('create');
    expect(troubles).toEqual([]);
    await close();
  });
});

// Helpers

/** Reads the QR code of an image as a scanner would. */
async function scan(page: Page, url: string): Promise<string> {
  const data = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(url)};
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: ${SIDE}, height: ${SIDE} });
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, ${SIDE}, ${SIDE});
    // As one text: the browser's driver takes seconds for as many numbers.
    return [...context.getImageData(0, 0, ${SIDE}, ${SIDE}).data].map((byte) => String.fromCharCode(byte)).join('');
  })()`);
  return decodeQR({ width: SIDE, height: SIDE, data: Buffer.from(String(data), 'latin1') });
}
