import type { Kysely } from 'kysely';
import type { WebhookLog } from '../../api/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/index.ts';
import type { Engine } from '../../engine/index.ts';
import type { OutageNotice } from '../../outage-notice.ts';
import {
  cancelReplay,
  getDelivery,
  getReplay,
  listDeliveries,
  redeliver,
  requestReplay,
} from '../../webhooks/index.ts';

export interface WebhookLogBinding {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'start' | 'deliver'>;
  readonly clock: Clock;
}

/** Binds the webhook delivery log of the merchant API to its use cases. */
export function bindWebhookLog(deps: WebhookLogBinding, { watch }: Pick<OutageNotice, 'watch'>): WebhookLog {
  return {
    list: ({ merchantId }, endpointId, request) =>
      watch(() => listDeliveries(deps, { merchantId, endpointId }, request)),
    get: ({ merchantId }, deliveryId) => watch(() => getDelivery(deps, { merchantId, deliveryId })),
    redeliver: ({ merchantId }, deliveryId) => watch(() => redeliver(deps, { merchantId, deliveryId })),
    replay: ({ merchantId }, endpointId, since) => watch(() => requestReplay(deps, { merchantId, endpointId, since })),
    getReplay: ({ merchantId }, replayId) => watch(() => getReplay(deps, { merchantId, replayId })),
    cancelReplay: ({ merchantId }, replayId) => watch(() => cancelReplay(deps, { merchantId, replayId })),
  };
}
