import fc from 'fast-check';
import {
  type PaymentEvent,
  publicStateOf,
  type TransactionException,
  type TransactionStatus,
  type TransactionTerms,
} from '../../machines/index.ts';
import { paymentEventBody, paymentEventId } from '../payments/index.ts';
import { type PaymentActor, startActor } from './actor.ts';
import type { RecordedEvent, RecordedHistory } from './event.ts';
import { createPaymentSimulation, type PaymentStep } from './payment-simulation.ts';
import { paymentTerms } from './terms.ts';

export interface HistoryEvent extends RecordedEvent {
  readonly event: PaymentEvent;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
}

/** The history of one payment, from its creation. */
export interface PaymentHistory extends RecordedHistory {
  readonly transactionId: string;
  /** All of them, ordered by `sequence`. */
  readonly events: readonly HistoryEvent[];
  /** The final result of `GET /transactions/{transaction_id}`. Some changes raise no event. */
  readonly final: { readonly status: TransactionStatus; readonly exception: TransactionException | null };
  /** The steps that were applied. */
  readonly steps: readonly PaymentStep[];
}

const MAX_STEPS = 12;
const PUBLIC_URL = 'https://pay.example.com';

/**
 * Generates histories that can really happen: random customers, chains, delays and merchants act on
 * the same chart as the service. Shrinks to short ones.
 */
export function paymentHistories(): fc.Arbitrary<PaymentHistory> {
  return fc.tuple(paymentTerms, fc.array(worldStep, { maxLength: MAX_STEPS, size: 'max' })).map(walk);
}

/** Starts a payment. Appends its events to `events` as they happen, from the creation on. */
export function startRecordedPayment(
  terms: TransactionTerms,
  metadata: Readonly<Record<string, unknown>>,
  events: HistoryEvent[],
): PaymentActor {
  return startActor(terms, (notification, context, at) => {
    const { event, status, exception, sequence } = notification;
    const id = paymentEventId(terms.transactionId, notification, context);
    const details = { orderId: null, metadata };
    const body = paymentEventBody({ id, at, notification, context, details, publicUrl: PUBLIC_URL });
    events.push({ id, event, mode: context.mode, sequence, at, status, exception, body });
  });
}

// Helpers

const worldStep: fc.Arbitrary<PaymentStep> = fc.oneof(
  { weight: 6, arbitrary: pays('rest', 'half', 'too_much', 'dust') },
  { weight: 6, arbitrary: acts('confirm_deeply', 'mine') },
  { weight: 4, arbitrary: acts('double_spend', 'reorganise', 'drop_balance', 'close') },
  { weight: 2, arbitrary: fc.constantFrom(5, 45, 240, 1_500).map((minutes) => ({ act: 'wait' as const, minutes })) },
  { weight: 2, arbitrary: fc.boolean().map((accepts) => ({ act: 'decide' as const, accepts })) },
);

function pays(...amounts: Extract<PaymentStep, { act: 'pay' }>['what'][]): fc.Arbitrary<PaymentStep> {
  return fc.constantFrom(...amounts).map((what) => ({ act: 'pay' as const, what }));
}

function acts(
  ...what: ('mine' | 'confirm_deeply' | 'double_spend' | 'reorganise' | 'drop_balance' | 'close')[]
): fc.Arbitrary<PaymentStep> {
  return fc.constantFrom(...what).map((act) => ({ act }));
}

function walk([terms, steps]: [TransactionTerms, PaymentStep[]]): PaymentHistory {
  const { transactionId } = terms;
  const events: HistoryEvent[] = [];
  const actor = startRecordedPayment(terms, { order: transactionId.slice(-4) }, events);
  const simulation = createPaymentSimulation(actor);
  for (const step of steps) simulation.take(step);
  return { transactionId, events, final: publicStateOf(actor.state), steps };
}
