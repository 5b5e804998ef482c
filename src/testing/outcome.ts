import type { TransactionException, TransactionStatus } from '../../machines/index.ts';
import type { PaymentWebhook } from '../client/index.ts';
import type { Delivery } from './deliveries.ts';

/** What a shop makes of a payment from its webhooks alone. */
export interface ReceiverOutcome {
  readonly status: TransactionStatus;
  /** Null when the payment does not wait for the merchant. */
  readonly exception: TransactionException | null;
  /** How often the goods were handed over: once when a payment.completed came, however often it came. */
  readonly fulfilled: number;
}

/**
 * What a correct receiver ends with, after all of these deliveries, whatever their order: each event counts once, the one with
 * the highest `sequence` tells the state, and payment.completed hands over the goods. Null when nothing was told about the
 * payment.
 */
export function expectedOutcome(transactionId: string, deliveries: readonly Delivery[]): ReceiverOutcome | null {
  const told = deliveries
    .map(({ event }) => JSON.parse(event.body) as PaymentWebhook)
    .filter((payload) => payload.transaction_id === transactionId);
  const [first] = told;
  if (first === undefined) return null;
  const newest = told.reduce((best, next) => (next.sequence > best.sequence ? next : best), first);
  return {
    status: newest.status,
    exception: newest.exception ?? null,
    fulfilled: told.some(({ event }) => event === 'payment.completed') ? 1 : 0,
  };
}
