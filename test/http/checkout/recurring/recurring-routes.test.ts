import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RetryableError, TerminalError } from '../../../../src/platform/errors.ts';
import { newToken, type RecurringApp, samplePeriod, sampleSchedule, startRecurringApp } from './recurring-app.ts';

let app: RecurringApp;
beforeAll(async () => {
  app = await startRecurringApp();
});
afterAll(() => app.stop());
beforeEach(() => {
  app.requests.failWith(null);
  app.requests.calls.length = 0;
  app.requests.opened.length = 0;
  app.logged.length = 0;
});

const PURPOSES = ['confirm', 'stop', 'pay'] as const;

const urlOf = (purpose: string, token: string) => `${app.url}/recurring/${purpose}/${token}`;
const open = (purpose: string, token: string) => fetch(urlOf(purpose, token));
const post = (purpose: string, token: string, body?: RequestInit['body'], headers: Record<string, string> = {}) =>
  fetch(urlOf(purpose, token), {
    method: 'POST',
    redirect: 'manual',
    headers,
    ...(body === undefined || body === null ? {} : { body }),
  });
const payWith = (token: string, crypto: string) => post('pay', token, new URLSearchParams({ crypto }));

const tokenFor = (purpose: (typeof PURPOSES)[number]) =>
  purpose === 'pay' ? app.requests.addPeriod(samplePeriod()) : app.requests.addSchedule(purpose, sampleSchedule());

describe.each(PURPOSES)('/recurring/%s', (purpose) => {
  test('is HTML under a strict policy, and is not cached, indexed or sent as referrer', async () => {
    const response = await open(purpose, tokenFor(purpose));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-robots-tag')).toContain('noindex');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test.each(['GET', 'HEAD'])('%s changes nothing, however often a scanner opens the link', async (method) => {
    const token = tokenFor(purpose);
    for (let time = 0; time < 3; time += 1) {
      const response = await fetch(urlOf(purpose, token), { method });
      expect(response.status).toBe(200);
      if (method === 'HEAD') expect(await response.text()).toBe('');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect(new Set(app.requests.calls)).toEqual(new Set([purpose === 'pay' ? 'findPeriod' : 'find']));
    expect(app.requests.opened).toEqual([]);
  });

  test.each([
    'x',
    '%00',
    "' or 1=1",
    'A'.repeat(32),
    'a'.repeat(31),
    'a'.repeat(33),
    `${'a'.repeat(32)}\n`,
    'f'.repeat(400),
  ])('with an invalid token (%j) is the 404 page, without a lookup', async (text) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const response = await fetch(urlOf(purpose, encodeURIComponent(text)), { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      if (method !== 'HEAD') expect(await response.text()).toContain('Link not found');
    }
    expect(app.requests.calls).toEqual([]);
  });

  test('with a token of nothing or of something else is the 404 page', async () => {
    const others = PURPOSES.filter((other) => other !== purpose).map(tokenFor);
    for (const token of [newToken(), ...others]) {
      expect((await open(purpose, token)).status).toBe(404);
      const response = await post(purpose, token, new URLSearchParams({ crypto: 'LTC' }));
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('Link not found');
    }
    expect(app.requests.opened).toEqual([]);
  });

  test('returns 503 during an outage; a page retries by itself, and a form does not', async () => {
    const token = tokenFor(purpose);
    app.requests.failWith(new RetryableError('DATABASE_UNAVAILABLE', 'down for the test', { retryAfterMs: 2_500 }));
    for (const response of [await open(purpose, token), await payOrPost(purpose, token)]) {
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('3');
      const text = await response.text();
      expect(text).toContain('Temporarily unavailable');
      expect(text).toContain('try again');
      expect(text).not.toContain('down for the test');
      expect(text.includes('http-equiv="refresh"')).toBe(!text.includes('id="back"'));
    }
    app.requests.failWith(null);
    expect((await open(purpose, token)).status).toBe(200);
  });

  test('with a bug is the 500 page, and the log names the route but not the token', async () => {
    const token = tokenFor(purpose);
    app.requests.failWith(new Error('a bug of the test'));
    for (const response of [await open(purpose, token), await payOrPost(purpose, token)]) {
      expect(response.status).toBe(500);
      const text = await response.text();
      expect(text).toContain('Something went wrong');
      expect(text).not.toMatch(/a bug of the test|\.ts:|node_modules/);
    }
    const lines = app.logged.join('');
    expect(lines.match(/a bug of the test/g)?.length).toBeGreaterThanOrEqual(2);
    expect(lines).toContain(`/recurring/${purpose}/:`);
    expect(lines).not.toContain(token);
  });

  test('rejects an oversized body', async () => {
    const response = await post(purpose, tokenFor(purpose), new URLSearchParams({ crypto: 'x'.repeat(20_000) }));
    expect(response.status).toBe(413);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(app.requests.calls).toEqual([]);
  });
});

function payOrPost(purpose: string, token: string): Promise<Response> {
  return purpose === 'pay' ? payWith(token, 'LTC') : post(purpose, token);
}

describe('the language', () => {
  test.each(PURPOSES)("of /recurring/%s is that of the URL, else the browser's, else English", async (purpose) => {
    const url = urlOf(purpose, tokenFor(purpose));
    const tries: [string, string | null, string][] = [
      ['', null, 'en'],
      ['', 'ja, pl;q=0.8', 'pl'],
      ['?lang=fr', 'pl', 'fr'],
      ['?lang=xx', 'de-AT', 'de'],
    ];
    for (const [query, acceptLanguage, language] of tries) {
      const headers = acceptLanguage === null ? {} : { 'accept-language': acceptLanguage };
      const response = await fetch(`${url}${query}`, { headers });
      expect(await response.text()).toContain(`<html lang="${language}">`);
      expect(response.headers.get('content-language')).toBe(language);
      expect(response.headers.get('vary')).toContain('accept-language');
    }
  });

  test('is kept by the form, and by the pages it leads to', async () => {
    const [agree, stop, pay] = [tokenFor('confirm'), tokenFor('stop'), tokenFor('pay')];
    const send = (purpose: string, token: string, body?: URLSearchParams) =>
      fetch(`${urlOf(purpose, token)}?lang=es`, { method: 'POST', redirect: 'manual', ...(body ? { body } : {}) });
    expect((await send('confirm', agree)).headers.get('location')).toBe(`${agree}?lang=es`);
    expect(await (await send('stop', stop)).text()).toContain('<html lang="es">');
    const opened = await send('pay', pay, new URLSearchParams({ crypto: 'LTC' }));
    expect(opened.headers.get('location')).toMatch(/^\.\.\/\.\.\/transaction\/txn_\w+\?lang=es$/);
    expect(await (await fetch(`${urlOf('pay', pay)}?lang=es`)).text()).toMatch(/href="[^"]*txn_\w+\?lang=es"/);
    expect(
      (await post('confirm', tokenFor('confirm'), null, { 'accept-language': 'es' })).headers.get('location'),
    ).not.toContain('lang');
  });

  test('applies to errors too', async () => {
    const unknown = await fetch(`${urlOf('pay', newToken())}?lang=pl`);
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('<html lang="pl">')]);
    app.requests.failWith(new RetryableError('DATABASE_UNAVAILABLE', 'away', { retryAfterMs: 2_000 }));
    const away = await fetch(urlOf('stop', newToken()), { headers: { 'accept-language': 'de' } });
    expect([away.status, await away.text()]).toEqual([503, expect.stringContaining('Vorübergehend nicht verfügbar')]);
  });
});

describe('confirm', () => {
  test('redirects to the same URL, which shows the confirmation; a repeat changes nothing', async () => {
    const token = app.requests.addSchedule('confirm', sampleSchedule());
    for (let time = 0; time < 2; time += 1) {
      const response = await post('confirm', token);
      expect(response.status).toBe(303);
      const target = new URL(response.headers.get('location') ?? '', urlOf('confirm', token));
      expect(target.href).toBe(urlOf('confirm', token));
    }
    expect(await (await open('confirm', token)).text()).toContain('<h1>Confirmed</h1>');
    expect(app.requests.scheduleOf(token)?.status).toBe('active');
  });

  test('after an end redirects to the page that shows it', async () => {
    const token = app.requests.addSchedule('confirm', sampleSchedule({ status: 'expired_unconfirmed' }));
    expect((await post('confirm', token)).status).toBe(303);
    expect(await (await open('confirm', token)).text()).toContain('The time to agree has ended');
    expect(app.requests.scheduleOf(token)?.status).toBe('expired_unconfirmed');
  });
});

describe('stop', () => {
  const multipart = new FormData();
  multipart.append('List-Unsubscribe', 'One-Click');
  const BODIES: readonly (readonly [string, RequestInit['body'], Record<string, string>])[] = [
    ['a one-click form', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), {}],
    ['one-click multipart', multipart, {}],
    ['one-click multipart without a boundary', 'List-Unsubscribe=One-Click', { 'content-type': 'multipart/form-data' }],
    ['a one-click text', 'List-Unsubscribe=One-Click', { 'content-type': 'text/plain' }],
    ['broken JSON', '{', { 'content-type': 'application/json' }],
    ['an empty form', '', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no body', undefined, {}],
  ];

  test.each(BODIES)(
    'by %s returns 200 and a page, without a redirect, any number of times',
    async (_name, body, headers) => {
      const token = app.requests.addSchedule('stop', sampleSchedule({ status: 'active' }));
      for (let time = 0; time < 3; time += 1) {
        const response = await post('stop', token, body, headers);
        expect(response.status).toBe(200);
        expect(await response.text()).toContain('These requests are stopped');
      }
      expect(app.requests.scheduleOf(token)?.status).toBe('stopped_by_customer');
      expect(await (await open('stop', token)).text()).toContain('These requests are stopped');
    },
  );

  test('accepts a body of unknown type and one without a type', async () => {
    const { hostname, port } = new URL(app.url);
    const send = (token: string, headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = `/recurring/stop/${token}`;
        const sent = request({ hostname, port, path, method: 'POST', headers }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode));
        });
        sent.on('error', reject);
        sent.end('List-Unsubscribe=One-Click');
      });
    for (const headers of [{}, { 'content-type': 'x/y' }, { 'content-type': 'application/x-other; a=b' }]) {
      const token = app.requests.addSchedule('stop', sampleSchedule({ status: 'active' }));
      expect(await send(token, headers)).toBe(200);
      expect(app.requests.scheduleOf(token)?.status).toBe('stopped_by_customer');
    }
  });

  test('does not change what has already ended', async () => {
    const token = app.requests.addSchedule('stop', sampleSchedule({ status: 'cancelled' }));
    const response = await post('stop', token);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('The shop has ended these requests');
    expect(app.requests.scheduleOf(token)?.status).toBe('cancelled');
  });
});

describe('pay', () => {
  test('redirects to a payment in that coin, and a second press opens no other', async () => {
    const token = app.requests.addPeriod(samplePeriod());
    const responses = [await payWith(token, 'LTC'), await payWith(token, 'LTC')];
    const [id] = app.requests.opened;
    expect(app.requests.opened).toHaveLength(1);
    for (const response of responses) {
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe(`../../transaction/${id}`);
    }
    const target = new URL(responses[0]?.headers.get('location') ?? '', urlOf('pay', token));
    expect(target.href).toBe(`${app.url}/transaction/${id}`);
    expect((await fetch(target)).status).toBe(200);
    expect(await (await open('pay', token)).text()).toContain('Continue with this payment');
  });

  test('opens no second payment while coins are in progress', async () => {
    const under = { transactionId: 'txn_seen', isInProgress: true, cryptos: [] } as const;
    const token = app.requests.addPeriod(samplePeriod(under));
    const response = await payWith(token, 'LTC');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('../../transaction/txn_seen');
    expect(app.requests.opened).toEqual([]);
  });

  test('for a paid or ended period returns 409 with a link to the page that shows it', async () => {
    const ended = sampleSchedule({ status: 'stopped_by_customer' });
    for (const period of [samplePeriod({ status: 'paid' }), samplePeriod({ schedule: ended, cryptos: [] })]) {
      const response = await payWith(app.requests.addPeriod(period), 'LTC');
      expect(response.status).toBe(409);
      const text = await response.text();
      expect(text).toContain('Something has changed in the meantime');
      expect(text).toContain('id="back" href=""');
    }
    expect(app.requests.opened).toEqual([]);
  });

  test.each(['BTC', 'btc', 'ltc', '', '__proto__', 'toString', 'x'.repeat(300)])(
    'in a coin that is not offered (%j) returns 400 and opens nothing',
    async (crypto) => {
      const response = await payWith(app.requests.addPeriod(samplePeriod()), crypto);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('Please choose another coin');
      expect(app.requests.opened).toEqual([]);
    },
  );

  test('without a form returns 400, without a lookup', async () => {
    const token = app.requests.addPeriod(samplePeriod());
    const json = { 'content-type': 'application/json' };
    for (const response of [await post('pay', token), await post('pay', token, '{"crypto":"LTC"}', json)]) {
      expect(response.status).toBe(400);
    }
    expect(app.requests.calls).toEqual([]);
  });

  test.each([
    'MONTHLY_LIMIT_REACHED',
    'NO_ACTIVE_PLAN',
    'PLAN_UPGRADE_REQUIRED',
    'WALLET_NOT_CONFIGURED',
    'ADDRESS_GENERATION_FAILED',
    'AMOUNT_TOO_LOW',
  ])('when the shop cannot be paid (%s) says only that; the reason is logged', async (code) => {
    const token = app.requests.addPeriod(samplePeriod());
    app.requests.failWith(new TerminalError(code, 'The starter plan of mer_1 includes 50 payments a month'));
    const response = await payWith(token, 'LTC');
    expect(response.status).toBe(409);
    const text = await response.text();
    expect(text).toContain('This shop cannot accept payments at the moment');
    expect(text).not.toMatch(/starter|mer_1|50 payments/);
    expect(text).not.toContain(code);
    expect(app.logged.join('')).toContain(code);
    expect(app.logged.join('')).not.toContain(token);
  });
});
