import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { expectUsable, seriousViolations, TABLET_TOO } from '../../../../support/browser/axe.ts';
import { describeConsolePages } from '../../support/describe-console.ts';

const KEY = accountOf(1);

describeConsolePages('the wallets page', {}, (console) => {
  test('an owner adds a wallet by comparing its addresses', async () => {
    const watched = await console.open('owner', '/wallets');
    const { page } = watched;
    await page.getByText('No wallets yet').waitFor();
    await page.getByRole('button', { name: 'Add a wallet' }).click();
    await page.getByRole('radio', { name: /^Litecoin/ }).check();
    await page.getByText('Live payments on Litecoin are not accepted now').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await seriousViolations(watched)).toEqual([]);

    const field = page.getByLabel('Extended public key');
    expect(await field.getAttribute('autocomplete')).toBe('off');
    await field.fill('xpub-of-nothing');
    await page.getByRole('button', { name: 'Show addresses' }).click();
    await page.locator('.field-error').waitFor();
    await field.fill(KEY.publicExtendedKey);
    await page.getByRole('button', { name: 'Show addresses' }).click();

    const shown = page.getByRole('list', { name: 'First addresses of this key' }).locator('code');
    const use = page.getByRole('button', { name: 'Use this wallet' });
    await page.getByRole('radio', { name: /^Legacy L/ }).check();
    await shown.nth(4).waitFor();
    expect(await use.isDisabled()).toBe(true);
    await page.getByLabel(/^These match/).check();
    await page.getByRole('radio', { name: /^Native SegWit ltc1q/ }).check();
    await shown.filter({ hasText: 'ltc1q' }).nth(4).waitFor();
    expect(await use.isDisabled()).toBe(true);
    expect(await seriousViolations(watched)).toEqual([]);
    const first = await shown.first().textContent();
    await page.getByLabel(/^These match/).check();
    await use.click();
    await page.getByRole('heading', { name: 'Your Litecoin wallet is set' }).waitFor();
    expect(page.url()).not.toContain(KEY.publicExtendedKey);

    await page.getByRole('button', { name: 'View your wallets' }).click();
    await page.getByText('First addresses').click();
    await page.getByText(first ?? 'nothing').waitFor();
    expect(await page.content()).not.toContain(KEY.publicExtendedKey);
    // The server rejects keys once, on purpose, which browsers log as an error.
    expect(watched.troubles.filter((trouble) => !trouble.includes('status of 400'))).toEqual([]);
    await watched.close();
  });

  test('a secret is rejected with a warning, and removed from the page', async () => {
    const watched = await console.open('owner', '/wallets?add=BTC');
    const { page } = watched;
    const field = page.getByLabel('Extended public key');
    // Also one inside other text, after a response of the server to another key.
    await field.fill('xpub-of-nothing');
    await page.getByRole('button', { name: 'Show addresses' }).click();
    await page.locator('.field-error').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await field.fill(`wpkh(${KEY.privateExtendedKey}/0/*)`);
    await page.getByRole('button', { name: 'Show addresses' }).click();
    const alarm = page.getByRole('alert').filter({ hasText: 'You pasted a private key' });
    await alarm.getByText('Send all coins from the old wallet').waitFor();
    await alarm.getByText('This is an extended private key').waitFor();
    await alarm.getByText('It was not sent.').waitFor();
    expect(sent.filter((url) => url.includes('wallets'))).toEqual([]);
    expect(await page.locator('.field-error').count()).toBe(0);
    expect(await field.inputValue()).toBe('');
    expect(await page.content()).not.toContain(KEY.privateExtendedKey);
    expect(await seriousViolations(watched)).toEqual([]);
    await field.fill(KEY.publicExtendedKey);
    await alarm.waitFor({ state: 'detached' });
    await watched.close();
  });

  test('a wallet is replaced only after a warning was read, and addresses are skipped permanently', async () => {
    const watched = await console.open('owner', '/wallets');
    const { page } = watched;
    await page.getByRole('link', { name: 'Replace' }).click();
    await page.getByLabel('Extended public key').fill(accountOf(2).publicExtendedKey);
    await page.getByRole('button', { name: 'Show addresses' }).click();
    await page.getByRole('radio', { name: /^Native SegWit/ }).check();
    await page.getByLabel(/^These match/).check();
    await page.getByRole('button', { name: 'Use this wallet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace the wallet in use?' });
    await dialog.getByText('stay watched').waitFor();
    expect(await seriousViolations(watched)).toEqual([]);
    await dialog.getByRole('button', { name: 'Replace wallet' }).click();
    await page.getByRole('heading', { name: 'Your Litecoin wallet is set' }).waitFor();
    await page.getByRole('button', { name: 'View your wallets' }).click();

    await page.getByRole('button', { name: 'Skip addresses' }).click();
    await page.getByLabel('Number of addresses').fill('3');
    await page.getByRole('button', { name: 'Skip permanently' }).click();
    await page.locator('.wallet').getByText('address 4').waitFor();
    await watched.close();
  });

  test('staff see the wallets and no controls to change them', async () => {
    const { page, close } = await console.open('staff', '/wallets?add=any');
    await page.getByText('Addresses used').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0);
    await close();
  });

  test('fits every screen and is accessible', async () => {
    for (const path of ['/wallets', '/wallets?add=ETH']) {
      const watched = await console.open('owner', path);
      await watched.page.locator('.wallet, .add-wallet').first().waitFor();
      await watched.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
      await expectUsable(watched, TABLET_TOO);
      expect(watched.troubles).toEqual([]);
      await watched.close();
    }
  });
});

// Helpers

function accountOf(seed: number): HDKey {
  return HDKey.fromMasterSeed(new Uint8Array(32).fill(seed)).derive("m/84'/2'/0'");
}
