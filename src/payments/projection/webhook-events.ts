import { sql, type Transaction } from 'kysely';
import type { MerchantNotification } from '../../../machines/index.ts';
import { type Database, settleAll } from '../../platform/db/index.ts';
import type { Hint } from '../../platform/engine/index.ts';
import { findSubscribers, type NewWebhookEvent, storeWebhookEvents } from '../../webhooks/index.ts';
import type { TransactionAttachment } from './attachment.ts';
import { paymentEventId } from './payment-event-id.ts';
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
      .map((effect) => raisedBy(step, effect.params as MerchantNotification)),
  );
  if (raised.length === 0) return [];
  const [facts, subscribers] = await settleAll([factsOf(trx, raised), findSubscribers(trx, raised)]);
  const events = raised.map((each) => eventOf(each, facts.get(each.step.actorId) ?? NO_FACTS, publicUrl));
  return storeWebhookEvents(trx, events, subscribers);
}

// Helpers

/** A notification with what decides who is notified. */
interface Raised extends Pick<NewWebhookEvent, 'merchantId' | 'event' | 'mode'> {
  readonly step: TransactionStep;
  readonly notification: MerchantNotification;
}

function raisedBy(step: TransactionStep, notification: MerchantNotification): Raised {
  const { merchantId, mode } = step.context;
  return { merchantId, mode, event: notification.event, step, notification };
}

/** Data that the steps of a transaction do not contain. */
type Facts = Pick<TransactionAttachment, 'orderId' | 'items' | 'metadata'>;

const NO_FACTS: Facts = { orderId: null, items: null, metadata: null };

/**
 * Order id, items and metadata are only in the projection; the step that starts a transaction still
 * carries them.
 */
async function factsOf(trx: Transaction<Database>, raised: readonly Raised[]): Promise<Map<string, Facts>> {
  const facts = new Map<string, Facts>();
  for (const { actorId, outcome, attachment } of raised.map(({ step }) => step)) {
    if (outcome === 'started') facts.set(actorId, attachment as TransactionAttachment);
  }
  const missing = [...new Set(raised.map(({ step }) => step.actorId))].filter((id) => !facts.has(id));
  if (missing.length === 0) return facts;
  const { rows } = await sql<{ id: string; order_id: string | null; items: unknown; metadata: unknown }>`
    select id, order_id, items, metadata from transaction_terms where id = any(${missing}::text[])`.execute(trx);
  for (const row of rows) {
    // Only this folder writes them.
    const { items, metadata } = row as Pick<Facts, 'items' | 'metadata'>;
    facts.set(row.id, { orderId: row.order_id, items, metadata });
  }
  return facts;
}

function eventOf({ step, notification, ...raised }: Raised, facts: Facts, publicUrl: string): NewWebhookEvent {
  const { actorId, at, wallAt, context } = step;
  const id = paymentEventId(actorId, notification, context);
  const body = paymentEventBody({ id, at, notification, context, publicUrl, facts });
  return { ...raised, id, actorId, transactionId: actorId, body, createdAt: wallAt };
}
