import { expect, test } from 'vitest';
import { CRYPTO_SYMBOLS } from '../../../../machines/index.ts';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { addLink, type PayParameters, pay } from '../../../links/links-app.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { countWritten, expectProblem, useApp } from '../support.ts';

const HTML = 'text/html';

describeDatabases('GET /pay without a coin', (database) => {
  const { app, merchant } = useApp(database);
  const order = (more: PayParameters = {}) => ({ pk: merchant().keys.pk_test, amount: '24.99', ...more });

  test('shows a browser the coins with their amounts, starts nothing, and leads to the payment in the chosen one', async () => {
    const before = await countWritten(app());
    const page = await pay(app(), order({ currency: 'EUR', lang: 'de' }), { accept: HTML });
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(page.text).toContain('<html lang="de">');
    // A link of the language menu has no other parameter.
    expect(page.text).not.toContain('href="?lang=');
    for (const symbol of CRYPTO_SYMBOLS) expect(page.text).toContain(`value="${symbol}"`);
    expect(await countWritten(app())).toEqual(before);

    const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
    expect(fields).toEqual({ ...order(), currency: 'EUR', lang: 'de' });
    const chosen = await pay(app(), { ...fields, crypto: 'LTC' }, { accept: HTML });
    expect(chosen.status).toBe(302);
    expect(chosen.headers.location).toMatch(/\?lang=de$/);
    const id = /\/transaction\/(txn_\w+)/.exec(String(chosen.headers.location))?.[1] ?? '';
    const { body } = await app().call<{ data: TransactionView }>({
      path: `/transactions/${id}`,
      key: merchant().keys.sk_test,
    });
    expect(body.data).toMatchObject({ crypto: 'LTC', amount_fiat: 24.99, currency_fiat: 'EUR' });
  });

  test('leads a browser to the page of its link, which proposes the amount', async () => {
    const price = { kind: 'open', minCents: 500n, maxCents: 5_000n } as const;
    const link = await addLink(app(), merchant(), { price, maxUses: null });
    const { status, headers } = await pay(app(), order({ link: link.slug, lang: 'de' }), { accept: HTML });
    expect(status).toBe(302);
    expect(headers.location).toMatch(new RegExp(`/l/${link.code}\\?amount=24\\.99&lang=de$`));
    const page = await app().open(String(headers.location));
    expect(page.text).toContain('value="24.99"');
    const wrong = await app().open(`${String(headers.location).split('?')[0]}?amount=%22%3E1`);
    expect(wrong.status).toBe(200);
    expect(wrong.text).not.toContain('value="&quot;');
  });

  test.each([
    ['a program', {}, 'application/json', 'crypto'],
    ['a browser that names no amount', { amount: undefined }, HTML, 'amount'],
    ['a browser with an invalid amount', { amount: '1e3' }, HTML, 'amount'],
    ['a browser with an unknown link', { link: 'nothing' }, HTML, 'link'],
  ])('is 400 for %s', async (_who, more, accept, field) => {
    const { status, text } = await pay(app(), order(more), { accept });
    expect(status).toBe(400);
    expect(text).toContain(field);
  });

  test('is refused for a key that is not publishable', async () => {
    const response = await pay(app(), order({ pk: merchant().keys.sk_test }), { accept: 'application/json' });
    expectProblem(response, 401, 'UNAUTHORIZED');
    expect((await pay(app(), order({ pk: merchant().keys.sk_test }), { accept: HTML })).status).toBe(401);
  });
});
