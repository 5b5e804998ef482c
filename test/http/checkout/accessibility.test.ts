import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../src/http/checkout/languages/choose-language.ts';
import { type WatchedPage } from '../../support/browser/browser.ts';
import { describePages } from '../../support/browser/describe-pages.ts';
import { expectNoViolations, expectToFit, hasEveryPage } from './expect-accessible.ts';
import { AWAY_ID, startSampleServer, UNKNOWN_ID } from './sample-server.ts';
import { SAMPLES } from './samples.ts';

/** Samples with the most content: before, during and after the payment. */
const FULLEST = ['waiting, ether', 'partial', 'completed, too much'];
/** Pages that together have every text colour: those, a countdown, a notice and an error. */
const OWN_COLOURS = [...FULLEST, 'waiting, 4 minutes left', 'seen, blind', 'away', 'waiting, branded', 'seen, branded'];

describePages('every screen in every language', startSampleServer, (server, browser) => {
  function addressesIn(language: Language): [string, string][] {
    const names = hasEveryPage(language) ? Object.keys(SAMPLES) : FULLEST;
    const samples = names.map((name): [string, string] => [name, server.pageOf(name, language)]);
    if (!hasEveryPage(language)) return samples;
    return [
      ...samples,
      ['receipt', server.pageOf('waiting, branded', language).replace('?', '/receipt?')],
      ['away', `${server.url}/transaction/${AWAY_ID}?lang=${language}`],
      ['unknown', `${server.url}/transaction/${UNKNOWN_ID}?lang=${language}`],
    ];
  }

  async function unfold({ page }: WatchedPage): Promise<void> {
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
  }

  test.each(LANGUAGES)(
    'is accessible and fits every width: %s',
    async (language) => {
      const watched = await browser.open({ colorScheme: 'light' });
      for (const [name, address] of addressesIn(language)) {
        await watched.page.goto(address);
        await unfold(watched);
        await expectNoViolations(watched.page, name, { language, hasOwnColours: OWN_COLOURS.includes(name) });
        await expectToFit(watched.page, name, language);
      }
      await watched.close();
    },
    120_000,
  );

  test('has no motion for users who prefer reduced motion', async () => {
    const watched = await browser.open({ reducedMotion: 'reduce' });
    await watched.page.goto(server.pageOf('seen'));
    const durations = await watched.page.evaluate(
      "[...document.querySelectorAll('*')].map((part) => getComputedStyle(part)).map((style) => style.transitionDuration + style.animationName)",
    );
    expect(new Set(durations as string[])).toEqual(new Set(['0snone']));
    await watched.close();
  });
});
