import { isDeepStrictEqual } from 'node:util';
import { type PaymentHistory, paymentHistories } from './history.ts';
import { expectedOutcome, type ReceiverOutcome } from './outcome.ts';
import { stepsInWords } from './steps-in-words.ts';
import { type CheckOptions, runTrial, type Trial, type WebhookTaker } from './trial.ts';

/** Your receiver, as the kit sees it. */
export interface ReceiverUnderTest extends WebhookTaker {
  /** What your shop believes about a payment now; null when it has never heard of it. */
  outcomeOf(transactionId: string): Promise<ReceiverOutcome | null> | ReceiverOutcome | null;
}

/**
 * Sends random but possible webhooks to a receiver, forged ones among them, several at a time, and compares what it ends with
 * to what a correct one ends with. `start` makes a receiver that knows nothing yet, for each run. Rejects with the shortest
 * scenario it finds in which the receiver is wrong, told step by step.
 */
export async function checkReceiver(
  start: (secret: string) => Promise<ReceiverUnderTest> | ReceiverUnderTest,
  options: CheckOptions = {},
): Promise<void> {
  await runTrial(PAYMENTS, start, options);
}

// Helpers

const PAYMENTS: Trial<PaymentHistory, ReceiverUnderTest> = {
  histories: paymentHistories(),
  identify: ({ transactionId }) => transactionId,
  tell: ({ transactionId, steps }) => `${transactionId}: created${stepsInWords(steps)}`,
  async judge(receiver, { transactionId }, deliveries) {
    const [expected, actual] = [expectedOutcome(transactionId, deliveries), await receiver.outcomeOf(transactionId)];
    if (isDeepStrictEqual(actual, expected)) return;
    throw new Error(`The receiver ends ${transactionId} with ${show(actual)}, a correct one with ${show(expected)}`);
  },
};

function show(outcome: ReceiverOutcome | null): string {
  return outcome === null ? 'nothing' : JSON.stringify(outcome);
}
