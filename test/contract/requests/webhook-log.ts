import { type ContractHarness, sendRequest } from '../harness.ts';
import { WEBHOOK_LOG } from '../tables/webhook-log.ts';
import { type Provocation, provocationsOf } from './provocation.ts';

type Name = keyof typeof WEBHOOK_LOG;

const NAMES = Object.keys(WEBHOOK_LOG) as Name[];

/** The kinds of ids in a path, and the error code when the object does not exist. */
const KINDS = {
  endpoint_id: { prefix: 'whk', code: 'WEBHOOK_ENDPOINT_NOT_FOUND' },
  delivery_id: { prefix: 'dlv', code: 'WEBHOOK_DELIVERY_NOT_FOUND' },
  replay_id: { prefix: 'rpl', code: 'WEBHOOK_REPLAY_NOT_FOUND' },
} as const;
type Kind = keyof typeof KINDS;

interface Ready extends Readonly<Record<Kind, string>> {
  readonly key: string;
}

/** A shop with an endpoint, a test event being delivered to it, and a replay. */
async function ready({ app, newMerchant }: ContractHarness): Promise<Ready> {
  const { sk_live: key } = (await newMerchant()).keys;
  type Made<T> = { readonly data: T };
  const made = await sendRequest<Made<{ endpoint: { endpoint_id: string } }>>(app, 'createWebhookEndpoint', { key });
  const { endpoint_id: id } = made.body.data.endpoint;
  const sent = await sendRequest<Made<{ delivery_id: string }>>(app, 'testWebhookEndpoint', { key, id });
  const replayed = await sendRequest<Made<{ replay_id: string }>>(app, 'replayWebhooks', { key, id });
  return { key, endpoint_id: id, delivery_id: sent.body.data.delivery_id, replay_id: replayed.body.data.replay_id };
}

function kindOf(name: Name): Kind {
  const [, kind] = /\{(\w+)\}/.exec(WEBHOOK_LOG[name].path) ?? [];
  if (kind === undefined || !Object.hasOwn(KINDS, kind)) throw new Error(`${name} has no id in its path`);
  return kind as Kind;
}

const of = provocationsOf;

/** The webhook log, redeliveries and replays. */
export const WEBHOOK_LOG_REQUESTS: readonly Provocation[] = [
  ...NAMES.flatMap((name) => {
    const kind = kindOf(name);
    const { prefix, code } = KINDS[kind];
    return [
      of(name).responds(WEBHOOK_LOG[name].success, `the ${kind} of their own`, async (harness) => {
        const made = await ready(harness);
        return sendRequest(harness.app, name, { key: made.key, id: made[kind] });
      }),
      of(name).fails(403, 'FORBIDDEN', 'a test key', async ({ app, newMerchant }) =>
        sendRequest(app, name, { key: (await newMerchant()).keys.sk_test }),
      ),
      of(name).fails(404, code, `a ${kind} that nothing has`, async ({ app, newMerchant }) =>
        sendRequest(app, name, { key: (await newMerchant()).keys.sk_live, id: `${prefix}_${'0'.repeat(26)}` }),
      ),
      of(name).fails(404, code, `the ${kind} of another merchant`, async (harness) => {
        const made = await ready(harness);
        return sendRequest(harness.app, name, { key: (await harness.newMerchant()).keys.sk_live, id: made[kind] });
      }),
    ];
  }),
  of('listWebhookDeliveries').fails(400, 'INVALID_REQUEST', 'a page of none', async (harness) => {
    const { key, endpoint_id: id } = await ready(harness);
    return sendRequest(harness.app, 'listWebhookDeliveries', { key, id, query: 'limit=0' });
  }),
  of('replayWebhooks').fails(400, 'INVALID_REQUEST', 'a moment long ago', async (harness) => {
    const { key, endpoint_id: id } = await ready(harness);
    return sendRequest(harness.app, 'replayWebhooks', { key, id, body: { since: '2020-01-01' } });
  }),
  ...(['redeliverWebhook', 'replayWebhooks'] as const).map((name) =>
    of(name).fails(409, 'INVALID_STATE', 'a disabled endpoint', async (harness) => {
      const made = await ready(harness);
      const { key, endpoint_id: id } = made;
      await sendRequest(harness.app, 'changeWebhookEndpoint', { key, id, body: { enabled: false } });
      return sendRequest(harness.app, name, { key, id: made[kindOf(name)] });
    }),
  ),
];
