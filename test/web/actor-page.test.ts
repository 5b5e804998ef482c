import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { REAL_CHARTS } from '../../scripts/charts/real-charts.ts';
import { type WatchedPage } from '../support/browser/browser.ts';
import { describePages } from '../support/browser/describe-pages.ts';
import { POLLING } from '../support/polling.ts';
import { showWithin } from '../support/within-console.ts';
import { IS_LIVE_IN_FRAME, TOO_SMALL } from './chart-measures.ts';
import { openSignedIn } from './console-app.ts';
import { ACTOR_ID } from './fake-data.ts';
import { startWithCharts } from './fake-server.ts';

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

  test('says that an actor is unknown, without the tools of one', async () => {
    const page = await open('/actors/nope');
    await page.getByRole('heading', { name: 'Actor not found' }).waitFor();
    expect(await page.getByRole('button', { name: /Export|Try again/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'View all actors' }).click();
    await page.waitForURL(/\/actors$/);
  });
});
