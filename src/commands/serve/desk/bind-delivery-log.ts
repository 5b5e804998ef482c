import type { Kysely } from 'kysely';
import type { Clock } from '../../../clock.ts';
import type { EndpointsDesk } from '../../../console/index.ts';
import type { Database } from '../../../db/index.ts';
import type { Engine } from '../../../engine/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import {
  cancelReplay,
  countReplayedEvents,
  getDelivery,
  getReplay,
  listDeliveries,
  previewReplay,
  type Replay,
  readEventType,
  redeliver,
  requestReplay,
} from '../../../webhooks/index.ts';
import { askerOf } from './change-as.ts';

export interface DeliveryLogDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'start' | 'deliver'>;
  readonly clock: Clock;
}

type DeliveryLog = Pick<
  EndpointsDesk,
  'deliveries' | 'delivery' | 'redeliver' | 'previewReplay' | 'replay' | 'getReplay' | 'cancelReplay'
>;

/** Binds a merchant's webhook delivery log to its use cases. */
export function bindDeliveryLog(deps: DeliveryLogDeps, { watch }: Pick<OutageNotice, 'watch'>): DeliveryLog {
  return {
    deliveries: ({ merchantId }, endpointId, { event, from, ...query }) =>
      watch(async () => {
        const { deliveries, hasMore } = await listDeliveries(
          deps,
          { merchantId, endpointId },
          {
            ...query,
            ...(event === undefined ? {} : { event: readEventType(event) }),
            ...(from === undefined ? {} : { since: from }),
          },
        );
        return { deliveries, cursor: hasMore ? (deliveries.at(-1)?.id ?? null) : null };
      }),
    delivery: ({ merchantId }, deliveryId) => watch(() => getDelivery(deps, { merchantId, deliveryId })),
    redeliver: (member, deliveryId) =>
      watch(() => redeliver(deps, { merchantId: member.merchantId, deliveryId, asker: askerOf(deps, member) })),
    previewReplay: ({ merchantId }, endpointId, since) =>
      watch(() => previewReplay(deps, { merchantId, endpointId, since })),
    replay: (member, endpointId, since) =>
      watch(async () => {
        const { merchantId } = member;
        const asker = askerOf(deps, member);
        return withTotal(deps, merchantId, await requestReplay(deps, { merchantId, endpointId, since, asker }));
      }),
    getReplay: ({ merchantId }, replayId) =>
      watch(async () => withTotal(deps, merchantId, await getReplay(deps, { merchantId, replayId }))),
    cancelReplay: (member, replayId) =>
      watch(async () => {
        const { merchantId } = member;
        const asker = askerOf(deps, member);
        return withTotal(deps, merchantId, await cancelReplay(deps, { merchantId, replayId, asker }));
      }),
  };
}

/** A replay with its total number of events, for a progress bar. */
export async function withTotal(deps: { readonly db: Kysely<Database> }, merchantId: string, replay: Replay) {
  return { ...replay, eventsTotal: await countReplayedEvents(deps, { merchantId, replay }) };
}
