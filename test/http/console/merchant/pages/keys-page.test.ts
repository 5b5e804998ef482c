import { expect, test } from 'vitest';
import { uniqueAddress } from '../../../../accounts/harness.ts';
import { expectUsable, seriousViolations, TABLET_TOO, VIEWPORTS } from '../../../../support/browser/axe.ts';
import { chooseMore } from '../../../../support/browser/browser.ts';
import { describeConsolePages } from '../../support/describe-console.ts';
import { cutOffParts, picture } from './pages.ts';

describeConsolePages('the API keys page', {}, (console) => {
  async function statusWith(key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': uniqueAddress() };
    return (await fetch(`${console.url}/v1/account`, { headers })).status;
  }

  test('an owner creates a key, sees it once, rotates it and revokes it', async () => {
    const watched = await console.open('owner', '/keys', {
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = watched;
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Mode').selectOption('test');
    await page.getByLabel('Name').fill('Web shop');
    const responded = page.waitForResponse(
      (response) => response.url().endsWith('/merchant/keys') && response.status() === 201,
    );
    await page.getByRole('button', { name: 'Create key' }).click();
    expect((await responded).headers()['cache-control']).toBe('no-store');

    const shown = page.getByRole('dialog', { name: 'Your new key' });
    const key = (await shown.locator('.once-value').textContent()) ?? '';
    expect(key).toMatch(/^sk_test_/);
    await page.keyboard.press('Escape');
    await shown.getByRole('alert').waitFor();
    await shown.getByRole('button', { name: 'Copy the key' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    expect(await seriousViolations(watched)).toEqual([]);
    await shown.getByLabel('I have stored it').check();
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(key);
    expect(await statusWith(key)).toBe(200);

    const line = page.getByRole('listitem').filter({ hasText: `…${key.slice(-4)}` });
    await chooseMore(line, 'Replace…');
    await page.getByLabel('The old key keeps working for').selectOption({ label: '1 hour' });
    await page.getByRole('button', { name: 'Replace key' }).click();
    const next = (await shown.locator('.once-value').textContent()) ?? '';
    await shown.getByLabel('I have stored it').check();
    await shown.getByRole('button', { name: 'Done' }).click();
    await line.getByText(/^expires in/).waitFor();
    expect([await statusWith(key), await statusWith(next)]).toEqual([200, 200]);

    await chooseMore(line, 'Revoke…');
    const revoke = page.getByRole('dialog', { name: 'Revoke this key' });
    expect(await revoke.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true);
    await revoke.getByLabel(`Type ${key.slice(-4)} to confirm`).fill(key.slice(-4));
    await revoke.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Inactive keys (1)').waitFor();
    expect([await statusWith(key), await statusWith(next)]).toEqual([401, 200]);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('an owner renames a key and restricts it to addresses, and sees which address is invalid', async () => {
    const watched = await console.open('owner', '/keys');
    const { page } = watched;
    const line = page.getByRole('listitem').filter({ hasText: `…${console.keys.sk_live.slice(-4)}` });
    await line.getByRole('button', { name: /^Change/ }).click();
    await page.getByLabel('Name').fill('Till <b>1</b>');
    await page.getByRole('button', { name: 'Save' }).click();
    await line.getByText('Till <b>1</b>').waitFor();
    await chooseMore(line, 'IP addresses…');
    await page.getByLabel('IP addresses of your servers').fill('203.0.113.7\n203.0.113.0/33');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('"203.0.113.0/33" is not an IP address or CIDR block').waitFor();
    await page.getByLabel('IP addresses of your servers').fill('203.0.113.7, 2001:db8::/48');
    await page.getByRole('button', { name: 'Save' }).click();
    await line.getByText('Works only from 203.0.113.7/32, 2001:db8::/48').waitFor();
    expect(await statusWith(console.keys.sk_live)).toBe(403);
    await watched.close();
  });

  test('a key whose form was closed during creation is still shown', async () => {
    const watched = await console.open('owner', '/keys');
    const { page } = watched;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/console/api/merchant/keys', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    letGo();
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    expect(await statusWith((await page.locator('.once-value').textContent()) ?? '')).toBe(200);
    await watched.close();
  });

  test('fits every screen and is accessible', async () => {
    const watched = await console.open('owner', '/keys');
    const { page } = watched;
    const check = (part: string) =>
      expectUsable(watched, TABLET_TOO, async ({ width }) => {
        expect(await cutOffParts(page), part).toEqual([]);
        await picture(page, `${part}-${width}`);
      });
    await page.getByRole('heading', { name: 'Live keys' }).waitFor();
    await check('keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('dialog').waitFor();
    await check('create');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('shows staff the keys, and no button to create one', async () => {
    const watched = await console.open('staff', '/keys');
    await watched.page.getByRole('heading', { name: 'Live keys' }).waitFor();
    expect(await watched.page.getByRole('button', { name: 'Create a key' }).count()).toBe(0);
    await expectUsable(watched, VIEWPORTS.slice(-1));
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
