import type { ApiResponse } from '../../support/service/app.ts';
import { type ContractHarness, sendRequest } from '../harness.ts';
import { WEBHOOK_ENDPOINTS } from '../tables/webhook-endpoints.ts';
import { type Provocation, provocationsOf } from './provocation.ts';

type Name = keyof typeof WEBHOOK_ENDPOINTS;

const NAMES = Object.keys(WEBHOOK_ENDPOINTS) as Name[];
const OF_ONE = NAMES.filter((name) => WEBHOOK_ENDPOINTS[name].path.includes('{endpoint_id}'));

interface Ready {
  readonly key: string;
  readonly id: string;
}

/** A shop with an endpoint. */
async function ready({ app, newMerchant }: ContractHarness, body?: object): Promise<Ready> {
  const { sk_live: key } = (await newMerchant()).keys;
  type Made = { readonly data: { readonly endpoint: { readonly endpoint_id: string } } };
  const parts = { key, ...(body === undefined ? {} : { body }) };
  const { data } = (await sendRequest<Made>(app, 'createWebhookEndpoint', parts)).body;
  return { key, id: data.endpoint.endpoint_id };
}

/** Sends a request about the endpoint of a shop, with the default body or the given one. */
function about(name: Name, body?: object): Provocation['send'] {
  return async (harness): Promise<ApiResponse<unknown>> => {
    const made = await ready(harness);
    return sendRequest(harness.app, name, { ...made, ...(body === undefined ? {} : { body }) });
  };
}

const of = provocationsOf;

/** Managing webhook endpoints. */
export const WEBHOOK_ENDPOINT_REQUESTS: readonly Provocation[] = [
  ...NAMES.flatMap((name) => [
    ...(name === 'createWebhookEndpoint'
      ? []
      : [of(name).responds(WEBHOOK_ENDPOINTS[name].success, 'an endpoint', about(name))]),
    of(name).fails(403, 'FORBIDDEN', 'a test key', async ({ app, newMerchant }) =>
      sendRequest(app, name, { key: (await newMerchant()).keys.sk_test }),
    ),
  ]),
  ...OF_ONE.flatMap((name) => [
    of(name).fails(404, 'WEBHOOK_ENDPOINT_NOT_FOUND', 'an id that no endpoint has', async ({ app, newMerchant }) =>
      sendRequest(app, name, { key: (await newMerchant()).keys.sk_live, id: `whk_${'0'.repeat(26)}` }),
    ),
    of(name).fails(404, 'WEBHOOK_ENDPOINT_NOT_FOUND', "another merchant's endpoint", async (harness) => {
      const { id } = await ready(harness);
      return sendRequest(harness.app, name, { key: (await harness.newMerchant()).keys.sk_live, id });
    }),
  ]),
  of('createWebhookEndpoint').responds(201, 'a URL', async ({ app, newMerchant }) =>
    sendRequest(app, 'createWebhookEndpoint', { key: (await newMerchant()).keys.sk_live }),
  ),
  of('createWebhookEndpoint').fails(400, 'INVALID_WEBHOOK_URL', 'plain http', async ({ app, newMerchant }) =>
    sendRequest(app, 'createWebhookEndpoint', {
      key: (await newMerchant()).keys.sk_live,
      body: { url: 'http://shop.example.com' },
    }),
  ),
  of('createWebhookEndpoint').fails(
    403,
    'PLAN_UPGRADE_REQUIRED',
    'a second one on starter',
    async ({ app, newMerchant }) => {
      const { sk_live: key } = (await newMerchant('starter')).keys;
      await sendRequest(app, 'createWebhookEndpoint', { key });
      return sendRequest(app, 'createWebhookEndpoint', { key, body: { url: 'https://shop.invalid/other' } });
    },
  ),
  of('createWebhookEndpoint').fails(409, 'WEBHOOK_ENDPOINT_EXISTS', 'the same URL', async (harness) => {
    const { key } = await ready(harness);
    return sendRequest(harness.app, 'createWebhookEndpoint', { key });
  }),
  of('changeWebhookEndpoint').fails(
    400,
    'INVALID_REQUEST',
    'a field it does not have',
    about('changeWebhookEndpoint', { secret: 'whsec_mine' }),
  ),
  of('changeWebhookEndpoint').fails(409, 'WEBHOOK_ENDPOINT_EXISTS', 'the URL of another', async (harness) => {
    const { key, id } = await ready(harness);
    const url = 'https://shop.invalid/other';
    await sendRequest(harness.app, 'createWebhookEndpoint', { key, body: { url } });
    return sendRequest(harness.app, 'changeWebhookEndpoint', { key, id, body: { url } });
  }),
  of('rotateWebhookSecret').fails(
    400,
    'INVALID_REQUEST',
    'an overlap longer than a day',
    about('rotateWebhookSecret', { overlap_hours: 25 }),
  ),
  of('testWebhookEndpoint').fails(
    400,
    'INVALID_REQUEST',
    'no event',
    about('testWebhookEndpoint', { event: 'payment.done' }),
  ),
  of('testWebhookEndpoint').fails(409, 'INVALID_STATE', 'a disabled endpoint', async (harness) => {
    const made = await ready(harness, { url: 'https://shop.invalid/hooks', enabled: false });
    return sendRequest(harness.app, 'testWebhookEndpoint', made);
  }),
];
