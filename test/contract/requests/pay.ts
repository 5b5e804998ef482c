import { MINUTE_MS } from '../../../machines/index.ts';
import { addLink, cookieOf, transactionOf } from '../../links/links-app.ts';
import type { ApiResponse, TestApp } from '../../support/service/app.ts';
import { type ContractHarness, sendRequest } from '../harness.ts';
import { endPlan, useUpMonth } from './create.ts';
import { type Provocation, provocationsOf, twice } from './provocation.ts';

const pay = provocationsOf('hostedCheckoutRedirect');

export const PAY_REQUESTS: readonly Provocation[] = [
  pay.responds(302, 'what is required', (harness) => open(harness)),
  pay.responds(302, 'another currency', (harness) => open(harness, { currency: 'PLN' })),
  pay.responds(302, 'a link', async (harness) => {
    const shop = await harness.newMerchant();
    const { slug } = await addLink(harness.app, shop);
    return open(harness, { pk: shop.keys.pk_test, link: slug });
  }),
  pay.responds(302, 'a live key', async (harness) =>
    open(harness, { pk: (await harness.newLiveMerchant()).keys.pk_live }),
  ),
  pay.fails(400, 'INVALID_REQUEST', 'no amount', (harness) => open(harness, { amount: null })),
  pay.fails(400, 'INVALID_REQUEST', 'no key', (harness) => open(harness, { pk: null })),
  pay.fails(400, 'INVALID_CRYPTO', 'a coin there is not', (harness) => open(harness, { crypto: 'XMR' })),
  pay.fails(400, 'INVALID_AMOUNT', 'an amount that is no number', (harness) => open(harness, { amount: 'x' })),
  pay.fails(400, 'AMOUNT_TOO_LOW', 'less than 1.00 USD', (harness) => open(harness, { amount: '0.99' })),
  pay.fails(400, 'INVALID_CURRENCY', 'a currency there is not', (harness) => open(harness, { currency: 'JPY' })),
  pay.fails(400, 'WALLET_NOT_CONFIGURED', 'a live key without a wallet', async (harness) =>
    open(harness, { pk: (await harness.newMerchant()).keys.pk_live }),
  ),
  pay.fails(401, 'UNAUTHORIZED', 'an unknown key', (harness) => open(harness, { pk: 'pk_test_unknown' })),
  pay.fails(401, 'UNAUTHORIZED', 'a secret key', async (harness) =>
    open(harness, { pk: (await harness.newMerchant()).keys.sk_test }),
  ),
  pay.fails(403, 'FORBIDDEN', 'an image of a page', (harness) =>
    open(harness, {}, { headers: { 'sec-fetch-dest': 'image' } }),
  ),
  pay.fails(403, 'NO_ACTIVE_PLAN', 'a plan that ended a month ago', async (harness) => {
    const shop = await harness.newMerchant();
    await endPlan(harness, shop);
    return open(harness, { pk: shop.keys.pk_test });
  }),
  pay.fails(409, 'PAYMENT_LINK_PAID', 'a single-use link that was paid', async (harness) => {
    const { app } = harness;
    const { keys, ...shop } = await harness.newMerchant();
    const { slug: link } = await addLink(app, { keys, ...shop });
    const id = transactionOf(await open(harness, { pk: keys.pk_test, link }));
    await app.simulate(keys.sk_test, id, 'pay');
    await app.simulate(keys.sk_test, id, 'confirm');
    return open(harness, { pk: keys.pk_test, link });
  }),
  pay.fails(409, 'ACTIVE_TRANSACTION_EXISTS', 'another parts of a customer who may have one', async (harness) => {
    const { id, keys } = await harness.newMerchant();
    const one = { one_open_payment_per_ip: true };
    await harness.app.connection.db.updateTable('api_key').set(one).where('merchant_id', '=', id).execute();
    const from = harness.newAddress();
    const cookie = cookieOf(await open(harness, { pk: keys.pk_test }, { from }));
    return open(harness, { pk: keys.pk_test, amount: '26' }, { from, cookie });
  }),
  pay.fails(
    429,
    'TOO_MANY_OPEN_PAYMENTS',
    'another browser behind an address that may have one payment',
    async (harness) => {
      const { id, keys } = await harness.newMerchant();
      const one = { one_open_payment_per_ip: true };
      await harness.app.connection.db.updateTable('api_key').set(one).where('merchant_id', '=', id).execute();
      const from = harness.newAddress();
      await open(harness, { pk: keys.pk_test }, { from });
      return open(harness, { pk: keys.pk_test }, { from });
    },
  ),
  pay.fails(410, 'PAYMENT_LINK_EXPIRED', 'a link that has ended', async (harness) => {
    const shop = await harness.newMerchant();
    const { slug: link } = await addLink(harness.app, shop, { expiresAt: harness.app.clock.now() + MINUTE_MS });
    harness.app.clock.advance(MINUTE_MS);
    return open(harness, { pk: shop.keys.pk_test, link });
  }),
  pay.fails(429, 'MONTHLY_LIMIT_REACHED', 'a month that is used up', async (harness) => {
    const shop = await harness.newLiveMerchant('starter');
    await useUpMonth(harness, shop);
    return open(harness, { pk: shop.keys.pk_live });
  }),
  pay.fails(429, 'RATE_LIMIT_EXCEEDED', 'an address that asks too often', (harness) => {
    const from = harness.newAddress();
    return twice(() => open(harness, {}, { from, app: harness.strict }));
  }),
  pay.fails(500, 'RATE_FETCH_FAILED', 'a live key without rates', async (harness) =>
    open(harness, { pk: (await harness.newLiveMerchant()).keys.pk_live }, { app: harness.rateless }),
  ),
  pay.fails(500, 'UPSTREAM_ERROR', 'a service that is starting', (harness) =>
    open(harness, {}, { app: harness.starting }),
  ),
];

// Helpers

interface OpenOptions {
  readonly from?: string;
  readonly app?: TestApp;
  /** From an earlier redirect. */
  readonly cookie?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

type Parameters = Readonly<Record<string, string | null>>;

/**
 * A customer of the test shop who requests 25 USD in LTC, or as given; null leaves a parameter out.
 */
async function open(
  harness: ContractHarness,
  parameters: Parameters = {},
  { from = harness.newAddress(), app = harness.app, cookie = null, headers = {} }: OpenOptions = {},
): Promise<ApiResponse<unknown>> {
  const pk = parameters.pk === undefined ? (await harness.newMerchant()).keys.pk_test : parameters.pk;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ amount: '25', crypto: 'LTC', ...parameters, pk })) {
    if (value !== null) query.append(name, value);
  }
  const sent = { ...headers, ...(cookie === null ? {} : { cookie }) };
  return sendRequest(app, 'hostedCheckoutRedirect', { query: String(query), from, headers: sent });
}
