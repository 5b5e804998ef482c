import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REAL_CHARTS } from '../../../scripts/charts/real-charts.ts';
import type { ChartLayout, FoldableChart, Population } from '../../../src/http/console/contract/charts.ts';
import { violationsOn } from '../../support/browser/axe.ts';
import {
  describeBrowser,
  horizontalOverflow,
  startBrowser,
  type TestBrowser,
  type WatchedPage,
} from '../../support/browser/browser.ts';
import { buildChartPage, type PageFiles } from '../../support/charts/chart-page.ts';
import { chartNamed, layoutIn } from '../../support/charts/find-chart.ts';
import { sharedLayoutOf } from '../../support/charts/shared-layouts.ts';
import { level } from '../../support/run/level.ts';

const ORIGIN = 'http://console.test';
/** The console's policy, so that an inline style or script would be blocked and noticed. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:";
const GROUND = 'body{margin:16px;background:var(--ground);font-family:var(--font)}';

/** Takes a few seconds on an idle core. */
const LAYOUT_LIMIT_MS = 180_000;

describeBrowser('a chart in a browser', () => {
  let browser: TestBrowser;
  let files: PageFiles;
  const layouts = new Map<string, ChartLayout>();

  beforeAll(async () => {
    [browser, files] = await Promise.all([startBrowser(), buildChartPage()]);
    for (const chart of REAL_CHARTS) layouts.set(chart.kind, await sharedLayoutOf(chart));
  }, LAYOUT_LIMIT_MS);
  afterAll(() => browser.close());

  // The quick level has each theme and each width once: they are independent of each other.
  const viewports = level.pick<readonly { readonly scheme: 'light' | 'dark'; readonly width: number }[]>({
    quick: [
      { scheme: 'light', width: 1_440 },
      { scheme: 'dark', width: 390 },
    ],
    full: (['light', 'dark'] as const).flatMap((scheme) => [1_440, 390].map((width) => ({ scheme, width }))),
  });
  // The quick level opens only one of the lists on small screens: they differ only in their words.
  const cases = REAL_CHARTS.flatMap((chart, index) =>
    viewports
      .filter(({ width }) => width > 700 || index === 0 || level.isFull)
      .map((viewport) => ({ chart, kind: chart.kind, ...viewport })),
  );
  it.each(cases)(
    'shows $kind, $scheme, at $width px, accessible and without requests to third parties',
    async ({ chart, scheme, width }) => {
      const watched = await open({ colorScheme: scheme, viewport: { width, height: 900 } });
      const { page } = watched;
      await show(page, chart, { population: populationOf(chart) });
      const isWide = width > 700;
      expect(await page.locator('.chart-canvas').isVisible()).toBe(isWide);
      expect(await page.locator('.chart-list').isVisible()).toBe(!isWide);
      const drawn = await page.locator(isWide ? '[data-node^="event:"]' : '[data-transition]').count();
      expect(drawn).toBe(chart.transitions.length);
      expect(await horizontalOverflow(page)).toBe(0);
      // Every text is inside its box, in the installed font.
      if (isWide) expect(await page.evaluate(TEXTS_OUTSIDE)).toEqual([]);
      // At the quick level test/web/pages.test.ts covers this, with a population.
      if (level.isFull) expect(await violationsOn(page, RULES_OF_WHOLE_PAGES)).toEqual([]);
      await photograph(page, `${chart.kind}-${scheme}-${width}`);
      expect(watched.troubles).toEqual([]);
      expect(watched.requests.filter((url) => !url.startsWith(ORIGIN) && !url.startsWith('data:'))).toEqual([]);
      await watched.close();
    },
  );

  it('supports the keyboard: Tab to a state, arrows to its neighbours, Enter selects, + and f zoom', async () => {
    const chart = chartNamed('delivery');
    const watched = await open({ viewport: { width: 1440, height: 900 } });
    const { page } = watched;
    await show(page, chart);
    await page.locator('[data-node="state:sending"] .chart-glass').focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toMatch(/^event:sending:/);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('picked')).toEqual([await focused(page)]);
    const whole = await viewBox(page);
    await page.keyboard.press('+');
    expect((await viewBox(page))[2]).toBeLessThan(whole[2] ?? 0);
    await page.keyboard.press('f');
    expect(await viewBox(page)).toEqual(whole);
    await page.locator('[data-node="state:sending"] .chart-glass').focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('state:waiting');
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  it('supports the pointer: a click selects, the wheel zooms with Ctrl only, a drag pans and selects nothing', async () => {
    const chart = chartNamed('transaction');
    const watched = await open({ viewport: { width: 1440, height: 900 } });
    const { page } = watched;
    await show(page, chart);
    const node = page.locator('[data-node="state:open.inReview"]');
    await node.click({ position: { x: 10, y: 10 } });
    expect(await page.evaluate('picked')).toEqual(['state:open.inReview']);
    const box = await node.boundingBox();
    if (box === null) throw new Error('the state is not on the page');
    await page.mouse.move(box.x + 20, box.y + 20);
    const whole = [0, 0, layoutIn(layouts, chart).width, layoutIn(layouts, chart).height];
    await page.keyboard.press('f');
    expect(await viewBox(page)).toEqual(whole);
    await page.mouse.wheel(0, -10);
    expect(await viewBox(page)).toEqual(whole);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await expect.poll(async () => (await viewBox(page))[2]).toBeLessThan(whole[2] ?? 0);
    const near = await viewBox(page);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await viewBox(page))[0]).not.toBe(near[0]);
    expect(await page.evaluate('picked')).toEqual(['state:open.inReview']);
    await page.getByRole('button', { name: 'Fit to screen' }).click();
    await expect.poll(() => viewBox(page)).toEqual(whole);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  it('scrolls to a node that gets the focus off-screen', async () => {
    const chart = chartNamed('transaction');
    const watched = await open({ viewport: { width: 1440, height: 900 } });
    const { page } = watched;
    await show(page, chart);
    await page.getByRole('button', { name: 'Fit to screen' }).click();
    for (let press = 0; press < 6; press += 1) await page.getByRole('button', { name: 'Zoom in' }).click();
    for (const node of ['state:', 'state:closedCompleted']) {
      await page.locator(`[data-node="${node}"] .chart-glass`).focus();
      await expect.poll(async () => isInSight(await viewBox(page), layoutIn(layouts, chart), node)).toBe(true);
    }
    await watched.close();
  });

  it('shows the current and past states of an actor', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const chart = chartNamed('transaction');
      const watched = await open({ colorScheme: scheme, viewport: { width: 1440, height: 900 } });
      const { page } = watched;
      const taken = ['open.awaitingPayment:always:0', 'confirming:always:0'].map((transitionId) => ({
        transitionId,
        count: 1,
      }));
      const visited = ['open', 'open.awaitingPayment', 'confirming', 'completed'].map((path) => ({ path, count: 1 }));
      const stepDetail = {
        step: { state: 'completed' },
        visited,
        taken: [...taken, { transitionId: ':chain.output_seen:0', count: 12 }],
      };
      await show(page, chart, { stepDetail, selected: { state: 'confirming' } });
      expect(await page.locator('.chart-node.is-live').count()).toBe(1);
      expect(await page.locator('.chart-edge.is-taken').count()).toBe(4);
      expect(await violationsOn(page, RULES_OF_WHOLE_PAGES, { isFurtherViewport: scheme === 'dark' })).toEqual([]);
      await photograph(page, `moment-${scheme}`);
      await watched.close();
    }
  });

  async function open(options: Parameters<TestBrowser['open']>[0]): Promise<WatchedPage> {
    const watched = await browser.open({ reducedMotion: 'reduce', ...options });
    await watched.page.route(`${ORIGIN}/**`, (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/ground.css') return route.fulfill({ contentType: 'text/css', body: GROUND });
      const file = files.get(path);
      if (file === undefined) return route.fulfill({ status: 404 });
      return route.fulfill({ ...file, headers: { 'content-security-policy': POLICY } });
    });
    await watched.page.goto(`${ORIGIN}/`);
    await watched.page.waitForFunction('typeof showChart === "function"');
    return watched;
  }

  async function show(page: Page, chart: FoldableChart, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await page.evaluate(`showChart(${JSON.stringify({ chart, layout: layoutIn(layouts, chart), ...more })})`);
    await page.waitForSelector('.chart-list, .chart-canvas', { state: 'attached' });
  }
});

// Helpers

/** A chart alone has no headings. */
const RULES_OF_WHOLE_PAGES = ['page-has-heading-one'];

/** Runs in the page: texts of nodes that overflow their box. */
const TEXTS_OUTSIDE = `[...document.querySelectorAll('.chart-node')].flatMap((node) => {
  const box = node.querySelector('.chart-box').getBBox();
  return [...node.querySelectorAll('text')].filter((text) => {
    const { x, y, width, height } = text.getBBox();
    return x < box.x || y < box.y - 9 || x + width > box.x + box.width + (text.parentNode.classList.contains('chart-pill') ? 7 : 0) || y + height > box.y + box.height + 1;
  }).map((text) => text.textContent);
})`;

/** Saves screenshots for review when `CHART_PHOTOS` names a folder. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.CHART_PHOTOS;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function focused(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement.closest('[data-node]').dataset.node");
}

async function viewBox(page: Page): Promise<number[]> {
  return ((await page.locator('.chart-canvas').getAttribute('viewBox')) ?? '').split(' ').map(Number);
}

function isInSight([x = 0, y = 0, width = 0, height = 0]: number[], { states }: ChartLayout, node: string): boolean {
  const box = states.find(({ path }) => `state:${path}` === node);
  if (box === undefined) throw new Error(`${node} is not in the layout`);
  return box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height;
}

/** Actors in every state, overdue ones in two of three states that are not final. */
function populationOf({ kind, states }: FoldableChart): Population {
  const leaves = states.filter(({ type }) => type !== 'compound');
  return {
    kind,
    at: 0,
    leaves: leaves.map(({ path, type }, position) => ({
      state: path,
      count: [7, 12_345, 128, 1][position % 4] ?? 0,
      oldestAt: 0,
      p50Ms: 60_000,
      p95Ms: 600_000,
      overdue: type === 'final' ? null : ([3, 0, 1_204][position % 3] ?? 0),
      limitMs: type === 'final' ? null : ([900_000, 600_000, null][position % 3] ?? null),
    })),
  };
}
