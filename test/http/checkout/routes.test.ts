import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createWatcherStore } from '../../../src/payments/index.ts';
import { POLLING } from '../../support/polling.ts';
import { type CheckoutApp, STORE_NAME, startCheckoutApp } from './checkout-app.ts';
import { readEvents } from './live/event-reader.ts';

let app: CheckoutApp;
beforeAll(async () => {
  app = await startCheckoutApp();
});
afterAll(() => app.stop());

const pageOf = (id: string) => fetch(`${app.url}/transaction/${id}`);

async function press(id: string, action: string): Promise<Response> {
  const body = new URLSearchParams({ action });
  return fetch(`${app.url}/transaction/${id}/simulate`, { method: 'POST', body, redirect: 'manual' });
}

describe('the page', () => {
  test('is HTML under a strict policy, and is not cached, indexed or sent as referrer', async () => {
    const response = await pageOf(await app.create());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-robots-tag')).toContain('noindex');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('shows the store, and nothing private to the merchant', async () => {
    const text = await (await pageOf(await app.create())).text();
    expect(text).toContain('Bäckerei &lt;Ähre&gt; &amp; Söhne');
    expect(text).not.toContain(STORE_NAME);
    for (const hidden of ['never-shown', 'till@shop.test', 'mer_', 'derivation', 'idempotency']) {
      expect(text).not.toContain(hidden);
    }
  });

  test.each(['txn_00000000000000000000000000', 'txn_x', '%00', "' or 1=1", 'x'.repeat(90)])(
    'of an unknown id (%s) is a 404 page',
    async (id) => {
      const response = await fetch(`${app.url}/transaction/${encodeURIComponent(id)}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('Payment not found');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    },
  );

  test('of a live payment says that its network is being checked until the first poll, and still accepts the payment', async () => {
    const id = await app.create({ mode: 'live' });
    const unwatched = await (await pageOf(id)).text();
    expect(unwatched).toContain('Checking the network');
    expect(unwatched).toContain('We cannot see new payments on the Litecoin network');
    expect(unwatched).toContain('ltc1q');
    const { db } = app.database;
    const store = createWatcherStore({ db, network: 'litecoin-mainnet', onProgress: () => {} });
    await store.nextEpoch();
    const cursor = { height: 7, blockHash: 'hash' };
    const syncedUntil = Date.now();
    await store.saveProgress({ forkHeight: 6, blocks: [], cursor, tipHeight: 7, syncedUntil });
    const watched = await (await pageOf(id)).text();
    // The page also has the text for an end of the window without a connection.
    expect(watched.replace(/<template.*?<\/template>/s, '')).not.toContain('Checking the network');
    expect(watched).toContain('ltc1q');
  });

  test('says that it is unavailable while the database is down, and recovers by itself', async () => {
    const id = await app.create();
    app.breakDatabase(true);
    try {
      const response = await pageOf(id);
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      const text = await response.text();
      expect(text).toContain('Temporarily unavailable');
      expect(text).not.toMatch(/down for the test|\.ts:|node_modules/);
    } finally {
      app.breakDatabase(false);
    }
    expect((await pageOf(id)).status).toBe(200);
  });

  test('loads a few kilobytes of style and script from immutable URLs', async () => {
    const text = await (await pageOf(await app.create())).text();
    const paths = [...text.matchAll(/(?:src|href)="\.\.\/(checkout\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(paths).toHaveLength(3);
    for (const path of paths) {
      const asset = await fetch(`${app.url}/${path}`);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('cache-control')).toContain('immutable');
      const { length } = await asset.text();
      expect(length).toBeGreaterThan(100);
      expect(length).toBeLessThan(12_000);
    }
  });

  test('of another version gets its style too, but must not cache it', async () => {
    const asset = await fetch(`${app.url}/checkout/assets/page-0123456789abcdef.css`);
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toBe('no-store');
    expect((await fetch(`${app.url}/checkout/assets/..%2Fpackage.json`)).status).toBe(404);
  });
});

describe('the language', () => {
  const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
  const langOf = async (response: Response) => /<html lang="(\w+)">/.exec(await response.text())?.[1];
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/transaction/${path}`, { headers });

  test("is the one of the URL, else the browser's", async () => {
    const id = await app.create();
    const preferred = await get(id, german);
    expect(preferred.headers.get('content-language')).toBe('de');
    expect(preferred.headers.get('vary')).toContain('accept-language');
    expect(await langOf(preferred)).toBe('de');
    expect(await langOf(await get(`${id}?lang=pl`, german))).toBe('pl');
    expect(await langOf(await get(`${id}?lang=xx`, german))).toBe('de');
    expect(await langOf(await get(`${id}?lang=pl&lang=fr`))).toBe('en');
  });

  test('is kept by the state, which has an ETag per language', async () => {
    const id = await app.create();
    const tags = new Set<string | null>();
    for (const lang of ['en', 'de', 'fr']) {
      const response = await get(`${id}/state?lang=${lang}`);
      tags.add(response.headers.get('etag'));
      expect(await response.json()).toMatchObject({ title: expect.stringContaining('25') });
    }
    expect(tags.size).toBe(3);
    const { html } = (await (await get(`${id}/state?lang=de`)).json()) as { html: string };
    expect(html).toContain('25,00 EUR bezahlen');
  });

  test('is kept by the simulate buttons, without script', async () => {
    const id = await app.create();
    const body = new URLSearchParams({ action: 'pay' });
    const url = `${app.url}/transaction/${id}/simulate?lang=es`;
    const response = await fetch(url, { method: 'POST', body });
    expect(response.url).toBe(`${app.url}/transaction/${id}?lang=es`);
    expect(await response.text()).toContain('<h1>Su pago está en camino</h1>');
    const rejected = await fetch(url, { method: 'POST', body });
    expect(rejected.status).toBe(409);
    const page = await rejected.text();
    expect(page).toContain('<h1>No es posible</h1>');
    expect(page).toContain(`href="../${id}?lang=es"`);
  });

  test('applies to errors, too', async () => {
    const response = await get('txn_00000000000000000000000000', german);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('Diese Zahlung gibt es nicht');
  });
});

describe('the state', () => {
  test('returns 304 until something changes', async () => {
    const id = await app.create();
    const first = await fetch(`${app.url}/transaction/${id}/state`);
    const tag = first.headers.get('etag') ?? '';
    expect(await first.json()).toMatchObject({
      screen: 'waiting',
      pace: 'live',
      version: tag.slice(1, -'.en"'.length),
    });
    const again = () => fetch(`${app.url}/transaction/${id}/state`, { headers: { 'if-none-match': tag } });
    expect((await again()).status).toBe(304);
    expect((await press(id, 'pay')).status).toBe(303);
    const changed = await again();
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ screen: 'seen' });
  });
});

describe('the event stream', () => {
  // The server looks for changes once a second: these tests wait for them side by side.
  test.concurrent('keeps its language', async () => {
    const id = await app.create();
    const reader = await readEvents(`${app.url}/transaction/${id}/events?lang=fr`);
    await press(id, 'pay');
    await vi.waitFor(() => expect(reader.events.at(-1)?.data.html).toContain('Votre paiement est en route'), POLLING);
    reader.close();
  });

  test.concurrent('sends the state, then every change, and ends when nothing more is expected', async () => {
    const id = await app.create();
    const reader = await readEvents(`${app.url}/transaction/${id}/events`);
    expect(reader.status).toBe(200);
    expect(reader.headers.get('content-type')).toContain('text/event-stream');
    expect(reader.headers.get('content-security-policy')).toContain("default-src 'none'");
    await vi.waitFor(() => expect(reader.events).toHaveLength(1), POLLING);
    expect(reader.text()).toMatch(/^retry: \d+\n\n/);
    await press(id, 'pay_partial');
    await vi.waitFor(() => expect(reader.events.at(-1)?.data.screen).toBe('partial'), POLLING);
    await press(id, 'pay');
    await vi.waitFor(() => expect(reader.events.at(-1)?.data.screen).toBe('seen'), POLLING);
    await press(id, 'confirm');
    await vi.waitFor(() => expect(reader.hasEnded()).toBe(true), POLLING);
    const last = reader.events.at(-1);
    expect(last?.data).toMatchObject({ screen: 'completed', pace: 'still', version: last?.id });
    expect(last?.data.html).toContain('<h1>Paid</h1>');
  });

  test.concurrent('does not repeat what the page already shows', async () => {
    const id = await app.create();
    const { version } = (await (await fetch(`${app.url}/transaction/${id}/state`)).json()) as { version: string };
    const reader = await readEvents(`${app.url}/transaction/${id}/events?have=${version}`);
    await vi.waitFor(() => expect(reader.events).toHaveLength(1), POLLING);
    expect(reader.events[0]?.data).not.toHaveProperty('html');
    reader.close();
  });

  test.concurrent('catches up with events from while the connection was lost', async () => {
    const id = await app.create();
    const { version } = (await (await fetch(`${app.url}/transaction/${id}/state`)).json()) as { version: string };
    await press(id, 'pay');
    const reader = await readEvents(`${app.url}/transaction/${id}/events`, { 'last-event-id': version });
    await vi.waitFor(() => expect(reader.events[0]?.data).toMatchObject({ screen: 'seen' }), POLLING);
    expect(reader.events[0]?.data).toHaveProperty('html');
    reader.close();
  });

  test.concurrent('makes a finished page stop reconnecting', async () => {
    const id = await app.create();
    await press(id, 'pay');
    await press(id, 'confirm');
    const { version } = (await (await fetch(`${app.url}/transaction/${id}/state`)).json()) as { version: string };
    expect((await fetch(`${app.url}/transaction/${id}/events?have=${version}`)).status).toBe(204);
  });

  test('continues after the database was down', async () => {
    const id = await app.create();
    const reader = await readEvents(`${app.url}/transaction/${id}/events`);
    await vi.waitFor(() => expect(reader.events).toHaveLength(1), POLLING);
    await press(id, 'pay');
    app.breakDatabase(true);
    expect((await fetch(`${app.url}/transaction/${id}/events`)).status).toBe(503);
    app.breakDatabase(false);
    await vi.waitFor(() => expect(reader.events.at(-1)?.data.screen).toBe('seen'), POLLING);
    reader.close();
  });

  test('is refused above a number of open pages of one payment, which then poll instead', async () => {
    const id = await app.create();
    const url = `${app.url}/transaction/${id}/events`;
    const readers = await Promise.all(Array.from({ length: 20 }, () => readEvents(url)));
    expect(readers.every(({ status }) => status === 200)).toBe(true);
    const rejected = await fetch(url);
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).not.toBeNull();
    for (const reader of readers) reader.close();
    await vi.waitFor(async () => {
      const reader = await readEvents(url);
      reader.close();
      expect(reader.status).toBe(200);
    }, POLLING);
  });
});

describe('the simulate buttons', () => {
  test('work and redirect to the page, without script', async () => {
    const id = await app.create();
    const response = await press(id, 'pay');
    expect(response.status).toBe(303);
    const target = new URL(response.headers.get('location') ?? '', `${app.url}/transaction/${id}/simulate`);
    expect(target.href).toBe(`${app.url}/transaction/${id}`);
    expect(await (await fetch(target)).text()).toContain('Your payment is on its way');
  });

  test('let the window expire and coins arrive late', async () => {
    const id = await app.create();
    await press(id, 'advance_clock');
    expect(await (await pageOf(id)).text()).toContain('This payment has expired');
    await press(id, 'pay_late');
    expect(await (await pageOf(id)).text()).toContain('Your payment arrived late');
  });

  test('put an ETH payment under review, and return a double-spent one to waiting', async () => {
    const ether = await app.create({ crypto: 'ETH' });
    await press(ether, 'drop_balance');
    expect(await (await pageOf(ether)).text()).toContain('The shop is checking this payment');
    const id = await app.create();
    await press(id, 'pay');
    await press(id, 'double_spend');
    const text = await (await pageOf(id)).text();
    expect(text).toContain('Pay 25.00 EUR');
    expect(text).toContain('replaced, does not count');
  });

  test('offer to confirm coins exactly while this is possible, also after the payment has ended', async () => {
    const offersConfirm = async (id: string) => (await (await pageOf(id)).text()).includes('id="simulate-confirm"');
    const steps = [['pay', 'confirm', 'overpay'], ['pay_late'], ['pay_partial', 'advance_clock']] as const;
    for (const actions of steps) {
      const id = await app.create();
      expect(await offersConfirm(id)).toBe(false);
      for (const action of actions) expect((await press(id, action)).status).toBe(303);
      expect([actions, await offersConfirm(id)]).toEqual([actions, true]);
      expect((await press(id, 'confirm')).status).toBe(303);
      expect([actions, await offersConfirm(id)]).toEqual([actions, false]);
      expect((await press(id, 'confirm')).status).toBe(409);
    }
    const inReview = await app.create({ crypto: 'ETH' });
    await press(inReview, 'drop_balance');
    expect(await offersConfirm(inReview)).toBe(false);
  });

  test('that do not apply at the moment give the reason and link back', async () => {
    const id = await app.create();
    const response = await press(id, 'confirm');
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toContain('no payment is awaiting confirmations');
    expect(page).toContain('The payment’s current status does not allow this.');
    expect(page).not.toContain('has changed');
  });

  test('give the reason when only the record of a payment is left', async () => {
    const id = await app.create();
    const { db } = app.database;
    await sql`delete from actor where id = ${id}`.execute(db);
    await sql`
      insert into archived_actor (id, kind, state, sequence, clock_offset_ms, start_key, created_at, last_change)
      values (${id}, 'transaction', 'closedExpired', 1, 0, null, now(), 1)`.execute(db);
    const response = await press(id, 'pay');
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('only its record remains');
  });

  test.each([
    ['an unknown action', 'action=steal', 400],
    ['no action', 'x=1', 400],
    ['a body that is too large', `action=pay&x=${'x'.repeat(1_000)}`, 413],
  ])('reject %s', async (_name, body, status) => {
    const id = await app.create();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${app.url}/transaction/${id}/simulate`, { method: 'POST', body, headers });
    expect(response.status).toBe(status);
    expect(await (await pageOf(id)).text()).toContain('Pay 25.00 EUR');
  });

  test('do not exist for live payments', async () => {
    const id = await app.create({ mode: 'live' });
    expect(await (await pageOf(id)).text()).not.toContain('<form');
    expect((await press(id, 'pay')).status).toBe(404);
  });
});
