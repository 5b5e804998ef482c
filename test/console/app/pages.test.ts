import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildApp } from '../../../src/console/static/index.ts';
import { describeBrowser, horizontalOverflow, startBrowser, type TestBrowser } from '../../support/browser.ts';
import { PATIENCE } from '../../support/engine.ts';
import { openSignedIn, outside, seriousViolations } from './console-app.ts';
import { ACTOR_ID } from './fake-data.ts';
import { arrangeCharts, type FakeServer, OPERATOR, startFakeServer } from './fake-server.ts';

/** Where pictures of the pages are put, for those who want to see them. */
const PICTURES = process.env.TEST_PICTURES;

/** Three charts on a busy machine. */
const ARRANGING_MS = 180_000;

describeBrowser('every page of the console', () => {
  let browser: TestBrowser;
  let server: FakeServer;
  beforeAll(async () => {
    await Promise.all([buildApp(), arrangeCharts()]);
    [browser, server] = await Promise.all([startBrowser(), startFakeServer()]);
  }, ARRANGING_MS);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const actor = `/actors/${encodeURIComponent(ACTOR_ID)}`;
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

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test.each(pages)('%s is readable for all, asks nobody outside and breaks no rule', async (name, path) => {
      server.user = OPERATOR;
      const watched = await openSignedIn(browser, server, path, {
        colorScheme,
        viewport: { width: 1440, height: 900 },
      });
      for (const width of [1440, 768, 390]) {
        await watched.page.setViewportSize({ width, height: 900 });
        await vi.waitFor(async () => expect(await watched.page.locator('.loading').count()).toBe(0), PATIENCE);
        expect(await horizontalOverflow(watched.page), `${name} at ${width}`).toBe(0);
        // What axe judges differs between the two ends at most.
        if (width !== 768) expect(await seriousViolations(watched), `${name} at ${width}`).toEqual([]);
        if (PICTURES !== undefined) {
          await watched.page.screenshot({
            path: `${PICTURES}/${name}-${colorScheme}-${width}.png`,
            fullPage: width < 1000,
          });
        }
      }
      expect(refusalsLeftOut(watched.troubles)).toEqual([]);
      expect(outside(watched, server)).toEqual([]);
      await watched.close();
    });

    test.each(['sign-in', 'forgotten', 'sign-up', 'sign-up/confirm#abc', 'password-reset#abc'])(
      '%s, for those who are not signed in, is readable for all',
      async (path) => {
        const watched = await browser.open({ colorScheme, viewport: { width: 1440, height: 900 } });
        await watched.page.goto(`${server.url}/console/${path}`);
        await watched.page.getByRole('heading').waitFor();
        for (const width of [1440, 390]) {
          await watched.page.setViewportSize({ width, height: 900 });
          expect(await horizontalOverflow(watched.page)).toBe(0);
          expect(await seriousViolations(watched)).toEqual([]);
          if (PICTURES !== undefined) {
            const name = path.replace(/\W/g, '-');
            await watched.page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${width}.png` });
          }
        }
        expect(watched.troubles).toEqual([]);
        expect(outside(watched, server)).toEqual([]);
        await watched.close();
      },
    );
  });
});

// Helpers

/** The browser itself writes every 401 to the console; the sign-in with two steps has one. */
function refusalsLeftOut(troubles: readonly string[]): readonly string[] {
  return troubles.filter((trouble) => !/status of 401/.test(trouble));
}
