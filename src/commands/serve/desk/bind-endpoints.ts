import { mailSecurityChange } from '../../../accounts/index.ts';
import type { EndpointsDesk } from '../../../console/index.ts';
import { whileDatabaseAnswers } from '../../../db/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import {
  changeEndpoint,
  countDeliveries,
  createEndpoint,
  DEFAULT_SUBSCRIPTION,
  deleteEndpoint,
  type EndpointHealth,
  findNewestReplay,
  getEndpoint,
  listEndpoints,
  MAX_COUNTED,
  MAX_REPLAY_DAYS,
  readEndpointHealth,
  readEventType,
  regenerateSecret,
  rotateSecret,
  sendTestEvent,
  WEBHOOK_EVENT_TYPES,
  type WebhookEndpoint,
} from '../../../webhooks/index.ts';
import { bindDeliveryLog, withTotal } from './bind-delivery-log.ts';
import { askerOf, changeAs } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

/** The event types a merchant can subscribe to. */
const SUBSCRIPTIONS = { eventTypes: WEBHOOK_EVENT_TYPES, defaultEvents: DEFAULT_SUBSCRIPTION };

export function bindEndpoints(
  { clock, create: { db, engine, publicUrl }, endpoints: terms }: DeskDeps,
  notice: Pick<OutageNotice, 'watch'>,
): EndpointsDesk {
  const { watch } = notice;
  const deps = { db, engine, clock, publicUrl };
  return {
    ...bindDeliveryLog(deps, notice),
    list: ({ merchantId }) =>
      watch(async () => {
        const endpoints = await whileDatabaseAnswers(() => listEndpoints(db, merchantId));
        const healths = await readEndpointHealth(
          deps,
          endpoints.map(({ id }) => id),
        );
        return { endpoints: endpoints.map((each) => toInfo(each, healths.get(each.id))), ...SUBSCRIPTIONS };
      }),
    get: ({ merchantId }, endpointId) =>
      watch(async () => {
        const endpoint = await whileDatabaseAnswers(() => getEndpoint(db, { merchantId, endpointId }));
        const [healths, counted, replay] = await Promise.all([
          readEndpointHealth(deps, [endpointId]),
          countDeliveries(deps, [endpointId]),
          findNewestReplay(deps, { merchantId, endpointId }),
        ]);
        const { delivered, failed, waiting, held } = counted.get(endpointId) ?? NOTHING_COUNTED;
        return {
          endpoint: toInfo(endpoint, healths.get(endpointId)),
          ...SUBSCRIPTIONS,
          counts: { delivered, failed, waiting, held, most: MAX_COUNTED },
          replay: replay === null ? null : await withTotal(deps, merchantId, replay),
          maxReplayDays: MAX_REPLAY_DAYS,
        };
      }),
    create: (member, { events = null, ...wanted }) =>
      watch(async () => {
        const spec = { ...wanted, events, merchantId: member.merchantId };
        const { endpoint, secret } = await changeAs(deps, member, async (change) => {
          const made = await createEndpoint(change, terms, spec);
          const facts = factsOf(made.endpoint);
          await mailSecurityChange(change, member, { subject: 'A webhook endpoint was added', facts });
          return made;
        });
        return { id: endpoint.id, secret };
      }),
    change: (member, endpointId, changes) =>
      watch(async () => {
        const wanted = { merchantId: member.merchantId, endpointId, changes };
        await changeAs(deps, member, async (change) => {
          const facts = factsOf(await changeEndpoint(change, terms, wanted));
          await mailSecurityChange(change, member, { subject: 'A webhook endpoint was changed', facts });
        });
      }),
    remove: (member, endpointId) =>
      watch(() =>
        changeAs(deps, member, (change) => deleteEndpoint(change, { merchantId: member.merchantId, endpointId })),
      ),
    regenerateSecret: (member, endpointId) =>
      watch(async () => {
        const wanted = { merchantId: member.merchantId, endpointId };
        const { secret } = await changeAs(deps, member, (change) => regenerateSecret(change, terms.secretBox, wanted));
        return { id: endpointId, secret };
      }),
    rotateSecret: (member, endpointId, { overlapHours }) =>
      watch(async () => {
        const wanted = { merchantId: member.merchantId, endpointId, overlapHours };
        const { secret } = await changeAs(deps, member, (change) => rotateSecret(change, terms.secretBox, wanted));
        return { id: endpointId, secret };
      }),
    sendTest: (member, endpointId, event) =>
      watch(() => {
        const asker = askerOf(deps, member);
        return sendTestEvent(deps, { merchantId: member.merchantId, endpointId, event: readEventType(event), asker });
      }),
  };
}

// Helpers

const NOTHING_COUNTED = { delivered: 0, failed: 0, waiting: 0, held: 0 };
const NEVER_TRIED: EndpointHealth = { lastSuccessAt: null, lastFailure: null, failuresInARow: 0 };

/** Only the host of the URL: shops put secrets into paths. */
function factsOf({ id, url }: Pick<WebhookEndpoint, 'id' | 'url'>) {
  return [
    ['Endpoint', id],
    ['Host', new URL(url).host],
  ] as const;
}

function toInfo({ merchantId: _, ...endpoint }: WebhookEndpoint, health: EndpointHealth = NEVER_TRIED) {
  return { ...endpoint, health };
}
