import { type Kysely, sql } from 'kysely';
import {
  type MerchantNotification,
  scheduleMachine,
  type TransactionContext,
  transactionMachine,
} from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { paymentEventId } from '../../payments/index.ts';
import { webhookEventId } from '../../webhooks/index.ts';
import type { PastMoment, StepDelivery } from '../types.ts';

/** The deliveries of the webhooks that one step of an actor caused, in their present state. */
export async function findStepDeliveries(
  db: Kysely<Database>,
  { id, kind }: { readonly id: string; readonly kind: string },
  { effects, context }: Pick<PastMoment, 'effects' | 'context'>,
): Promise<StepDelivery[]> {
  const eventIds = effects
    .filter(({ type }) => type === 'notifyMerchant')
    .map(({ params }) => {
      // The chart types the parameters of its effects; the ids of their webhooks are derived.
      if (kind === transactionMachine.id)
        return paymentEventId(id, params as MerchantNotification, context as TransactionContext);
      if (kind === scheduleMachine.id) return webhookEventId(id, params as Parameters<typeof webhookEventId>[1]);
      return null;
    });
  const wanted = eventIds.filter((eventId) => eventId !== null);
  if (wanted.length === 0) return [];
  const { rows } = await sql<StepDelivery>`
    select id, event, state, is_owed as "isOwed" from webhook_delivery
    where webhook_event_id = any(${wanted}::text[]) order by created_at, id limit ${MAX_DELIVERIES}`.execute(db);
  return rows;
}

// Helpers

/** More endpoints than a merchant may have. */
const MAX_DELIVERIES = 200;
