import { expect, test } from 'vitest';
import type { Mode } from '../../../../machines/index.ts';
import type { LinkInfo, LinkPage } from '../../../../src/http/console/merchant/links/schemas.ts';
import { uniqueAddress } from '../../../accounts/harness.ts';
import { bytesOfImage, LARGEST_IMAGE } from '../../../images/samples.ts';
import { POLLING } from '../../../support/polling.ts';
import { level } from '../../../support/run/level.ts';
import type { ConsoleResponse, Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

const CREATED = level.runs(60);
const SINGLE_USE = { mode: 'test', title: 'Invoice 1042', amount: '25', currency: 'EUR', maxUses: 1 } as const;

describeConsole('the payment links of a merchant in the console', {}, (console) => {
  function post(body: unknown): Promise<ConsoleResponse> {
    return console.call('staff', { method: 'POST', path: '/merchant/links', body });
  }
  async function create(body: object = {}): Promise<LinkInfo> {
    const response = await post({ ...SINGLE_USE, ...body });
    expect(response.status, response.text).toBe(201);
    return response.data;
  }
  function close(slug: string, mode: Mode = 'test', who: Who = 'owner'): Promise<ConsoleResponse> {
    return console.call(who, { method: 'POST', path: `/merchant/links/${slug}/close`, body: { mode } });
  }
  async function page(query = 'mode=test'): Promise<LinkPage> {
    return (await console.call('owner', { path: `/merchant/links?${query}` })).data;
  }
  async function all(mode: Mode = 'test'): Promise<LinkInfo[]> {
    const links: LinkInfo[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const got: LinkPage = await page(`mode=${mode}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      links.push(...got.links);
      cursor = got.cursor;
    }
    return links;
  }

  test('of the other mode are not found', async () => {
    const { slug } = await create();
    for (const tried of [await close('no-such-link'), await close(slug, 'live')]) {
      expect([tried.status, tried.error]).toEqual([404, 'LINK_NOT_FOUND']);
    }
    expect((await page('mode=live')).links).toEqual([]);
    expect((await all()).find((link) => link.slug === slug)?.state).toBe('open');
  });

  test('are listed as entered, page by page, each once', async () => {
    // Only trailing zeros are dropped.
    const price = { kind: 'fixed', amount: '1234567.5' };
    expect(await create({ amount: '1234567.50' })).toMatchObject({ price, uses: 0, state: 'open' });
    for (let made = 0; made < CREATED; made += 1) await create({ title: `Link ${made}` });
    const listed = await all();
    expect(listed.length).toBeGreaterThan(CREATED);
    expect(new Set(listed.map(({ slug }) => slug)).size).toBe(listed.length);
    const ages = listed.map(({ createdAt }) => createdAt);
    expect(ages).toEqual(ages.toSorted((a, b) => b - a));
  });

  test('have an image that everyone can load, up to the largest', async () => {
    const { slug, imageId } = await create({ image: LARGEST_IMAGE });
    expect((await all()).find((link) => link.slug === slug)?.imageId).toBe(imageId);
    const response = await fetch(`${console.url}/images/${imageId}`);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(bytesOfImage(LARGEST_IMAGE).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    expect((await create()).imageId).toBe(null);
  });

  test('leave one audit entry each when created and closed', async () => {
    const { slug } = await create();
    expect((await close(slug, 'test', 'staff')).data).toMatchObject({ slug, state: 'closed' });
    await close(slug);
    const entries = await console.db
      .selectFrom('audit_entry')
      .select(['what', 'who', 'merchant_id'])
      .where('subject_id', '=', slug)
      .orderBy('id')
      .execute();
    expect(entries.map(({ what }) => what)).toEqual(['payment_link.created', 'payment_link.closed']);
    for (const { who, merchant_id } of entries) {
      expect(who).toMatch(/^user /);
      expect(merchant_id).toBe(console.merchantId);
    }
  });

  test('list their payments, and mark the excess ones', async () => {
    const { slug, title } = await create({ slug: 'two-customers' });
    const { coins } = await page();
    expect(coins).toEqual(expect.arrayContaining(['BTC', 'LTC']));
    const ids: string[] = [];
    for (const crypto of ['BTC', 'LTC']) {
      const query = new URLSearchParams({ pk: console.keys.pk_test, link: slug, amount: '25', crypto });
      // GET /v1/pay has a limit for each network of customers.
      const headers = { 'x-forwarded-for': uniqueAddress() };
      const response = await fetch(`${console.url}/v1/pay?${query}`, { headers, redirect: 'manual' });
      expect(response.status, await response.text()).toBe(302);
      ids.push(response.headers.get('location')?.split('/').at(-1) ?? '');
    }
    for (const id of ids) {
      for (const action of ['pay', 'confirm']) {
        await console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: { action } });
      }
    }
    const link = () => all().then((links) => links.find((each) => each.slug === slug));
    await expect.poll(async () => (await link())?.excessUses, POLLING).toBe(1);
    const found = await link();
    expect(found).toMatchObject({ title, uses: 1, maxUses: 1, state: 'used_up' });
    expect(ids).toContain(found?.excessPaymentIds[0]);
  });

  test.each<[string, object, string, RegExp]>([
    ['a script as the address to return to', { successUrl: 'javascript:alert(1)' }, 'INVALID_LINK', /success URL/],
    ['no title', { title: '' }, 'INVALID_REQUEST', /^title /],
    ['an amount with an exponent', { amount: '1e3' }, 'INVALID_AMOUNT', /amount/],
    ['a currency there is not', { currency: 'XAU' }, 'INVALID_REQUEST', /^currency /],
    ['an image that is no data URL', { image: 'https://shop.example/mug.png' }, 'INVALID_REQUEST', /^image must be/],
    ['a field there is not', { colour: 'red' }, 'INVALID_REQUEST', /colour/],
  ])('%s is rejected by name, and creates no link', async (_, wrong, code, message) => {
    const before = (await all()).length;
    const response = await post({ ...SINGLE_USE, ...wrong });
    expect([response.status, response.error]).toEqual([400, code]);
    expect(response.message).toMatch(message);
    expect((await all()).length).toBe(before);
  });

  test('a slug in use and an invalid cursor are rejected', async () => {
    await create({ slug: 'spring-sale' });
    const taken = await post({ ...SINGLE_USE, slug: 'spring-sale' });
    expect([taken.status, taken.error]).toEqual([409, 'LINK_EXISTS']);
    for (const cursor of ['x', '1.', "1.' or true --", `${'9'.repeat(30)}.abc`]) {
      const response = await console.call('owner', {
        path: `/merchant/links?mode=test&cursor=${encodeURIComponent(cursor)}`,
      });
      expect([response.status, response.message?.startsWith('cursor ')], cursor).toEqual([400, true]);
    }
  });
});
