import { systemClock } from '../../platform/clock.ts';
import {
  countDeliveries,
  type DeliveryCounts,
  type DeliveryListRequest,
  type DeliveryView,
  deliveryOnWire,
  detailsOnWire,
  getDelivery,
  type LoggedDelivery,
  listDeliveries,
  listTransactionEvents,
} from '../../webhooks/index.ts';
import { withMerchant } from '../key/context.ts';
import { usage } from '../options.ts';
import { printResult, tableText, timeText } from '../print.ts';
import type { WebhookLogValues } from './commands.ts';

/**
 * `quittance webhook deliveries`: deliveries of an endpoint or a transaction, or the details of one
 * delivery.
 */
export async function webhookDeliveries(options: WebhookLogValues['deliveries']): Promise<void> {
  const { merchant, endpoint, transaction, delivery } = options;
  if (delivery !== null) return showDelivery(merchant, delivery, options.json);
  if (endpoint !== null) return showEndpoint(endpoint, options);
  if (transaction !== null) return showTransaction(merchant, transaction, options.json);
  throw usage('webhook deliveries: pass --endpoint, --transaction or --delivery');
}

// Helpers

async function showEndpoint(endpointId: string, options: WebhookLogValues['deliveries']): Promise<void> {
  const { page, counts } = await withMerchant(options.merchant, async (db, { id: merchantId }) => {
    const found = await listDeliveries({ db }, { merchantId, endpointId }, requestOf(options));
    const counted = await countDeliveries({ db, clock: systemClock }, [endpointId]);
    return { page: found, counts: counted.get(endpointId) ?? null };
  });
  const result = { counts, deliveries: page.deliveries.map(deliveryOnWire), has_more: page.hasMore };
  printResult(options.json, result, () => [...countsText(counts), listText(page.deliveries, page.hasMore)].join('\n'));
}

function requestOf({ state, event, transaction, since, limit }: WebhookLogValues['deliveries']): DeliveryListRequest {
  return {
    limit,
    ...(state === null ? {} : { state }),
    ...(event === null ? {} : { event }),
    ...(transaction === null ? {} : { transactionId: transaction }),
    ...(since === null ? {} : { since }),
  };
}

function countsText(counts: DeliveryCounts | null): string[] {
  if (counts === null) return [];
  const { delivered, failed, waiting, held } = counts;
  const line = `In 24 hours: ${delivered} delivered, ${failed} failed. Waiting now: ${waiting}.`;
  return [held === 0 ? line : `${line} Held since it was disabled: ${held}.`];
}

const HEADINGS = ['DELIVERY', 'EVENT', 'TRANSACTION', 'STATE', 'ATTEMPT', 'LAST', 'STARTED', 'NEXT'];

function listText(deliveries: readonly DeliveryView[], hasMore: boolean): string {
  if (deliveries.length === 0) return 'No deliveries found.';
  const rows = deliveries.map((each) => [
    each.id,
    each.isTest ? `${each.event} (test)` : each.event,
    each.transactionId ?? '-',
    each.state,
    String(each.attempt),
    each.lastStatus === null ? (each.lastFailure ?? '-') : String(each.lastStatus),
    timeText(each.createdAt) ?? '-',
    timeText(each.nextAttemptAt) ?? '-',
  ]);
  return hasMore
    ? `${tableText(HEADINGS, rows)}\nThere are older deliveries; raise --limit.`
    : tableText(HEADINGS, rows);
}

async function showDelivery(merchant: string, deliveryId: string, json: boolean): Promise<void> {
  const delivery = await withMerchant(merchant, (db, { id: merchantId }) =>
    getDelivery({ db }, { merchantId, deliveryId }),
  );
  printResult(json, detailsOnWire(delivery), () => detailsText(delivery));
}

/** Without the responses, which may be long: `--json` shows them. */
function detailsText(delivery: LoggedDelivery): string {
  const attempts = delivery.attempts.map((made) => {
    const outcome = made.failure === null ? `accepted (${made.status})` : `${made.failure} ${made.status ?? ''}`.trim();
    const probe = made.isProbe ? ', ahead of schedule' : '';
    return `  ${made.attempt}  ${timeText(made.startedAt)}  ${made.durationMs} ms  ${outcome}${probe}`;
  });
  return [
    `${delivery.event} ${delivery.eventId} to ${delivery.endpointId}: ${delivery.state}`,
    delivery.body,
    attempts.length === 0 ? 'No attempts recorded.' : ['Attempts', ...attempts].join('\n'),
  ].join('\n');
}

async function showTransaction(merchant: string, transactionId: string, json: boolean): Promise<void> {
  const events = await withMerchant(merchant, (db, { id: merchantId }) =>
    listTransactionEvents({ db }, { merchantId, transactionId }),
  );
  const result = events.map(({ id, event, createdAt, deliveries }) => ({
    event_id: id,
    event,
    created_at: timeText(createdAt),
    deliveries: deliveries.map((each) => ({
      delivery_id: each.id,
      endpoint_id: each.endpointId,
      state: each.state,
      attempt: each.attempt,
    })),
  }));
  printResult(json, { events: result }, () => {
    if (events.length === 0) return `No events recorded for ${transactionId}.`;
    const rows = events.flatMap(({ event, createdAt, deliveries }) => {
      const at = timeText(createdAt) ?? '-';
      if (deliveries.length === 0) return [[event, at, 'sent to no endpoint']];
      return deliveries.map((each) => [event, at, each.endpointId, each.id, each.state, String(each.attempt)]);
    });
    return tableText(['EVENT', 'AT', 'ENDPOINT', 'DELIVERY', 'STATE', 'ATTEMPT'], rows);
  });
}
