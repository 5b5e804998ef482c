import { expect, test } from 'vitest';
import { bytesOfImage, IMAGES } from '../../../../images/samples.ts';
import { expectUsable } from '../../../../support/browser/axe.ts';
import { POLLING } from '../../../../support/polling.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { picture } from './pages.ts';

describeConsolePages('the settings page', {}, (console) => {
  const saved = async () => (await console.call('owner', { path: '/merchant/settings' })).data.values;

  test('explains a value during input, and saves it', async () => {
    const watched = await console.open('owner', '/settings');
    const { page } = watched;
    const tolerance = page.getByLabel('Underpayment tolerance, in percent');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByText('With 0.5 %, a payment of 100 EUR is complete at 99.50 EUR.').waitFor();
    expect(await save.count()).toBe(0);
    await tolerance.fill('7');
    await page.getByText('Enter a percentage from 0 to 5, like 0.5.').waitFor();
    await page.getByText('Correct the marked fields to save').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await tolerance.fill('1,25');
    await page.getByText('With 1.25 %, a payment of 100 EUR is complete at 98.75 EUR.').waitFor();
    await page.getByLabel('The same for all coins').check();
    await page.getByLabel('Minutes to pay').fill('90');
    await page.getByText('A customer who starts at 12:00 has until 13:30 to pay.').waitFor();
    await page.getByLabel('Reject new payments while their network cannot be watched').check();
    await save.click();
    await page.getByText('Saved. Applies to payments created from now on.').waitFor();
    expect(await saved()).toMatchObject({
      toleranceBasisPoints: 125,
      windowMinutes: 90,
      refuseWhenNetworkLags: true,
      minConfirmations: 1,
    });
    await page.getByLabel(/Default of each coin/).check();
    await page.getByLabel('A payment arrived late').uncheck();
    await page.getByLabel('A receipt to the customer when a payment is complete').check();
    await page.getByLabel('Language of emails to customers').selectOption('Polski');
    expect(await page.getByLabel('A wallet, a key, a user or a login was changed').isDisabled()).toBe(true);
    await save.click();
    await expect.poll(async () => (await saved()).windowMinutes, POLLING).toBeNull();
    expect(await saved()).toMatchObject({
      mailLatePayment: false,
      mailFirstPayment: true,
      mailCustomerReceipt: true,
      customerLanguage: 'pl',
    });
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test.each([
    [1440, 900],
    [390, 700],
  ])('keeps Save in view at %i px while something is unsaved, and covers no field with it', async (width, height) => {
    const { page, troubles, close } = await console.open('owner', '/settings', { viewport: { width, height } });
    const confirmations = page.getByLabel('Minimum confirmations');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    const before = await confirmations.inputValue();
    expect(await bar.count()).toBe(0);
    await confirmations.fill('12');
    await bar.getByText('You have unsaved changes').waitFor();
    const focused = () => page.evaluate(FOCUSED) as Promise<string>;
    const passed = new Set<string>();
    while (!['Save', ''].includes(await focused())) {
      passed.add(await focused());
      const [top, bottom] = (await page.evaluate(EDGES)) as [barTop: number, focusBottom: number];
      expect(bottom, await focused()).toBeLessThanOrEqual(top);
      await page.keyboard.press('Tab');
    }
    expect(passed.size).toBeGreaterThan(10);
    expect(await focused()).toBe('Save');
    await page.evaluate('scrollTo(0, 0)');
    const box = await bar.boundingBox();
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await bar.waitFor({ state: 'detached' });
    expect(await confirmations.inputValue()).toBe(before);
    expect(troubles).toEqual([]);
    await close();
  });

  test('takes a logo, a colour and a support contact, and says what is wrong with them', async () => {
    const watched = await console.open('owner', '/settings');
    const { page } = watched;
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: bytesOfImage(IMAGES.PNG) };
    await page.getByLabel('Colour', { exact: true }).fill('green');
    await page.getByText('Enter a hex colour, like #0b6e4f.').waitFor();
    await page.getByLabel('Pick the colour').fill('#ffd21f');
    expect(await page.getByLabel('Colour', { exact: true }).inputValue()).toBe('#ffd21f');
    await page.getByLabel('Support contact').fill('help@shop.example');
    await page.getByLabel('Logo').setInputFiles(file);
    await page.getByAltText('Preview').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('img[alt="Preview"][src^="/images/"]').waitFor();
    const { logo } = await saved();
    expect(await saved()).toMatchObject({ brandColour: '#ffd21f', supportContact: 'help@shop.example' });
    await expectUsable(watched, undefined, ({ width, colorScheme }) =>
      picture(page, `settings-look-${width}-${colorScheme}`),
    );
    await page.getByRole('button', { name: 'Remove image' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await saved()).logo, POLLING).toBeNull();
    expect(logo).toMatch(/^[0-9a-f]{64}$/);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('keeps the input of one owner when another saves first, and shows both values', async () => {
    const watched = await console.open('owner', '/settings');
    const { page } = watched;
    await page.getByLabel('Minimum confirmations').fill('4');
    const { minConfirmations } = await saved();
    const faster = { changes: { minConfirmations: 9 }, seen: { minConfirmations } };
    const response = await console.call('owner', { method: 'PATCH', path: '/merchant/settings', body: faster });
    expect(response.status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another user saved settings in the meantime, so yours were not saved.').waitFor();
    await page.getByText('Another user changed this to 9 in the meantime. Saving overwrites it.').waitFor();
    expect(await page.getByLabel('Minimum confirmations').inputValue()).toBe('4');
    expect((await saved()).minConfirmations).toBe(9);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Applies to payments created from now on.').waitFor();
    expect((await saved()).minConfirmations).toBe(4);
    // The browser's log has only the rejection of the first attempt.
    expect(watched.troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
    await watched.close();
  });

  test('shows staff the values, without inputs', async () => {
    const watched = await console.open('staff', '/settings');
    await watched.page.getByText('Only owners of this account can change it.').waitFor();
    expect(await watched.page.locator('main input').count()).toBe(0);
    expect(await watched.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await watched.close();
  });

  test('previews emails as mail programs show them, in the language of customers', async () => {
    const watched = await console.open('staff', '/settings');
    const { page } = watched;
    await page.getByRole('button', { name: 'Preview emails' }).click();
    const frame = page.frameLocator('iframe[title="The email"]');
    await frame.getByText('The coins are in your own wallet.').waitFor();
    // The policy of the page lets through what the mail's own styles set.
    const color = "getComputedStyle(document.querySelector('a')).backgroundColor";
    expect(await page.frames().at(-1)?.evaluate(color)).toBe('rgb(26, 26, 26)');
    await page.getByLabel('Email', { exact: true }).selectOption('Receipt');
    await page.getByLabel('Language', { exact: true }).selectOption('Deutsch');
    await frame.getByText('Ihre Zahlung ist abgeschlossen. Vielen Dank.').waitFor();
    await page.getByRole('heading', { name: /^Beleg für Ihre Zahlung an / }).waitFor();
    await page.getByText('Plain text').click();
    await page.getByText(/^Guten Tag,/).waitFor();
    // The check of accessibility speaks to all frames, and logs that this one refuses.
    expect(watched.troubles).toEqual([]);
    await expectUsable(watched, undefined, ({ width, colorScheme }) =>
      picture(page, `mail-preview-${width}-${colorScheme}`),
    );
    await watched.close();
  });

  test('fits every screen and is accessible', async () => {
    const watched = await console.open('owner', '/settings');
    await watched.page.getByLabel('Minimum confirmations').fill('0');
    await watched.page.getByText('Enter a whole number from 1 to 1,000.').waitFor();
    await expectUsable(watched, undefined, ({ width, colorScheme }) =>
      picture(watched.page, `settings-${width}-${colorScheme}`),
    );
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});

// Helpers

/** Runs in the page: the label or the text of what has the focus. */
const FOCUSED = `(() => {
  const { labels, innerText, id } = document.activeElement;
  return labels?.[0]?.innerText || innerText || document.activeElement.ariaLabel || id || '';
})()`;

/** Runs in the page. */
const EDGES = `['.save-bar', ':focus'].map((selector, index) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return index === 0 ? box.top : box.bottom;
})`;
