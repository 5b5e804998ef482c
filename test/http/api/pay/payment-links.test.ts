import { expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import type { TransactionView } from '../../../../src/payments/index.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { expectProblem, useApp } from '../support.ts';

interface Link {
  readonly slug: string;
  readonly url: string;
  readonly amount: number | null;
  readonly state: string;
  readonly uses: number;
}
interface LinkResponse {
  readonly data: Link;
}
interface LinksResponse {
  readonly data: { readonly links: readonly Link[]; readonly pagination: { readonly total: number } };
}

describeDatabases('payment links over the API', (database) => {
  const { app, merchant } = useApp(database);
  const make = (key: string, body: object) => app().call<LinkResponse>({ method: 'POST', path: '/links', key, body });

  test('a link returns its terms as they were sent, leads to a payment, and counts it', async () => {
    const { keys } = await app().addMerchant();
    const key = keys.sk_test;
    const terms = {
      slug: 'spring-workshop',
      title: 'Spring workshop',
      description: 'Two days in May',
      amount: 24.99,
      currency_fiat: 'EUR',
      cryptos: ['LTC', 'BTC'],
      success_url: 'https://shop.example/thanks',
      expires_at: new Date(app().clock.now() + DAY_MS).toISOString(),
      max_uses: 1,
    };
    const made = await make(key, terms);
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ ...terms, min_amount: null, max_amount: null, uses: 0, state: 'open' });
    const page = await app().open(made.body.data.url);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Spring workshop') });

    const opened = await app().post(made.body.data.url, { crypto: 'LTC' });
    const id = /\/transaction\/(txn_\w+)/.exec(opened.location ?? '')?.[1] ?? '';
    await app().simulate(key, id, 'pay');
    const paid = await app().simulate(key, id, 'confirm');
    expect(paid).toMatchObject({ status: 'completed', amount_fiat: 24.99 } satisfies Partial<TransactionView>);
    const read = await app().call<LinkResponse>({ path: `/links/${terms.slug}`, key });
    expect(read.body.data).toMatchObject({ ...terms, uses: 1, state: 'used_up', excess_transaction_ids: [] });
  });

  test('pages contain every link of the mode once, newest first', async () => {
    const { keys } = await app().addMerchant();
    for (let count = 1; count <= 5; count += 1)
      await make(keys.sk_test, { title: `Link ${count}`, slug: `link-${count}` });
    await make(keys.sk_live, { title: 'Live link', slug: 'live-link' });
    const read = async (key: string, query: string) =>
      (await app().call<LinksResponse>({ path: `/links?${query}`, key })).body.data;
    const pages = [await read(keys.sk_test, 'limit=2'), await read(keys.sk_test, 'limit=3&offset=2')];
    const slugs = pages.flatMap(({ links }) => links.map(({ slug }) => slug));
    expect(slugs.toSorted()).toEqual(['link-1', 'link-2', 'link-3', 'link-4', 'link-5']);
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { limit: 2, offset: 0, total: 5 },
      { limit: 3, offset: 2, total: 5 },
    ]);
    expect((await read(keys.sk_live, '')).links.map(({ slug }) => slug)).toEqual(['live-link']);
  });

  test('a closed link opens no payment, stays closed, and is recorded with the key that closed it', async () => {
    const { id, keys } = await app().addMerchant();
    const { slug, url } = (await make(keys.sk_test, { title: 'Tea', amount: 5 })).body.data;
    const close = () => app().call<LinkResponse>({ method: 'POST', path: `/links/${slug}/close`, key: keys.sk_test });
    const [first, second] = [await close(), await close()];
    expect(first.body.data).toMatchObject({ slug, state: 'closed', closed_at: expect.stringMatching(/Z$/) });
    expect(second.body).toEqual(first.body);
    expect(await app().open(url)).toMatchObject({ status: 410 });
    const audited = await app()
      .connection.db.selectFrom('audit_entry')
      .select(['what', 'who'])
      .where('merchant_id', '=', id)
      .where('subject_id', '=', slug)
      .orderBy('id')
      .execute();
    expect(audited.map(({ what }) => what)).toEqual(['payment_link.created', 'payment_link.closed']);
    for (const { who } of audited) expect(who).toMatch(/^API key key_/);
  });

  test('a text that cannot be a slug is no link, whatever it contains', async () => {
    for (const slug of ['%00', '%F0%9F%98%80', 'Not%20a%20slug', 'x'.repeat(300)]) {
      const { sk_test: key } = merchant().keys;
      expectProblem(await app().call({ path: `/links/${slug}`, key }), 404, 'LINK_NOT_FOUND');
      expectProblem(await app().call({ method: 'POST', path: `/links/${slug}/close`, key }), 404, 'LINK_NOT_FOUND');
    }
  });

  test.each([
    ['title', 'INVALID_REQUEST', { title: 'Mug\u202egum' }],
    ['amount', 'INVALID_REQUEST', { amount: 0.99 }],
    ['min_amount', 'INVALID_AMOUNT', { min_amount: 5.001 }],
    ['success_url', 'INVALID_REQUEST', { success_url: 'javascript:alert(1)' }],
    ['expires_at', 'INVALID_REQUEST', { expires_at: '2027-02-30' }],
    ['max_uses', 'INVALID_REQUEST', { max_uses: 0 }],
    ['image', 'INVALID_REQUEST', { image: 'https://shop.example/mug.png' }],
  ])('rejects an invalid %s with %s and creates nothing: %j', async (field, code, part) => {
    const { keys } = await app().addMerchant();
    const problem = expectProblem(await make(keys.sk_test, { title: 'Mug', ...part }), 400, code);
    expect(problem.details?.map((detail) => detail.field)).toEqual([field]);
    expect(problem.message).toContain(field === 'amount' ? 'mount' : '');
    const { body } = await app().call<LinksResponse>({ path: '/links', key: keys.sk_test });
    expect(body.data.pagination.total).toBe(0);
  });
});
