import { type ContractHarness, sendRequest } from '../harness.ts';
import { PAYMENT_LINKS } from '../tables/payment-links.ts';
import { provocationsOf as of, type Provocation, withTestKey } from './provocation.ts';

interface Ready {
  readonly key: string;
  readonly id: string;
}

/** A shop with a payment link. */
async function ready({ app, newMerchant }: ContractHarness): Promise<Ready> {
  const { sk_test: key } = (await newMerchant()).keys;
  type Made = { readonly data: { readonly slug: string } };
  const { data } = (await sendRequest<Made>(app, 'createPaymentLink', { key })).body;
  return { key, id: data.slug };
}

const OF_ONE = ['getPaymentLink', 'closePaymentLink'] as const;

/** Managing payment links. */
export const PAYMENT_LINK_REQUESTS: readonly Provocation[] = [
  of('createPaymentLink').responds(201, 'a fixed price', withTestKey('createPaymentLink')),
  of('createPaymentLink').responds(
    201,
    'a price that the customer chooses',
    withTestKey('createPaymentLink', { body: { title: 'Donation', min_amount: 1.5, max_amount: 100 } }),
  ),
  of('createPaymentLink').fails(
    400,
    'INVALID_REQUEST',
    'no title',
    withTestKey('createPaymentLink', { body: { amount: 25 } }),
  ),
  of('createPaymentLink').fails(
    400,
    'INVALID_AMOUNT',
    'an amount with 3 decimals',
    withTestKey('createPaymentLink', { body: { title: 'Workshop', amount: 25.001 } }),
  ),
  of('createPaymentLink').fails(
    400,
    'INVALID_CURRENCY',
    'an unknown currency',
    withTestKey('createPaymentLink', { body: { title: 'Workshop', amount: 25, currency_fiat: 'XXX' } }),
  ),
  of('createPaymentLink').fails(409, 'LINK_EXISTS', 'the slug of another', async ({ app, newMerchant }) => {
    const { sk_test: key } = (await newMerchant()).keys;
    const parts = { key, body: { ...PAYMENT_LINKS.createPaymentLink.body, slug: 'workshop' } };
    await sendRequest(app, 'createPaymentLink', parts);
    return sendRequest(app, 'createPaymentLink', parts);
  }),
  of('listPaymentLinks').responds(200, 'a link', async (harness) =>
    sendRequest(harness.app, 'listPaymentLinks', { key: (await ready(harness)).key }),
  ),
  of('listPaymentLinks').fails(
    400,
    'INVALID_REQUEST',
    'a page of 101',
    withTestKey('listPaymentLinks', { query: 'limit=101' }),
  ),
  ...OF_ONE.flatMap((name) => [
    of(name).responds(200, 'a link', async (harness) => sendRequest(harness.app, name, await ready(harness))),
    of(name).fails(404, 'LINK_NOT_FOUND', 'a slug that no link has', withTestKey(name, { id: 'no-such-link' })),
    of(name).fails(404, 'LINK_NOT_FOUND', 'the link of another merchant', async (harness) => {
      const { id } = await ready(harness);
      return sendRequest(harness.app, name, { key: (await harness.newMerchant()).keys.sk_test, id });
    }),
    of(name).fails(404, 'LINK_NOT_FOUND', 'a test link with a live key', async (harness) => {
      const { app, newMerchant } = harness;
      const { keys } = await newMerchant();
      await sendRequest(app, 'createPaymentLink', { key: keys.sk_test, body: { title: 'Workshop', slug: 'workshop' } });
      return sendRequest(app, name, { key: keys.sk_live, id: 'workshop' });
    }),
  ]),
];
