import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type WatchedPage } from '../support/browser/browser.ts';
import { describePages } from '../support/browser/describe-pages.ts';
import { POLLING } from '../support/polling.ts';
import { openSignedIn } from './console-app.ts';
import { startFakeServer } from './fake-server.ts';

/** The code of the Health page, as the build names it. */
const CODE = '**/assets/health-*.js';

describePages('a page whose code is missing', startFakeServer, (server, browser) => {
  let watched: WatchedPage;
  let loads: number;
  beforeEach(() => server.reset());
  afterEach(() => watched?.close());

  async function openUsers({ isOwn = false } = {}): Promise<Page> {
    watched = await openSignedIn(browser, server, '/users', { isOwn });
    loads = 0;
    watched.page.on('domcontentloaded', () => {
      loads += 1;
    });
    return watched.page;
  }
  const openHealth = () => watched.page.getByRole('link', { name: 'Health', exact: true }).click();
  const failed = () => watched.page.getByRole('heading', { name: 'This page could not be loaded' });

  test('after a deployment is reloaded with the new code', async () => {
    const page = await openUsers();
    await page.route(CODE, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await openHealth();
    await page.getByText('litecoin', { exact: true }).waitFor();
    expect(loads).toBe(1);
    expect(await failed().count()).toBe(0);
  });

  test('shows a reload button in the shell when a reload does not help', async () => {
    const page = await openUsers();
    await page.route(CODE, (route) => route.fulfill({ status: 404 }));
    await openHealth();
    await failed().waitFor();
    expect(loads).toBe(1);
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    await openHealth();
    await failed().waitFor();
    await page.unroute(CODE);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('litecoin', { exact: true }).waitFor();
  });

  test('is not reloaded while the server is unreachable, which would lose the console', async () => {
    // A page of its own: another may have the code in its cache.
    const page = await openUsers({ isOwn: true });
    await page.context().setOffline(true);
    await openHealth();
    await failed().waitFor();
    expect(loads).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('litecoin', { exact: true }).waitFor();
  });

  test('keeps menu and top bar while it loads', async () => {
    const page = await openUsers();
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(CODE, async (route) => {
      await isReleased;
      await route.continue();
    });
    await openHealth();
    await page.getByText('Loading the page').waitFor({ state: 'attached' });
    expect(await page.getByRole('link', { name: 'Health', exact: true }).getAttribute('aria-current')).toBe('page');
    expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(true);
    release();
    await page.getByText('litecoin', { exact: true }).waitFor();
    await vi.waitFor(() => expect(watched.troubles).toEqual([]), POLLING);
    expect(loads).toBe(0);
  });

  test('a dialog that cannot be loaded shows an error, too', async () => {
    const page = await openUsers();
    await page.route('**/assets/dialog-window-*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await vi.waitFor(() => expect(loads).toBe(1), POLLING);
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await failed().waitFor();
    expect(loads).toBe(1);
  });
});
