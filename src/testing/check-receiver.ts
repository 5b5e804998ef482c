import { isDeepStrictEqual } from 'node:util';
import type { TransactionException, TransactionStatus } from '../../machines/index.ts';
import type { PaymentWebhook } from '../client/index.ts';
import type { Delivery } from './deliveries.ts';
import { type PaymentHistory, paymentHistories } from './history.ts';
import type { PaymentStep } from './payment-simulation.ts';
import { type CheckOptions, runTrial, type Trial, type WebhookTaker } from './trial.ts';

/** Your receiver, as the test kit uses it. */
export interface ReceiverUnderTest extends WebhookTaker {
  /** Your shop's current state of a payment; null if it knows nothing about it. */
  outcomeOf(transactionId: string): Promise<ReceiverOutcome | null> | ReceiverOutcome | null;
}

/**
 * Sends random but possible webhooks to a receiver, forged ones among them, several at a time, and
 * compares its final state with that of a correct receiver. `start` creates a receiver without any
 * state for each run. Rejects with the shortest failing scenario it finds, described step by step.
 */
export async function checkReceiver(
  start: (secret: string) => Promise<ReceiverUnderTest> | ReceiverUnderTest,
  options: CheckOptions = {},
): Promise<void> {
  await runTrial(PAYMENTS, start, options);
}

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

// Helpers

const PAYMENTS: Trial<PaymentHistory, ReceiverUnderTest> = {
  histories: paymentHistories(),
  identify: ({ transactionId }) => transactionId,
  describe: ({ transactionId, steps }) => `${transactionId}: created${stepsInWords(steps)}`,
  async verify(receiver, { transactionId }, deliveries) {
    const [expected, actual] = [expectedOutcome(transactionId, deliveries), await receiver.outcomeOf(transactionId)];
    if (isDeepStrictEqual(actual, expected)) return;
    throw new Error(`The receiver ends ${transactionId} with ${show(actual)}, a correct one with ${show(expected)}`);
  },
};

function show(outcome: ReceiverOutcome | null): string {
  return outcome === null ? 'nothing' : JSON.stringify(outcome);
}

/** Describes what was done to a payment, for an error message. */
function stepsInWords(steps: readonly PaymentStep[]): string {
  return steps.map(inWords).join('');
}

function inWords(step: PaymentStep): string {
  switch (step.act) {
    case 'pay':
      return `, pay ${step.what}`;
    case 'wait':
      return `, wait ${step.minutes} min`;
    case 'decide':
      return `, merchant ${step.accepts ? 'accepts' : 'declines'}`;
    case 'mine':
    case 'confirm_deeply':
    case 'double_spend':
    case 'reorganise':
    case 'drop_balance':
    case 'close':
      return `, ${step.act}`;
  }
}
