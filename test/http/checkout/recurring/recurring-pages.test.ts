import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CRYPTO_SYMBOLS, INTERVALS, SCHEDULE_STATUSES, type ScheduleStatus } from '../../../../machines/index.ts';
import { LOCALES } from '../../../../src/http/checkout/languages/locales.ts';
import { confirmPage as confirmPageIn } from '../../../../src/http/checkout/recurring/confirm-page.ts';
import { payPage as payPageIn, payScreenOf } from '../../../../src/http/checkout/recurring/pay-page.ts';
import { stopPage as stopPageIn } from '../../../../src/http/checkout/recurring/stop-page.ts';
import { escapeHtml } from '../../../../src/platform/text.ts';
import { assertProperty, textOfAnyCharacters } from '../../../support/run/fast-check.ts';
import { samplePeriod, sampleSchedule } from './recurring-app.ts';

const DECEMBER = Date.UTC(2026, 11, 1);

const confirmPage = (schedule: ReturnType<typeof sampleSchedule>) => confirmPageIn(schedule, LOCALES.en);
const stopPage = (schedule: ReturnType<typeof sampleSchedule>) => stopPageIn(schedule, LOCALES.en);
const payPage = (period: ReturnType<typeof samplePeriod>) => payPageIn(period, { locale: LOCALES.en, lang: '' });

/** The visible text. */
function textOf(page: string): string {
  return page
    .slice(page.indexOf('<body'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');
}

const confirmText = (changes: Parameters<typeof sampleSchedule>[0]) => textOf(confirmPage(sampleSchedule(changes)));
const stopText = (changes: Parameters<typeof sampleSchedule>[0]) => textOf(stopPage(sampleSchedule(changes)));
const payText = (changes: Parameters<typeof samplePeriod>[0]) => textOf(payPage(samplePeriod(changes)));

const OVER: readonly (readonly [string, Parameters<typeof sampleSchedule>[0], string])[] = [
  ['cancelled', { status: 'cancelled' }, 'The shop has ended these requests'],
  ['finished', { status: 'cancelled', isFinished: true }, 'These requests are complete'],
  ['stopped', { status: 'stopped_by_customer' }, 'These requests are stopped'],
  ['bounced', { status: 'bounced' }, 'Email could not be delivered to you'],
  ['never confirmed', { status: 'expired_unconfirmed' }, 'The time to agree has ended'],
];

describe('the page to confirm', () => {
  test('states the merchant, the purpose, the amount, the interval and the duration, what happens next, and how to decline', () => {
    const text = confirmText({});
    expect(text).toContain('Corner Bakery');
    expect(text).toContain('Do you agree to these requests?');
    expect(text).toContain('25.00 EUR every month');
    expect(text).toContain('Bread box, two loaves a week');
    expect(text).toContain('Starts on As soon as you agree');
    expect(text).toContain('Until you or the shop ends it');
    expect(text).toContain('Nothing is ever taken from your wallet');
    expect(text).toContain('Ignore it');
    expect(text).toContain('Agree to these requests');
    expect(text).not.toContain('Test');
  });

  test('states the day of the first request and the number of payments when the merchant has set them', () => {
    const text = confirmText({ startAt: DECEMBER, maxPeriods: 12 });
    expect(text).toContain('Starts on 1 December 2026');
    expect(text).toContain('Number of payments 12');
    expect(text).not.toContain('as soon as you agree');
  });

  test.each([
    ['weekly', 'every week'],
    ['monthly', 'every month'],
    ['quarterly', 'every three months'],
    ['yearly', 'every year'],
  ] as const)('calls %s "%s"', (interval, words) => {
    expect(confirmText({ interval })).toContain(`25.00 EUR ${words}`);
  });

  test('of a test schedule says that no money is requested', () => {
    expect(confirmText({ isTest: true })).toContain('Test : no real money');
    expect(textOf(payPage(samplePeriod({ schedule: sampleSchedule({ status: 'active', isTest: true }) })))).toContain(
      'Test : no real money',
    );
  });

  test('of confirmed requests shows the next date, and has no button', () => {
    const next = Date.UTC(2026, 11, 22);
    const text = confirmText({ status: 'active', nextDueAt: next });
    expect(text).toContain('Confirmed You have agreed');
    expect(text).toContain('The next request arrives on 22 December 2026.');
    expect(confirmText({ status: 'active', nextDueAt: DECEMBER, startAt: DECEMBER })).toContain(
      'The first request arrives by email on 1 December 2026.',
    );
    expect(confirmText({ status: 'active', nextDueAt: null })).toContain('The last request has been sent');
    expect(confirmPage(sampleSchedule({ status: 'active', nextDueAt: next }))).not.toContain('<form');
    expect(text).not.toContain('due now');
  });

  test('of confirmed requests leads to the payment that is due', () => {
    const url = 'https://pay.example/recurring/pay/0123';
    const first = sampleSchedule({ status: 'active', nextDueAt: DECEMBER, due: { periodNo: 1, url } });
    expect(textOf(confirmPage(first))).toContain(
      'Your first payment is due now. We have emailed you the link. The next request arrives on 1 December 2026.',
    );
    expect(confirmPage(first)).toContain(`href="${url}?lang=en">Pay now</a>`);
    const last = textOf(confirmPage({ ...first, nextDueAt: null, due: { periodNo: 2, url } }));
    expect(last).toContain('A payment is due now. We have emailed you the link.');
    expect(last).not.toContain('The last request');
  });

  test('of paused requests says that the shop has paused them', () => {
    expect(confirmText({ status: 'paused' })).toContain('Paused by the shop');
    expect(confirmPage(sampleSchedule({ status: 'paused' }))).not.toContain('<form');
  });

  test.each(OVER)('of ended requests (%s) gives the reason, and has no button', (_name, changes, words) => {
    expect(confirmText(changes)).toContain(words);
    expect(confirmPage(sampleSchedule(changes))).not.toContain('<form');
  });
});

describe('the page to stop', () => {
  test.each(['pending_confirmation', 'active', 'paused'] as const)(
    'of %s requests explains what stopping does, and has a button',
    (status) => {
      const text = stopText({ status });
      expect(text).toContain('Stop these requests?');
      expect(text).toContain('Nothing more is requested, and no reminder is sent.');
      expect(text).toContain('A payment you have already sent still counts.');
      expect(stopPage(sampleSchedule({ status }))).toMatch(/<form method="post"><button[^>]*>Stop these requests</);
    },
  );

  test('of unconfirmed requests does not claim otherwise', () => {
    expect(stopText({})).toContain('You have not agreed to them');
    expect(stopText({ status: 'active' })).not.toContain('You have not agreed');
  });

  test.each(OVER)('of ended requests (%s) gives the reason, and has no button', (_name, changes, words) => {
    expect(stopText(changes)).toContain(words);
    expect(stopPage(sampleSchedule(changes))).not.toContain('<form');
  });
});

describe('the page of a period', () => {
  test('shows the payment number, the due date and the amount', () => {
    const text = payText({ schedule: sampleSchedule({ status: 'active', maxPeriods: 12 }) });
    expect(text).toContain('Pay 25.00 EUR');
    expect(text).toContain('Payment 3 of 12');
    expect(text).toContain('Due 1 December 2026');
    expect(text).toContain('Bread box, two loaves a week');
    expect(payText({})).toContain('Payment 3 Due');
  });

  test('offers the coins by name, none preselected, and distinguishes networks', () => {
    const page = payPage(samplePeriod());
    expect(textOf(page)).toContain('Litecoin LTC');
    expect(textOf(page)).toContain('Tether USD USDT on Ethereum (ERC-20)');
    expect(page.match(/type="radio"[^>]* required/g)).toHaveLength(2);
    expect(page).not.toContain(' checked');
    expect(page).toContain('<legend>');
  });

  test('has a single button when there is one coin', () => {
    const page = payPage(samplePeriod({ cryptos: ['LTC'] }));
    expect(page).toMatch(/<button[^>]* name="crypto" value="LTC">Pay with Litecoin \(LTC\)<\/button>/);
    expect(page).not.toContain('radio');
  });

  test('that is late can still be paid', () => {
    const text = payText({ status: 'unpaid' });
    expect(text).toContain('This payment is late, but you can still make it.');
    expect(text).toContain('Was due 1 December 2026');
    expect(text).toContain('Continue to the payment');
  });

  test('with an open payment offers it first, and keeps other coins available', () => {
    const page = payPage(samplePeriod({ transactionId: 'txn_open' }));
    expect(page).toMatch(/href="\.\.\/\.\.\/transaction\/txn_open">Continue with this payment</);
    expect(page.indexOf('Go on')).toBeLessThan(page.indexOf('<details id="another"'));
    expect(textOf(page)).toContain('Pay with another coin');
    expect(payPage(samplePeriod({ transactionId: 'txn_open', cryptos: ['LTC'] }))).not.toContain('<form');
  });

  test('with a payment in progress links to it and offers no second one', () => {
    const page = payPage(samplePeriod({ transactionId: 'txn_seen', isInProgress: true, cryptos: [] }));
    expect(page).toMatch(/href="\.\.\/\.\.\/transaction\/txn_seen">View the payment</);
    expect(page).not.toContain('<form');
  });

  test('that is paid shows thanks, with a link to the receipt', () => {
    const page = payPage(samplePeriod({ status: 'paid', transactionId: 'txn_paid', cryptos: [] }));
    expect(textOf(page)).toContain('Paid. Thank you');
    expect(page).toMatch(/href="\.\.\/\.\.\/transaction\/txn_paid">View the receipt</);
    expect(page).not.toContain('<form');
  });

  test.each(OVER)('of ended requests (%s) has nothing to pay', (_name, changes) => {
    const page = payPage(samplePeriod({ schedule: sampleSchedule(changes), cryptos: [] }));
    expect(textOf(page)).toContain('Nothing more is due here.');
    expect(page).not.toMatch(/<form|class="button"/);
  });

  test('says that the shop cannot accept payments when there is no coin', () => {
    expect(payText({ cryptos: [] })).toContain('This shop cannot accept payments at the moment');
  });

  test('of paused requests can be paid: earlier requests still count', () => {
    expect(payText({ schedule: sampleSchedule({ status: 'paused' }) })).toContain('Continue to the payment');
  });
});

test('a paid period whose coins have left the network is not called paid', () => {
  const text = payText({ status: 'paid', transactionId: 'txn_lost', isLost: true });
  expect(text).toContain('This payment is no longer on the network');
  expect(text).toContain('contact the shop');
  expect(text).not.toContain('Thank you');
});

describe('the screen of a period', () => {
  const anyPeriod = fc.record({
    status: fc.constantFrom('awaited', 'paid', 'unpaid'),
    scheduleStatus: fc.constantFrom(...SCHEDULE_STATUSES),
    cryptos: fc.subarray([...CRYPTO_SYMBOLS]),
    transactionId: fc.option(fc.constant('txn_any')),
    isInProgress: fc.boolean(),
    isLost: fc.boolean(),
  });

  test('shows received money first, requests nothing after an end, and offers coins only if there are any', () => {
    const ended: readonly ScheduleStatus[] = SCHEDULE_STATUSES.slice(3);
    expect(ended).toEqual(['cancelled', 'stopped_by_customer', 'bounced', 'expired_unconfirmed']);
    assertProperty(
      fc.property(anyPeriod, ({ scheduleStatus, ...rest }) => {
        const screen = payScreenOf(samplePeriod({ ...rest, schedule: sampleSchedule({ status: scheduleStatus }) }));
        const isPaid = rest.status === 'paid';
        const hasCoins = rest.isInProgress && rest.transactionId !== null;
        expect(screen.kind === 'paid').toBe(isPaid && !rest.isLost);
        expect(screen.kind === 'lost').toBe(isPaid && rest.isLost);
        expect(screen.kind === 'inProgress').toBe(!isPaid && hasCoins);
        expect(screen.kind === 'over').toBe(!isPaid && !hasCoins && ended.includes(scheduleStatus));
        if (screen.kind === 'choose') expect(screen.cryptos.length).toBeGreaterThan(0);
        if (screen.kind === 'choose') expect(rest.transactionId).toBeNull();
      }),
    );
  });
});

test('merchant text stays text on every page', () => {
  const anyText = fc.oneof(
    textOfAnyCharacters({ minLength: 1 }),
    fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'--></title><svg onload=alert(1)>"),
  );
  assertProperty(
    fc.property(
      anyText,
      anyText,
      fc.constantFrom(...SCHEDULE_STATUSES),
      fc.constantFrom(...INTERVALS),
      (merchantName, description, status, interval) => {
        const schedule = sampleSchedule({ merchantName, description, status, interval });
        const plain = sampleSchedule({ merchantName: 'x', description: 'x', status, interval });
        const tagsOf = (page: string) => page.match(/<[^>]*>/g);
        for (const show of [confirmPage, stopPage, (of: typeof schedule) => payPage(samplePeriod({ schedule: of }))]) {
          const page = show(schedule);
          expect(page).toContain(`<bdi>${escapeHtml(merchantName)}</bdi>`);
          expect(page).toContain(`<bdi>${escapeHtml(description)}</bdi>`);
          expect(tagsOf(page)).toEqual(tagsOf(show(plain)));
        }
      },
    ),
  );
});

test('no page loads anything but its own style, script and icon', () => {
  for (const page of [confirmPage(sampleSchedule()), stopPage(sampleSchedule()), payPage(samplePeriod())]) {
    const links = [...page.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, address]) => address);
    // The page's own address in each language.
    const others = links.filter((address) => !/^\?lang=[a-z]{2}$/.test(address ?? ''));
    expect(others).toHaveLength(3);
    for (const address of others) expect(address).toMatch(/^\.\.\/\.\.\/checkout\/assets\//);
    expect(page).not.toMatch(/style="|<style|<script>|onclick/);
  }
});
