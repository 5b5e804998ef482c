import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../../src/http/checkout/languages/choose-language.ts';
import { LOCALES } from '../../../../src/http/checkout/languages/locales.ts';
import { type WatchedPage } from '../../../support/browser/browser.ts';
import { describePages } from '../../../support/browser/describe-pages.ts';
import { level } from '../../../support/run/level.ts';
import { expectNoViolations, expectToFit, hasEveryPage } from '../expect-accessible.ts';
import { newToken, samplePeriod, sampleSchedule, startRecurringApp } from './recurring-app.ts';

const FULLEST = ['confirm', 'pay'];

describePages('the pages of recurring requests in every language', startRecurringApp, (app, browser) => {
  const urlOf = (purpose: string, token: string) => `${app.url}/recurring/${purpose}/${token}`;
  const headingOf = ({ page }: WatchedPage) => page.locator('h1').innerText();

  /** One page of every kind. */
  function addresses(): [string, string][] {
    const { requests } = app;
    const over = sampleSchedule({ status: 'stopped_by_customer' });
    const active = sampleSchedule({ status: 'active', nextDueAt: Date.UTC(2027, 0, 1), maxPeriods: 12 });
    return [
      ['confirm', urlOf('confirm', requests.addSchedule('confirm', sampleSchedule({ isTest: true })))],
      ['confirmed', urlOf('confirm', requests.addSchedule('confirm', active))],
      ['stop', urlOf('stop', requests.addSchedule('stop', active))],
      ['stopped', urlOf('stop', requests.addSchedule('stop', over))],
      ['pay', urlOf('pay', requests.addPeriod(samplePeriod()))],
      ['pay late', urlOf('pay', requests.addPeriod(samplePeriod({ status: 'unpaid', cryptos: ['USDT'] })))],
      ['pay on', urlOf('pay', requests.addPeriod(samplePeriod({ transactionId: 'txn_open' })))],
      ['over', urlOf('pay', requests.addPeriod(samplePeriod({ schedule: over })))],
      ['unknown', urlOf('pay', newToken())],
    ];
  }

  test.each(LANGUAGES)(
    'are accessible and fit every width: %s',
    async (language) => {
      const watched = await browser.open({ colorScheme: 'light' });
      for (const [name, address] of addresses()) {
        if (!hasEveryPage(language) && !FULLEST.includes(name)) continue;
        await watched.page.goto(`${address}?lang=${language}`);
        expect(await watched.page.locator('html').getAttribute('lang')).toBe(language);
        await watched.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
        await expectNoViolations(watched.page, name, { language, hasOwnColours: FULLEST.includes(name) });
        await expectToFit(watched.page, name, language);
      }
      await watched.close();
    },
    60_000,
  );

  // Every language takes the same path.
  const others = LANGUAGES.filter((language): language is Exclude<Language, 'en'> => language !== 'en');
  test.each(others.slice(0, level.pick({ quick: 1, full: others.length })))(
    'a customer chooses %s, and keeps it when confirming',
    async (language) => {
      const token = app.requests.addSchedule('confirm', sampleSchedule());
      const watched = await browser.open({ javaScriptEnabled: false });
      const { page } = watched;
      const { confirm, statuses } = LOCALES[language].texts.recurring;
      await page.goto(urlOf('confirm', token));
      await page.click('#languages summary');
      await page.click(`#languages a[lang=${language}]`);
      expect(await headingOf(watched)).toBe(confirm.ask('').heading);
      await page.click('#confirm');
      expect(await headingOf(watched)).toBe(statuses.active.heading);
      expect(app.requests.scheduleOf(token)?.status).toBe('active');
      await watched.close();
    },
  );
});
