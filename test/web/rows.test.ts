import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shortIdText } from '../../src/web/ui/values/short-id-text.ts';
import { type WatchedPage } from '../support/browser/browser.ts';
import { describePages } from '../support/browser/describe-pages.ts';
import { POLLING } from '../support/polling.ts';
import { openSignedIn } from './console-app.ts';
import { ACTOR_ID } from './fake-data.ts';
import { startWithCharts } from './fake-server.ts';

const LIST = '/console/actors';
const ACTOR = `/console/actors/${encodeURIComponent(ACTOR_ID)}`;

describePages('a table row', startWithCharts, (server, browser) => {
  let watched: WatchedPage;
  beforeEach(() => server.reset());
  afterEach(async () => {
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  const open = async (path: string): Promise<Page> => {
    watched = await openSignedIn(browser, server, path, { viewport: { width: 1440, height: 900 } });
    await watched.page.locator('[data-row="0"]').waitFor();
    return watched.page;
  };
  const pathOf = (page: Page) => new URL(page.url()).pathname;
  /** The state of the first actor: a cell without link or button. */
  const stateOf = (page: Page) => page.locator('[data-row="0"] td').nth(1);

  test('opens on a click anywhere in it', async () => {
    const page = await open('/actors?kind=transaction');
    await stateOf(page).click({ position: { x: 3, y: 3 } });
    await vi.waitFor(() => expect(pathOf(page)).toBe(ACTOR), POLLING);
  });

  test.each<[string, Parameters<Locator['click']>[0]]>([
    ['Ctrl', { modifiers: ['Control'] }],
    ['the middle button', { button: 'middle' }],
  ])('opens in a new tab on a click with %s', async (_, how) => {
    const page = await open('/actors?kind=transaction');
    const [tab] = await Promise.all([page.context().waitForEvent('page'), stateOf(page).click(how)]);
    await vi.waitFor(() => expect(pathOf(tab)).toBe(ACTOR), POLLING);
    expect(pathOf(page)).toBe(LIST);
    await tab.close();
  });

  test('of an actor shows every heading in full at 1440 px, and its dead letters with its state', async () => {
    const page = await open('/actors?kind=transaction');
    const cut = `[...document.querySelectorAll('.table-frame, .table-frame th')]
      .filter((part) => part.scrollWidth > part.clientWidth)
      .map((part) => [part.textContent.slice(0, 40), part.scrollWidth, part.clientWidth])`;
    expect(await page.evaluate(cut)).toEqual([]);
    await stateOf(page).getByText('1 dead letter', { exact: true }).waitFor();
  });

  test('stays closed while text in it is selected', async () => {
    const page = await open('/actors?kind=transaction');
    const box = await stateOf(page).locator('.badge').first().boundingBox();
    if (box === null) throw new Error('the state is not shown');
    await page.mouse.move(box.x + 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 5, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    expect(await page.evaluate('getSelection().toString()')).not.toBe('');
    expect(pathOf(page)).toBe(LIST);
  });

  test('stays closed when its id is copied', async () => {
    const page = await open('/actors?kind=transaction');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page
      .locator('[data-row="0"]')
      .getByRole('button', { name: `Copy the id ${ACTOR_ID}` })
      .click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(ACTOR_ID);
    expect(pathOf(page)).toBe(LIST);
  });

  test('opens its dialog, also from the keyboard, and keeps its other links separate', async () => {
    const page = await open('/dead-letters');
    await page.locator('[data-row="0"]').getByText('The receiver rejected').click();
    await page.getByRole('dialog').getByText('The receiver rejected').click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('body').press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('[data-row="0"]').getByRole('link', { name: 'events', exact: true }).click();
    await page.waitForURL(/queue=events/);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('a shortened id is never longer than the full one, and keeps both ends', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (id) => {
      const text = shortIdText(id);
      expect(text.length).toBeLessThanOrEqual(24);
      const [head = '', tail = ''] = id.length > 24 ? text.split(/…(?=.{6}$)/s) : [id, ''];
      expect(id.startsWith(head) && id.endsWith(tail)).toBe(true);
    }),
  );
  expect(shortIdText('txn_3k7rj0v6m2c9xq5w1t8e4hzn0d')).toBe('txn_3k7rj0…4hzn0d');
  expect(shortIdText('transaction:00000001')).toBe('transaction:00000001');
});
