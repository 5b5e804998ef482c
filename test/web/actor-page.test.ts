import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { REAL_CHARTS } from '../../scripts/charts/real-charts.ts';
import { type WatchedPage } from '../support/browser/browser.ts';
import { describePages } from '../support/browser/describe-pages.ts';
import { POLLING } from '../support/polling.ts';
import { showWithin } from '../support/within-console.ts';
import { IS_LIVE_IN_FRAME, TOO_SMALL } from './chart-measures.ts';
import { openSignedIn } from './console-app.ts';
import { ACTOR_ID } from './fake-data.ts';
import { OPERATOR, startWithCharts } from './fake-server.ts';

const ACTOR_PATH = `/actors/${encodeURIComponent(ACTOR_ID)}`;

describePages('the pages of charts and actors', startWithCharts, (server, browser) => {
  const opened: WatchedPage[] = [];
  beforeEach(() => server.reset());
  afterEach(async () => {
    for (const watched of opened.splice(0)) await watched.close();
  });

  const open = async (path: string) => {
    const watched = await openSignedIn(browser, server, path, { viewport: { width: 1440, height: 900 } });
    opened.push(watched);
    return watched.page;
  };
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, POLLING);

  test('shows charts at no width with texts below 11 px, but the part that matters first', async () => {
    const page = await open('/charts/delivery');
    const kinds = REAL_CHARTS.map(({ kind }) => kind);
    const whole = [...kinds.map((kind) => `/charts/${kind}`), '/actors/schedule%3A00000001', ACTOR_PATH];
    for (const path of [...whole, '/charts/transaction?detail=events', `${ACTOR_PATH}?detail=events`]) {
      await showWithin(page, `/console${path}`);
      for (const width of [1_440, 1_280, 1_024, 768]) {
        await page.setViewportSize({ width, height: 900 });
        await page.locator('.chart-canvas').waitFor();
        await eventually(async () => expect(await page.evaluate(TOO_SMALL), `${path} at ${width}`).toEqual([]));
        if (path.startsWith(ACTOR_PATH))
          expect(await page.evaluate(IS_LIVE_IN_FRAME), `${path} at ${width}`).toBe(true);
      }
      await page.setViewportSize({ width: 1_440, height: 900 });
      const zoomed = page.locator('.chart-canvas.is-zoomed');
      await eventually(async () => expect(await zoomed.count(), path).toBe(whole.includes(path) ? 0 : 1));
    }
  });

  test('on a phone shows the changes of a step before the list of states, and folds those not visited', async () => {
    const page = await open(ACTOR_PATH);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.chart-list').waitFor();
    const tops = ['.scrubber', '.timeline', '[role=tabpanel]', '.timers', '.chart-list'].map(async (selector) =>
      page.locator(selector).first().evaluate('(part) => part.getBoundingClientRect().top'),
    );
    const order = (await Promise.all(tops)) as number[];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const closed = page.locator('.chart-list').getByText('closedCompleted', { exact: true });
    expect(await closed.isVisible()).toBe(false);
    await page
      .getByText(/^\d+ states? not visited$/)
      .last()
      .click();
    await closed.waitFor();
  });

  test('says at the top why an actor is stuck, with what resolves it', async () => {
    const page = await open(ACTOR_PATH);
    const problems = page.locator('.card', { has: page.getByRole('heading', { name: 'Problems' }) });
    await problems.getByText('Too long in its state: for 2 d, usually at most 1 d 1 h.').waitFor();
    await problems.getByRole('button', { name: /^Resolve Coins of a completed payment disappeared/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve alert' }).waitFor();
    await page.keyboard.press('Escape');
    const retry = problems.getByRole('button', { name: /^Retry the dead letter of attempts: .* does not exist$/ });
    await retry.first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Automatic retry').waitFor();
    await dialog.getByText('Payload').waitFor();
    await dialog.getByLabel('Reason').fill('Migrated');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Delivered.').waitFor();
    await page.locator('.actor-side').getByRole('link', { name: '1', exact: true }).click();
    await page.getByRole('heading', { name: 'Dead letters' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?actor=${encodeURIComponent(ACTOR_ID)}`);
    await eventually(async () => expect(await page.locator('[data-row]').count()).toBe(13));
  });

  test('shows observers the problems without a way to act, and no problems where there are none', async () => {
    server.user = { ...OPERATOR, role: 'observer' };
    const page = await open(ACTOR_PATH);
    await page
      .getByRole('button', { name: /^View the dead letter/ })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /^(Resolve|Retry)/ }).count()).toBe(0);
    await showWithin(page, '/console/actors/transaction%3A00000001');
    await page.locator('.actor-side').waitFor();
    expect(await page.getByRole('heading', { name: 'Problems' }).count()).toBe(0);
  });

  test('says that an actor is unknown, without the tools of one', async () => {
    const page = await open('/actors/nope');
    await page.getByRole('heading', { name: 'Actor not found' }).waitFor();
    expect(await page.getByRole('button', { name: /Export|Try again/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'View all actors' }).click();
    await page.waitForURL(/\/actors$/);
  });
});
