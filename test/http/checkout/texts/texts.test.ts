import { describe, expect, test } from 'vitest';
import { INTERVALS, SCHEDULE_STATUSES } from '../../../../machines/index.ts';
import { LANGUAGES, type Language } from '../../../../src/http/checkout/languages/choose-language.ts';
import type { Texts } from '../../../../src/http/checkout/languages/en.ts';
import { LOCALES, type Locale } from '../../../../src/http/checkout/languages/locales.ts';
import { rejectedLinkPage } from '../../../../src/http/checkout/links/rejected-page.ts';
import { payProblemPage } from '../../../../src/http/checkout/pages/pay-problem.ts';
import { paymentPage } from '../../../../src/http/checkout/pages/payment.ts';
import { receiptPage } from '../../../../src/http/checkout/pages/receipt.ts';
import { sendProblemPage } from '../../../../src/http/checkout/problems.ts';
import { confirmPage } from '../../../../src/http/checkout/recurring/confirm-page.ts';
import { payPage } from '../../../../src/http/checkout/recurring/pay-page.ts';
import { noSuchLink, sendRecurringProblem } from '../../../../src/http/checkout/recurring/problems.ts';
import { stopPage } from '../../../../src/http/checkout/recurring/stop-page.ts';
import { RetryableError, TerminalError } from '../../../../src/platform/errors.ts';
import { escapeHtml } from '../../../../src/platform/text.ts';
import { samplePeriod, sampleSchedule } from '../recurring/recurring-app.ts';
import { NO_BRAND, NOW, SAMPLES, sampleTransaction } from '../samples.ts';

/** Replaces every amount, address or name in a text. */
const FILLED = '‹1›';

/** Texts of a table by path: `screens.late.sentences.0`. Texts with parameters get `FILLED`. */
function leavesOf(table: unknown, path = ''): [string, string][] {
  if (typeof table === 'string') return [[path, table]];
  if (typeof table === 'function') return leavesOf(table(...fillings(table)), path);
  if (typeof table !== 'object' || table === null) return [];
  return Object.entries(table).flatMap(([key, value]) => leavesOf(value, path === '' ? key : `${path}.${key}`));
}

/** Arguments that print as `FILLED`, and so does every property of them. */
function fillings(take: { readonly length: number }): unknown[] {
  const taken = new Proxy(
    { toString: () => FILLED },
    { get: (target, key) => (typeof key === 'symbol' || key in target ? Reflect.get(target, key) : FILLED) },
  );
  return Array.from({ length: take.length }, () => taken);
}

const leaves = new Map(LANGUAGES.map((language) => [language, new Map(leavesOf(LOCALES[language].texts))]));
const english = leaves.get('en') ?? new Map();
const OTHERS = LANGUAGES.filter((language) => language !== 'en');

/** Plural categories differ between languages; the rest of the tables is the same. */
const isPlural = (path: string) => path.startsWith('confirmations.');

/** Words that are spelled the same in another language. */
const SHARED: { readonly [L in Exclude<Language, 'en'>]: readonly string[] } = {
  pl: ['Test'],
  de: ['Test'],
  fr: ['Confirmations', 'confirmation', 'confirmations'],
  es: [],
  it: [],
  pt: [],
};

describe.each(OTHERS)('the texts in %s', (language) => {
  const own = leaves.get(language) ?? new Map();

  test('have the same keys as in English', () => {
    const paths = (table: ReadonlyMap<string, string>) => [...table.keys()].filter((path) => !isPlural(path)).sort();
    expect(paths(own)).toEqual(paths(english));
    expect(paths(own).length).toBeGreaterThan(120);
  });

  test('have the same placeholders as in English, equally often', () => {
    const countOf = (text = '') => text.split(FILLED).length - 1;
    for (const [path, text] of own) {
      if (!isPlural(path)) expect([path, countOf(text)]).toEqual([path, countOf(english.get(path))]);
    }
  });

  test('are all translated', () => {
    const untranslated = [...own].filter(([path, text]) => /\p{L}{2}/u.test(text) && english.get(path) === text);
    expect(untranslated.map(([, text]) => text).filter((text) => !SHARED[language].includes(text))).toEqual([]);
  });
});

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = [...(leaves.get(language) ?? [])];

  test('end correctly: sentences with a full stop, headings and labels without', () => {
    const isSentence = (path: string) =>
      /\.sentences\.|recurring\.confirm\.(first|after|otherwise)|stop\.meaning\.|nothingToPay|pay\.fixed$|following\.|windowIsOver|youCanStillPay|cannotSee|sendRest|arrived$|contact\.(?:unknown|quote|refund)$|expired\.paid(?:Dismissed|Settled)?\.|unaffected$|screens\.(?:replaced|gone|lost(?:Settled|Unpaid)?)$|mayReturn\.|\.blind$|confirmed$|acceptedByShop|tooMuch(?:Settled)?$|network\.(only|lost)|exchangeFee|amountNotInCode|\.note$|triesAgain|receipt\.(goesTo|isTest|wrong)$/.test(
        path,
      ) && !/^(statuses|labels)\./.test(path);
    for (const [path, text] of texts) {
      if (path === 'connectionLost') expect(text).toMatch(/\S…$/);
      else expect([path, text.endsWith('.')]).toEqual([path, isSentence(path)]);
      expect(text).toBe(text.trim());
      // "nulla" is Italian for nothing.
      expect(text).not.toMatch(/undefined|null(?!a\b)|\[object|\s\s/);
    }
  });

  test('have a form for every plural', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    expect(Object.keys(LOCALES[language].texts.confirmations).sort()).toEqual([...pluralCategories].sort());
  });

  test('label every button by its visible text, for voice control', () => {
    const { button, done: _done, ...names } = LOCALES[language].texts.copy;
    for (const name of Object.values(names)) expect(name.toLowerCase()).toContain(button.toLowerCase());
  });
});

test('amounts agree with their sentence in French and Portuguese, where less than two is singular', () => {
  for (const language of ['fr', 'pt'] as const) {
    const texts = [...(leaves.get(language) ?? [])].map(([, text]) => text);
    const disagreeing = new RegExp(
      `${FILLED} (?:sont|ont|foram|chegaram)|(?:Chegaram|faltam|devem chegar|doivent arriver) .*${FILLED}`,
    );
    expect(texts.filter((text) => disagreeing.test(text))).toEqual([]);
  }
});

test('recurring texts have the usual words of their language', () => {
  const recurring = (language: Language) => LOCALES[language].texts.recurring;
  const german = leavesOf(recurring('de')).map(([, text]) => text);
  expect(german.filter((text) => /\bAnforderung/.test(text))).toEqual([]);
  expect(recurring('de').banner).toEqual({ strong: 'Test', rest: 'kein echtes Geld' });
  expect(recurring('pl').banner).toEqual({ strong: 'Test', rest: 'bez prawdziwych pieniędzy' });
  expect(recurring('es').labels.count).toBe('Número de pagos');
  expect(recurring('it').labels.count).toBe('Numero di pagamenti');
});

/** All pages of recurring requests, by name: every status, with and without the optional fields. */
function recurringPagesIn(locale: Locale): Map<string, string> {
  const pages = new Map<string, string>();
  const december = Date.UTC(2026, 11, 1);
  for (const interval of INTERVALS) {
    for (const status of SCHEDULE_STATUSES) {
      for (const [index, more] of [
        { isTest: true },
        { startAt: december, maxPeriods: 12, nextDueAt: december },
        { nextDueAt: december, isFinished: status === 'cancelled' },
      ].entries()) {
        const schedule = sampleSchedule({ interval, status, description: 'ORDER-1', ...more });
        const name = `${interval} ${status} ${index}`;
        pages.set(`confirm ${name}`, confirmPage(schedule, locale));
        pages.set(`stop ${name}`, stopPage(schedule, locale));
        for (const [at, period] of [
          {},
          { status: 'unpaid' as const },
          { cryptos: ['LTC' as const] },
          { cryptos: [] },
          { transactionId: 'txn_1' },
          { transactionId: 'txn_1', isInProgress: true },
          { status: 'paid' as const, transactionId: 'txn_1' },
        ].entries()) {
          pages.set(`pay ${name} ${at}`, payPage(samplePeriod({ schedule, ...period }), { locale, lang: '' }));
        }
      }
    }
  }
  const failures = [
    noSuchLink(),
    new RetryableError('DATABASE_UNAVAILABLE', 'Away', { retryAfterMs: 1 }),
    new TerminalError('INVALID_STATE', 'Nothing waits'),
    new TerminalError('INVALID_CRYPTO', 'Not that'),
    new TerminalError('NO_ACTIVE_PLAN', 'No plan'),
    new Error('bug'),
    { statusCode: 413 },
  ];
  for (const [index, error] of failures.entries()) {
    for (const isForm of [false, true]) {
      pages.set(`recurring failure ${index} ${isForm}`, sendRecurringProblem(error, { isForm, locale }).page);
    }
  }
  return pages;
}

/** All pages by name: the samples, the recurring requests and the errors. */
function pagesIn(language: Language): ReadonlyMap<string, string> {
  const pages = rendered.get(language) ?? renderPagesIn(language);
  rendered.set(language, pages);
  return pages;
}

const rendered = new Map<Language, ReadonlyMap<string, string>>();

function renderPagesIn(language: Language): ReadonlyMap<string, string> {
  const locale = LOCALES[language];
  const pages = new Map(Object.entries(SAMPLES).map(([name, sample]) => [name, paymentPage(sample, NOW, locale)]));
  const failures = [
    new RetryableError('DATABASE_UNAVAILABLE', 'Away', { retryAfterMs: 1 }),
    new TerminalError('TRANSACTION_NOT_FOUND', 'Nothing'),
    new TerminalError('INVALID_STATE', 'Nothing waits'),
    new TerminalError('INVALID_REQUEST', 'Action is wrong'),
    new Error('bug'),
    { statusCode: 413 },
  ];
  for (const [index, error] of failures.entries()) {
    for (const form of [null, 'txn_x'])
      pages.set(`failure ${index} ${form}`, sendProblemPage(error, form, locale).page);
  }
  for (const code of PAY_CODES) {
    const problem = { code, message: 'Some words of the interface', field: null, requestId: 'req_1', retrySeconds: 2 };
    const openPaymentUrl = 'https://pay.example/transaction/txn_1';
    pages.set(code, payProblemPage({ ...problem, openPaymentUrl, acceptLanguage: language }));
    const ofNetwork = { ...problem, field: 'client_address', openPaymentUrl, acceptLanguage: language };
    if (code === 'TOO_MANY_OPEN_PAYMENTS') pages.set(`${code} of a network`, payProblemPage(ofNetwork));
  }
  for (const [name, page] of [...recurringPagesIn(locale), ...rejectedPagesIn(language)]) pages.set(name, page);
  return pages;
}

/** All pages of payment links that open no payment. */
function rejectedPagesIn(lang: Language): [string, string][] {
  const shop = { merchantName: 'Corner Bakery', brand: NO_BRAND };
  const payment = { url: 'https://pay.example/transaction/txn_1', isInProgress: false, isLate: false };
  return (['paid', 'being_paid', 'expired', 'closed'] as const).flatMap((rejection) =>
    [null, payment, { ...payment, isInProgress: true }].flatMap((own, index) =>
      [1, 2].map((maxUses): [string, string] => {
        const link = {
          title: 'ORDER-1',
          mode: 'test',
          maxUses,
          expiresAt: NOW,
          successUrl: 'https://shop.example',
        } as const;
        const input = { rejection, link, shop, own, offersLanguages: true, lang, acceptLanguage: undefined };
        return [`refused link ${rejection} ${maxUses} ${index}`, rejectedLinkPage(input)];
      }),
    ),
  );
}

const PAY_CODES = [
  'INVALID_AMOUNT',
  'INVALID_CRYPTO',
  'ACTIVE_TRANSACTION_EXISTS',
  'RATE_LIMIT_EXCEEDED',
  'TOO_MANY_OPEN_PAYMENTS',
  'UPSTREAM_ERROR',
  'NO_ACTIVE_PLAN',
  'UNAUTHORIZED',
];

/** All text of a page: between tags, and in attributes that are read out, shown or announced. */
function saidBy(page: string): string[] {
  const own = page.replace(/<(?!html)(\w+)(?: [^>]*)? lang="[a-z]+"[^>]*>.*?<\/\1>/gs, '');
  const attributes = [
    ...own.matchAll(/ (?:aria-label|title|alt|placeholder|data-done|data-warning|data-said)="([^"]*)"/g),
  ];
  const text = own.replace(/<style.*?<\/style>/gs, '').split(/<[^>]*>/);
  return [...attributes.map(([, value = '']) => value), ...text]
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Text that is not translated: names, numbers with their units, ids, addresses. */
const DATA =
  /^(?:[\d.,:=‹›()\s-]*(?:\b(?:LTC|ETH|USDT|USD|EUR|PLN|UTC)\b[\d.,:=\s-]*)*|Litecoin|Tether USD|Ethereum(?: \(ERC-20\))?|Corner Bakery|Gesellschaft für .*|A-2026-0017|ORDER-.*|txn_\w+|[0-9a-f]{64}|0x\w{40}|ltc1\w+|req_1|help[@.]bakery\.example\S*|a…@example\.com|[A-Z_]+)$/u;

describe.each(OTHERS)('pages in %s', (language) => {
  test('share no text with the English ones, except names and numbers', () => {
    const englishPages = pagesIn('en');
    for (const [name, page] of pagesIn(language)) {
      const inEnglish = new Set(saidBy(englishPages.get(name) ?? ''));
      expect(inEnglish.size).toBeGreaterThan(2);
      const same = saidBy(page).filter((part) => inEnglish.has(part) && !DATA.test(part));
      expect([name, same.filter((part) => !SHARED[language].includes(part))]).toEqual([name, []]);
    }
  });

  test('declare their language', () => {
    for (const page of pagesIn(language).values()) expect(page).toContain(`<html lang="${language}">`);
  });
});

test('the test above detects English', () => {
  const page = paymentPage(SAMPLES.waiting ?? sampleTransaction(), NOW, LOCALES.en);
  const said = saidBy(page).filter((part) => !DATA.test(part));
  expect(said).toEqual(
    expect.arrayContaining(['Copy amount', 'Copied', 'Amount', 'Details', 'Open wallet', 'Pay 25.00 EUR']),
  );
});

/** A locale in which every text is `FILLED`, whatever its arguments. */
function silenced(table: unknown): unknown {
  if (typeof table === 'string') return FILLED;
  if (typeof table === 'function') {
    const silent = silenced(table(...fillings(table)));
    return () => silent;
  }
  if (Array.isArray(table)) return table.map(silenced);
  if (typeof table !== 'object' || table === null) return table;
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, silenced(value)]));
}

test('every text of every page is in the tables', () => {
  const { en } = LOCALES;
  const silent = {
    ...en,
    texts: silenced(en.texts) as Texts,
    formats: { ...en.formats, timestamp: () => FILLED, day: () => FILLED },
  };
  const names = ['Litecoin', 'Ethereum', 'ERC-20', 'UTC', 'LTC', 'ETH', 'USDT', 'EUR', 'USD', 'PLN', 'English'];
  const wordsOn = (page: string, data: readonly (string | null)[] = []) =>
    saidBy(page)
      .map((part) => [...data, ...names].reduce((rest: string, name) => rest.replaceAll(name ?? '', ''), part))
      .filter((part) => /\p{L}/u.test(part));
  for (const [name, sample] of Object.entries(SAMPLES)) {
    const { storeName, orderId, depositAddress, id, payments, brand, receipt } = sample;
    const help = brand.supportContact?.replace('https://', '') ?? null;
    const own = [orderId, depositAddress, id, help, receipt?.address ?? null];
    const data = [escapeHtml(storeName), ...own, ...payments.map(({ txid }) => txid)];
    expect([name, wordsOn(paymentPage(sample, NOW, silent), data)]).toEqual([name, []]);
    expect([name, wordsOn(receiptPage(sample, { wrong: null }, silent), data)]).toEqual([name, []]);
  }
  for (const error of [new TerminalError('INVALID_STATE', 'Nothing waits'), new Error('bug')]) {
    expect(wordsOn(sendProblemPage(error, 'txn_x', silent).page)).toEqual([]);
  }
  for (const [name, page] of recurringPagesIn(silent)) {
    expect([name, wordsOn(page, ['Corner Bakery', 'ORDER-1', 'Tether'])]).toEqual([name, []]);
  }
  expect(wordsOn(paymentPage(SAMPLES.waiting ?? sampleTransaction(), NOW, en))).not.toEqual([]);
});
