import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUsable } from '../../support/browser/axe.ts';
import { startBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { describeWith } from '../../support/run/components.ts';
import { createTestService, type RunningService } from '../../support/service/service.ts';

const EMAIL = 'first@operator.example';
const PASSWORD = 'quiet harbour 7 lanterns';
describeWith('postgres', 'chromium')('a service with a new database', () => {
  let browser: TestBrowser;
  let database: TestDatabase;
  let service: RunningService;
  beforeAll(async () => {
    browser = await startBrowser();
    database = await createPostgresDatabase();
    service = await createTestService({ env: { DATABASE_URL: database.url ?? '' } });
    await service.start();
  });
  afterAll(async () => {
    await service?.remove();
    await database?.drop();
    await browser?.close();
  });

  const printed = () => service.printed.flatMap((text) => /http\S+setup#\S+/.exec(text) ?? []);

  test('prints once where the first operator is created; who then creates a merchant and invites its owner', async () => {
    const [setupUrl = ''] = printed();
    expect(setupUrl).toMatch(/\/console\/setup#[A-Za-z0-9_-]{43}$/);
    expect(service.logLines.map((line) => line.setupUrl)).toContain(setupUrl);
    const watched = await browser.open();
    const { page } = watched;
    await page.goto(service.url);
    expect(await page.locator('main').innerText()).toContain('setupUrl');
    expect(await page.content()).not.toContain('setup#');

    await page.goto(setupUrl.slice(0, setupUrl.indexOf('#')));
    await page.getByText('This link is incomplete. Copy the whole setup URL from the log.').waitFor();
    await page.goto('about:blank');
    await page.goto(`${setupUrl.slice(0, -43)}${'A'.repeat(43)}`);
    await page.getByText('This link has been used or has expired.').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await page.goto(`${service.url}/console/sign-in`);
    await page.getByText('This service has no users yet').waitFor();
    expect(await page.content()).not.toContain('setup#');
    await page.goto('about:blank');
    await page.goto(setupUrl);
    await page.getByLabel('Email').fill(EMAIL);
    await expectUsable(watched);
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create operator' }).click();
    await page.getByText('The password must have 10 to 256 characters').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create operator' }).click();
    await page.getByRole('navigation').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/merchants');
    await page.getByText('No merchants yet').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await page.getByRole('button', { name: 'New merchant' }).click();
    await page.getByLabel('Shop name').fill('Corner shop');
    await page.getByLabel('Owner email').fill('owner@shop.example');
    await expectUsable(watched);
    await page.getByRole('button', { name: 'Create merchant' }).click();
    const invitation = await page.locator('.once-value').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Corner shop' }).waitFor();
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText('No live network is connected').waitFor();
    await page.getByText('BTC_NETWORK=mainnet').waitFor();
    await page.getByText('There is no merchant').waitFor({ state: 'detached' });
    expect(await page.getByText('All well').count()).toBe(0);
    await expectUsable(watched);
    await page.getByRole('link', { name: 'Set up your second factor' }).click();
    await page.waitForURL(/tab=two-factor/);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await page.getByLabel('Email').fill('watcher@operator.example');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('This service sends no emails. Give this link to watcher@operator.example').waitFor();
    const firstLink = await page.locator('.once-value').innerText();
    await expectUsable(watched);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Resend invitation of watcher@operator.example' }).click();
    const secondLink = await page.locator('.once-value').innerText();
    expect(secondLink).not.toBe(firstLink);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(service.logLines.filter((line) => JSON.stringify(line).includes('password-reset#'))).toEqual([]);
    await watched.close();

    const owner = await browser.open();
    await owner.page.goto(invitation);
    await owner.page.getByLabel('New password').fill(PASSWORD);
    await owner.page.getByRole('button', { name: 'Set the password' }).click();
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await owner.page.getByLabel('Email').inputValue()).toBe('owner@shop.example');
    await owner.page.getByLabel('Password').fill(PASSWORD);
    await owner.page.getByRole('button', { name: 'Sign in' }).click();
    await owner.page.getByRole('navigation').first().waitFor();
    await owner.page.getByRole('link', { name: 'Users' }).click();
    await owner.page.getByRole('button', { name: 'Invite a user' }).click();
    // Operators cannot invite users of a merchant, so no link exists that they could pass on.
    await owner.page.getByText('quittance user create --email EMAIL --role staff --merchant NAME').waitFor();
    await owner.page.goto(`${service.url}/console/forgotten`);
    await owner.page.getByText('Reset links need a mail server. Ask the operator for a new password.').waitFor();
    expect(await owner.page.getByRole('textbox').count()).toBe(0);
    for (const used of [invitation, firstLink]) {
      await owner.page.goto('about:blank');
      await owner.page.goto(used);
      await owner.page.getByText('This link has been used or has expired.').waitFor();
      await owner.page.getByText('ask the operator of this service').waitFor();
      expect(await owner.page.getByLabel('New password').count()).toBe(0);
    }
    await expectUsable(owner);
    await owner.close();

    const other = await browser.open();
    await other.page.goto(setupUrl);
    await other.page.getByText('This service already has users.').waitFor();
    await other.close();
    await service.stop();
    await service.start();
    expect(printed()).toEqual([setupUrl]);
  });
});
