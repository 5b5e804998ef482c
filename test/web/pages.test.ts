import { beforeAll, expect, test, vi } from 'vitest';
import { picture } from '../http/console/merchant/pages/pages.ts';
import { seriousViolations } from '../support/browser/axe.ts';
import { horizontalOverflow, type WatchedPage } from '../support/browser/browser.ts';
import { describePages } from '../support/browser/describe-pages.ts';
import { POLLING } from '../support/polling.ts';
import { level } from '../support/run/level.ts';
import { showWithin } from '../support/within-console.ts';
import { openSignedIn, outside } from './console-app.ts';
import { ACTOR_ID } from './fake-data.ts';
import { startWithCharts } from './fake-server.ts';

describePages('every page of the console', startWithCharts, (server, browser) => {
  let console: WatchedPage;
  beforeAll(async () => {
    console = await openSignedIn(browser, server, '/account', DESKTOP);
  }, 60_000);

  // At the quick level test/http/console/chart-browser.test.ts covers charts with an actor.
  const WITHOUT_CHARTS: ReadonlySet<string> = new Set(level.pick({ quick: ['actor', 'actor-past'], full: [] }));
  const actor = `/actors/${encodeURIComponent(ACTOR_ID)}`;
  const headings = new Set<string>();
  const pages = [
    ['account', '/account'],
    ['password', '/account?tab=password'],
    ['two-factor', '/account?tab=two-factor'],
    ['sessions', '/account?tab=sessions'],
    ['users', '/users'],
    ['chart', '/charts/transaction'],
    ['chart-list', '/charts/delivery?form=list'],
    ['actors', '/actors?kind=transaction&failed=1'],
    ['actor', actor],
    ['actor-past', `${actor}?at=2&tab=context`],
    ['timers', '/timers'],
    ['dead-letters', '/dead-letters'],
    ['mails', '/mails'],
    ['runs', '/runs'],
    ['plan-run', '/runs?kind=transaction&state=open&stage=1'],
    ['health', '/health'],
    ['merchants', '/merchants'],
    ['merchant', '/merchants/mer_4c1f9a27'],
    ['plans', '/plans'],
    ['actions', '/actions'],
    ['journal-file', '/journal-file'],
    ['nothing', '/no/such/page'],
  ] as const;

  test.each(pages)('%s is accessible, sends no request to third parties and passes every rule', async (name, path) => {
    await showWithin(console.page, `/console${path}`);
    headings.add(await console.page.locator('h1').innerText());
    await expectReadable(console, name);
  });

  test('the pages were all different', () => {
    expect(headings.size).toBeGreaterThan(12);
  });

  test('the signed-out pages are accessible', async () => {
    const watched = await browser.open(DESKTOP);
    await watched.page.goto(`${server.url}/console/sign-in`);
    const seen = new Set<string>();
    for (const path of ['sign-in', 'forgotten', 'sign-up', 'sign-up/confirm#abc', 'password-reset#abc']) {
      await showWithin(watched.page, `/console/${path}`);
      await vi.waitFor(async () => expect(seen).not.toContain(await headingOf(watched)), POLLING);
      seen.add(await headingOf(watched));
      await expectReadable(watched, path.replace(/\W/g, '-'));
    }
    await watched.close();
  });

  const headingOf = ({ page }: WatchedPage) => page.getByRole('heading').first().innerText();

  async function expectReadable(watched: WatchedPage, name: string): Promise<void> {
    const { page } = watched;
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await vi.waitFor(async () => expect(await page.locator('.loading').count()).toBe(0), POLLING);
      expect(await horizontalOverflow(page), `${name} at ${width}`).toBe(0);
      for (const colorScheme of THEMES_AT[width]) {
        await page.emulateMedia({ colorScheme });
        const isFurtherViewport = width !== WIDTHS[0];
        const options = { isFurtherViewport, withoutCharts: WITHOUT_CHARTS.has(name) };
        expect(await seriousViolations(watched, options), `${name} at ${width}, ${colorScheme}`).toEqual([]);
        await picture(page, `${name}-${colorScheme}-${width}`);
      }
    }
    expect(watched.troubles).toEqual([]);
    expect(outside(watched, server)).toEqual([]);
  }
});

// Helpers

const DESKTOP = { viewport: { width: 1_440, height: 900 } } as const;
const WIDTHS = [1_440, 768, 390] as const;
type Theme = 'light' | 'dark';
const BOTH: readonly Theme[] = ['light', 'dark'];
/** axe results differ at most between the two extremes. The quick level has each theme once. */
const THEMES_AT: Readonly<Record<(typeof WIDTHS)[number], readonly Theme[]>> = {
  1440: level.pick({ quick: ['light'], full: BOTH }),
  768: [],
  390: level.pick({ quick: ['dark'], full: BOTH }),
};
