import type { Transaction } from 'kysely';
import type { MerchantNotification, TransactionContext } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Hint } from '../../platform/engine/index.ts';
import { type NewWebhookEvent, raiseWebhookEvents } from '../../webhooks/index.ts';
import type { TransactionAttachment } from './attachment.ts';
import { paymentEventId } from './payment-event-id.ts';
import type { TransactionStep } from './transaction-step.ts';
import { paymentEventBody } from './webhook-body.ts';

/** Data that the steps of a transaction do not contain. */
interface Facts extends Pick<TransactionAttachment, 'orderId' | 'items' | 'metadata'> {
  /** Milliseconds by which the clock of a test transaction was moved. */
  readonly clockOffsetMs: number;
}

/**
 * Stores the exact bytes of every notification, and the deliveries owed, in the commit of its
 * event. Returns the hints that request their first attempts.
 */
export async function projectWebhookEvents(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  publicUrl: string,
): Promise<Hint[]> {
  const telling = steps.filter(({ effects }) => effects.some((effect) => effect.type === 'notifyMerchant'));
  const facts = await factsOf(trx, telling);
  const events = telling.flatMap((step) =>
    step.effects
      .filter((effect) => effect.type === 'notifyMerchant')
      // The chart types the parameters of its effects; the engine passes them on unchanged.
      .map((effect) => eventOf(step, effect.params as MerchantNotification, publicUrl, facts.get(step.actorId))),
  );
  return raiseWebhookEvents(trx, events);
}

// Helpers

/**
 * Order id, items and metadata are only in the projection; the step that starts a transaction still
 * carries them, and its clock cannot have been moved yet.
 */
async function factsOf(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<Map<string, Facts>> {
  const facts = new Map<string, Facts>();
  for (const { actorId, outcome, attachment } of steps) {
    if (outcome === 'started') facts.set(actorId, { ...(attachment as TransactionAttachment), clockOffsetMs: 0 });
  }
  const missing = [...new Set(steps.map((step) => step.actorId))].filter((id) => !facts.has(id));
  if (missing.length === 0) return facts;
  const rows = await trx
    .selectFrom('transaction')
    .innerJoin('actor', 'actor.id', 'transaction.id')
    .select(['transaction.id', 'order_id', 'items', 'metadata', 'clock_offset_ms'])
    .where('transaction.id', 'in', missing)
    .execute();
  for (const row of rows) {
    facts.set(row.id, {
      orderId: row.order_id,
      // Only this folder writes them.
      items: row.items as Facts['items'],
      metadata: row.metadata as Facts['metadata'],
      clockOffsetMs: row.clock_offset_ms,
    });
  }
  return facts;
}

function eventOf(
  step: { readonly actorId: string; readonly at: number; readonly context: TransactionContext },
  notification: MerchantNotification,
  publicUrl: string,
  facts: Facts = { orderId: null, items: null, metadata: null, clockOffsetMs: 0 },
): NewWebhookEvent {
  const { context, at } = step;
  const id = paymentEventId(step.actorId, notification, context);
  return {
    id,
    actorId: step.actorId,
    merchantId: context.merchantId,
    transactionId: step.actorId,
    event: notification.event,
    mode: context.mode,
    body: paymentEventBody({ id, at, notification, context, publicUrl, facts }),
    createdAt: at - facts.clockOffsetMs,
  };
}
