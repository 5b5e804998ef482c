import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/checkout/languages/language.ts';
import { loadAxe } from '../support/axe.ts';
import {
  describeBrowser,
  horizontalOverflow,
  startBrowser,
  type TestBrowser,
  type WatchedPage,
} from '../support/browser.ts';
import { AWAY_ID, type SampleServer, startSampleServer, UNKNOWN_ID } from './sample-server.ts';
import { SAMPLES } from './samples.ts';

/** The last is what the next page is looked at in: small screens have the most to go wrong. */
const WIDTHS = [1_440, 390, 320];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds on the page as it is now, every rule of WCAG 2 and of good practice, as `rule: element`. */
async function violationsOn({ page }: WatchedPage): Promise<string[]> {
  await loadAxe(page);
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: Violation[];
  };
  return found.violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => `${impact} ${id}: ${html}`));
}

describeBrowser('every screen in every language', () => {
  let server: SampleServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startSampleServer(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const addressesIn = (language: Language): [string, string][] => [
    ...Object.keys(SAMPLES).map((name): [string, string] => [name, server.pageOf(name, language)]),
    ['away', `${server.url}/transaction/${AWAY_ID}?lang=${language}`],
    ['unknown', `${server.url}/transaction/${UNKNOWN_ID}?lang=${language}`],
  ];

  async function unfold({ page }: WatchedPage): Promise<void> {
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
  }

  // Dark with the one language that has the longest words, light with all: colours do not depend on the language.
  test.each([...LANGUAGES.map((language) => [language, 'light'] as const), ['de', 'dark'] as const])(
    'can be used by everybody, and fits into every width: %s, %s',
    async (language, colorScheme) => {
      const watched = await browser.open({ colorScheme });
      for (const [name, address] of addressesIn(language)) {
        await watched.page.goto(address);
        await unfold(watched);
        expect([name, await violationsOn(watched)]).toEqual([name, []]);
        for (const width of WIDTHS) {
          await watched.page.setViewportSize({ width, height: 800 });
          expect([name, width, await horizontalOverflow(watched.page)]).toEqual([name, width, 0]);
        }
      }
      await watched.close();
    },
    120_000,
  );

  test('moves nothing for those who ask for less motion', async () => {
    const watched = await browser.open({ reducedMotion: 'reduce' });
    await watched.page.goto(server.pageOf('seen'));
    const durations = await watched.page.evaluate(
      "[...document.querySelectorAll('*')].map((part) => getComputedStyle(part)).map((style) => style.transitionDuration + style.animationName)",
    );
    expect(new Set(durations as string[])).toEqual(new Set(['0snone']));
    await watched.close();
  });
});
