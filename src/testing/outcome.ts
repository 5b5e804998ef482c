import type { TransactionException, TransactionStatus } from '../../machines/index.ts';
import type { PaymentWebhook } from '../client/index.ts';
import type { Delivery } from './deliveries.ts';

/** State of a payment in a shop that knows only its webhooks. */
export interface ReceiverOutcome {
  readonly status: TransactionStatus;
  /** Null when no decision by the merchant is pending. */
  readonly exception: TransactionException | null;
  /** How often the goods were released: once if payment.completed arrived, however often. */
  readonly fulfilled: number;
}

/**
 * State of a correct receiver after all of these deliveries, in any order: each event counts once,
 * the one with the highest `sequence` determines the state, and payment.completed releases the
 * goods. Null without an event of the payment.
 */
export function expectedOutcome(transactionId: string, deliveries: readonly Delivery[]): ReceiverOutcome | null {
  const received = deliveries
    .map(({ event }) => JSON.parse(event.body) as PaymentWebhook)
    .filter((payload) => payload.transaction_id === transactionId);
  const [first] = received;
  if (first === undefined) return null;
  const newest = received.reduce((best, next) => (next.sequence > best.sequence ? next : best), first);
  return {
    status: newest.status,
    exception: newest.exception ?? null,
    fulfilled: received.some(({ event }) => event === 'payment.completed') ? 1 : 0,
  };
}
