import { MINUTE_MS } from '../../../machines/index.ts';
import { addLink, cookieOf, transactionOf } from '../../links/links-app.ts';
import type { ApiResponse, TestApp } from '../../support/service/app.ts';
import { type ContractHarness, sendRequest } from '../harness.ts';
import { endPlan, useUpMonth } from './create.ts';
import { type Provocation, provocationsOf, twice } from './provocation.ts';

const pay = provocationsOf('hostedCheckoutRedirect');

export const PAY_REQUESTS: readonly Provocation[] = [
  pay.responds(302, 'what is required', (stage) => open(stage)),
  pay.responds(302, 'another currency', (stage) => open(stage, { currency: 'PLN' })),
  pay.responds(302, 'a link', async (stage) => {
    const shop = await stage.newMerchant();
    const { slug } = await addLink(stage.app, shop);
    return open(stage, { pk: shop.keys.pk_test, link: slug });
  }),
  pay.responds(302, 'a live key', async (stage) => open(stage, { pk: (await stage.newLiveMerchant()).keys.pk_live })),
  pay.fails(400, 'INVALID_REQUEST', 'no amount', (stage) => open(stage, { amount: null })),
  pay.fails(400, 'INVALID_REQUEST', 'no key', (stage) => open(stage, { pk: null })),
  pay.fails(400, 'INVALID_CRYPTO', 'a coin there is not', (stage) => open(stage, { crypto: 'XMR' })),
  pay.fails(400, 'INVALID_AMOUNT', 'an amount that is no number', (stage) => open(stage, { amount: 'x' })),
  pay.fails(400, 'AMOUNT_TOO_LOW', 'less than 1.00 USD', (stage) => open(stage, { amount: '0.99' })),
  pay.fails(400, 'INVALID_CURRENCY', 'a currency there is not', (stage) => open(stage, { currency: 'JPY' })),
  pay.fails(400, 'WALLET_NOT_CONFIGURED', 'a live key without a wallet', async (stage) =>
    open(stage, { pk: (await stage.newMerchant()).keys.pk_live }),
  ),
  pay.fails(401, 'UNAUTHORIZED', 'an unknown key', (stage) => open(stage, { pk: 'pk_test_unknown' })),
  pay.fails(401, 'UNAUTHORIZED', 'a secret key', async (stage) =>
    open(stage, { pk: (await stage.newMerchant()).keys.sk_test }),
  ),
  pay.fails(403, 'FORBIDDEN', 'an image of a page', (stage) =>
    open(stage, {}, { headers: { 'sec-fetch-dest': 'image' } }),
  ),
  pay.fails(403, 'NO_ACTIVE_PLAN', 'a plan that ended a month ago', async (stage) => {
    const shop = await stage.newMerchant();
    await endPlan(stage, shop);
    return open(stage, { pk: shop.keys.pk_test });
  }),
  pay.fails(409, 'PAYMENT_LINK_PAID', 'a single-use link that was paid', async (stage) => {
    const { app } = stage;
    const { keys, ...shop } = await stage.newMerchant();
    const { slug: link } = await addLink(app, { keys, ...shop });
    const id = transactionOf(await open(stage, { pk: keys.pk_test, link }));
    await app.simulate(keys.sk_test, id, 'pay');
    await app.simulate(keys.sk_test, id, 'confirm');
    return open(stage, { pk: keys.pk_test, link });
  }),
  pay.fails(409, 'ACTIVE_TRANSACTION_EXISTS', 'another wish of a customer who may have one', async (stage) => {
    const { id, keys } = await stage.newMerchant();
    const one = { one_open_payment_per_ip: true };
    await stage.app.connection.db.updateTable('api_key').set(one).where('merchant_id', '=', id).execute();
    const from = stage.newAddress();
    const cookie = cookieOf(await open(stage, { pk: keys.pk_test }, { from }));
    return open(stage, { pk: keys.pk_test, amount: '26' }, { from, cookie });
  }),
  pay.fails(
    429,
    'TOO_MANY_OPEN_PAYMENTS',
    'another browser behind an address that may have one payment',
    async (stage) => {
      const { id, keys } = await stage.newMerchant();
      const one = { one_open_payment_per_ip: true };
      await stage.app.connection.db.updateTable('api_key').set(one).where('merchant_id', '=', id).execute();
      const from = stage.newAddress();
      await open(stage, { pk: keys.pk_test }, { from });
      return open(stage, { pk: keys.pk_test }, { from });
    },
  ),
  pay.fails(410, 'PAYMENT_LINK_EXPIRED', 'a link that has ended', async (stage) => {
    const shop = await stage.newMerchant();
    const { slug: link } = await addLink(stage.app, shop, { expiresAt: stage.app.clock.now() + MINUTE_MS });
    stage.app.clock.advance(MINUTE_MS);
    return open(stage, { pk: shop.keys.pk_test, link });
  }),
  pay.fails(429, 'MONTHLY_LIMIT_REACHED', 'a month that is used up', async (stage) => {
    const shop = await stage.newLiveMerchant('starter');
    await useUpMonth(stage, shop);
    return open(stage, { pk: shop.keys.pk_live });
  }),
  pay.fails(429, 'RATE_LIMIT_EXCEEDED', 'an address that asks too often', (stage) => {
    const from = stage.newAddress();
    return twice(() => open(stage, {}, { from, app: stage.strict }));
  }),
  pay.fails(500, 'RATE_FETCH_FAILED', 'a live key without rates', async (stage) =>
    open(stage, { pk: (await stage.newLiveMerchant()).keys.pk_live }, { app: stage.rateless }),
  ),
  pay.fails(500, 'UPSTREAM_ERROR', 'a service that is starting', (stage) => open(stage, {}, { app: stage.starting })),
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
  stage: ContractHarness,
  parameters: Parameters = {},
  { from = stage.newAddress(), app = stage.app, cookie = null, headers = {} }: OpenOptions = {},
): Promise<ApiResponse<unknown>> {
  const pk = parameters.pk === undefined ? (await stage.newMerchant()).keys.pk_test : parameters.pk;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ amount: '25', crypto: 'LTC', ...parameters, pk })) {
    if (value !== null) query.append(name, value);
  }
  const sent = { ...headers, ...(cookie === null ? {} : { cookie }) };
  return sendRequest(app, 'hostedCheckoutRedirect', { query: String(query), from, headers: sent });
}
