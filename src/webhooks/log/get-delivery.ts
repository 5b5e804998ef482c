import { type Kysely, type Selectable, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { type DeliveryOfMerchant, deliveryNotFound } from '../redelivery/redeliver.ts';
import type { Exchange } from '../sender/post.ts';
import { DELIVERY_COLUMNS, type DeliveryView } from './delivery-view.ts';

/** One POST and its response. */
export interface AttemptView extends Omit<Exchange, keyof AttemptTiming> {
  readonly attempt: number;
  readonly startedAt: UnixMs;
  readonly durationMs: number;
  /** HTTP status of the response; null without one. */
  readonly status: number | null;
  /** Kind of the failure; null on success. */
  readonly failure: string | null;
  readonly failureDetail: string | null;
  /** Sent while deliveries to the endpoint were paused. */
  readonly isProbe: boolean;
  readonly timing: AttemptTiming;
}

/** Parts of the duration in ms; null for skipped steps. */
type AttemptTiming = Pick<Exchange, 'dnsMs' | 'connectMs' | 'tlsMs' | 'firstByteMs'>;

/** A delivery with its body and its attempts. */
export interface LoggedDelivery extends DeliveryView {
  /** The body of every attempt, byte for byte. */
  readonly body: string;
  /** The newest attempts, oldest first. */
  readonly attempts: readonly AttemptView[];
}

/** Limit of attempts returned. Probes can add more when an endpoint is down for a day. */
export const MAX_SHOWN_ATTEMPTS = 100;

/** Throws a `TerminalError` `WEBHOOK_DELIVERY_NOT_FOUND`, also for another merchant's delivery. */
export async function getDelivery(
  { db }: { readonly db: Kysely<Database> },
  { merchantId, deliveryId }: DeliveryOfMerchant,
): Promise<LoggedDelivery> {
  const { rows } = await sql<Omit<LoggedDelivery, 'attempts'>>`
      select ${DELIVERY_COLUMNS}, event.body
      from webhook_delivery as delivery
      join webhook_event as event on event.id = delivery.webhook_event_id
      left join transaction_terms as terms on terms.id = event.transaction_id
      join webhook_endpoint as endpoint on endpoint.id = delivery.endpoint_id
      where delivery.id = ${deliveryId} and endpoint.merchant_id = ${merchantId}`.execute(db);
  const [delivery] = rows;
  if (delivery === undefined) throw deliveryNotFound(deliveryId);
  const newest = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt', 'desc')
    .orderBy('started_at', 'desc')
    .limit(MAX_SHOWN_ATTEMPTS)
    .execute();
  return { ...delivery, attempts: newest.toReversed().map(toAttempt) };
}

// Helpers

function toAttempt(row: Selectable<Database['webhook_attempt']>): AttemptView {
  return {
    attempt: row.attempt,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    status: row.status,
    failure: row.failure,
    failureDetail: row.failure_detail,
    isProbe: row.is_probe,
    requestHeaders: row.request_headers,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    isResponseCut: row.is_response_cut,
    peerAddress: row.peer_address,
    timing: {
      dnsMs: row.dns_ms,
      connectMs: row.connect_ms,
      tlsMs: row.tls_ms,
      firstByteMs: row.first_byte_ms,
    },
  };
}
