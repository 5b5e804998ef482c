import { sql, type Transaction } from 'kysely';
import type { MerchantNotification, PaymentEvent, TransactionContext } from '../../../machines/index.ts';
import { type Database, settleAll } from '../../platform/db/index.ts';
import type { Hint } from '../../platform/engine/index.ts';
import { findSubscribers, type NewWebhookEvent, storeWebhookEvents, webhookEventId } from '../../webhooks/index.ts';
import type { TransactionAttachment } from './attachment.ts';
import type { TransactionStep } from './transaction-step.ts';
import { paymentEventBody } from './webhook-body.ts';

/**
 * Stores the exact bytes of every notification, and the deliveries owed, in the commit of its
 * event. Returns the hints that request their first attempts.
 */
export async function projectWebhookEvents(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  publicUrl: string,
): Promise<Hint[]> {
  const raised = steps.flatMap((step) =>
    step.effects
      .filter((effect) => effect.type === 'notifyMerchant')
      // The chart types the parameters of its effects; the engine passes them on unchanged.
      .map((effect) => raisedEvent(step, effect.params as MerchantNotification)),
  );
  if (raised.length === 0) return [];
  const [details, subscribers] = await settleAll([readOrderDetails(trx, raised), findSubscribers(trx, raised)]);
  const events = raised.map((each) => eventOf(each, details.get(each.step.actorId) ?? NO_ORDER_DETAILS, publicUrl));
  return storeWebhookEvents(trx, events, subscribers);
}

/**
 * Id of the webhook event of a notification; `context` is the one after the step. The sum is part
 * of the id of events that are raised again when it changes: a restored payment may report another
 * sum under the same sequence number. Everything else in the payload follows from the type. A
 * payment is completed once, so its shop is not to deliver again for another sequence number.
 */
export function paymentEventId(
  transactionId: string,
  { event, sequence }: MerchantNotification,
  { partialNotifiedBaseUnits, overpaidNotifiedBaseUnits }: TransactionContext,
): string {
  const sums: Partial<Record<PaymentEvent, string | null>> = {
    'payment.partial': partialNotifiedBaseUnits,
    'payment.overpaid': overpaidNotifiedBaseUnits,
  };
  const baseUnits = sums[event] ?? null;
  const isRepeatable = event !== 'payment.completed';
  const identity = { event, sequence: isRepeatable ? sequence : 0 };
  return webhookEventId(transactionId, { ...identity, ...(baseUnits === null ? {} : { baseUnits }) });
}

// Helpers

/** A webhook event before its body is built. */
interface RaisedEvent extends Pick<NewWebhookEvent, 'merchantId' | 'event' | 'mode'> {
  readonly step: TransactionStep;
  readonly notification: MerchantNotification;
}

function raisedEvent(step: TransactionStep, notification: MerchantNotification): RaisedEvent {
  const { merchantId, mode } = step.context;
  return { merchantId, mode, event: notification.event, step, notification };
}

/** The shop's order details; the steps of a transaction do not contain them. */
type OrderDetails = Pick<TransactionAttachment, 'orderId' | 'items' | 'metadata'>;

const NO_ORDER_DETAILS: OrderDetails = { orderId: null, items: null, metadata: null };

/**
 * Order id, items and metadata are only in the projection; the step that starts a transaction still
 * carries them.
 */
async function readOrderDetails(
  trx: Transaction<Database>,
  raised: readonly RaisedEvent[],
): Promise<Map<string, OrderDetails>> {
  const details = new Map<string, OrderDetails>();
  for (const { actorId, outcome, attachment } of raised.map(({ step }) => step)) {
    if (outcome === 'started') details.set(actorId, attachment as TransactionAttachment);
  }
  const missing = [...new Set(raised.map(({ step }) => step.actorId))].filter((id) => !details.has(id));
  if (missing.length === 0) return details;
  const { rows } = await sql<{ id: string; order_id: string | null; items: unknown; metadata: unknown }>`
    select id, order_id, items, metadata from transaction_terms where id = any(${missing}::text[])`.execute(trx);
  for (const row of rows) {
    // Only this folder writes them.
    const { items, metadata } = row as Pick<OrderDetails, 'items' | 'metadata'>;
    details.set(row.id, { orderId: row.order_id, items, metadata });
  }
  return details;
}

function eventOf(raised: RaisedEvent, details: OrderDetails, publicUrl: string): NewWebhookEvent {
  const { merchantId, event, mode, step, notification } = raised;
  const { actorId, at, wallAt, context } = step;
  const id = paymentEventId(actorId, notification, context);
  const body = paymentEventBody({ id, at, notification, context, publicUrl, details });
  return { id, merchantId, event, mode, actorId, transactionId: actorId, body, createdAt: wallAt };
}
