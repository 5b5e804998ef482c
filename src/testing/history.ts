import fc from 'fast-check';
import {
  type PaymentEvent,
  publicStateOf,
  type TransactionException,
  type TransactionStatus,
  type TransactionTerms,
  type UnixMs,
} from '../../machines/index.ts';
import { paymentEventBody } from '../payments/index.ts';
import { webhookEventId } from '../webhooks/index.ts';
import { startActor } from './actor.ts';
import { paymentTerms } from './terms.ts';
import { createWorld, type WorldStep } from './world.ts';

/** One event of a payment, with the bytes the service would store and send for it. */
export interface HistoryEvent {
  readonly id: string;
  readonly event: PaymentEvent;
  /** Place among the events of its payment: 1, 2, 3 … */
  readonly sequence: number;
  readonly at: UnixMs;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  /** The exact JSON text. */
  readonly body: string;
}

/** What happened to one payment, from its creation on. */
export interface PaymentHistory {
  readonly transactionId: string;
  /** All of them, in the order of `sequence`. */
  readonly events: readonly HistoryEvent[];
  /** What `GET /transactions/{transaction_id}` says in the end. Some changes are told by no event. */
  readonly final: { readonly status: TransactionStatus; readonly exception: TransactionException | null };
  /** What was done to it. */
  readonly steps: readonly WorldStep[];
}

const MAX_STEPS = 12;
const PUBLIC_URL = 'https://pay.example.com';

/**
 * Histories that can really happen: random customers, chains, delays and merchants act on the chart the service runs, so each
 * history is one of its walks. They shrink to short ones.
 */
export function paymentHistories(): fc.Arbitrary<PaymentHistory> {
  return fc.tuple(paymentTerms, fc.array(worldStep, { maxLength: MAX_STEPS, size: 'max' })).map(walk);
}

// Helpers

const worldStep: fc.Arbitrary<WorldStep> = fc.oneof(
  { weight: 6, arbitrary: pays('rest', 'half', 'too_much', 'dust') },
  { weight: 6, arbitrary: acts('bury', 'mine') },
  { weight: 4, arbitrary: acts('double_spend', 'reorganise', 'drop_balance', 'close') },
  { weight: 2, arbitrary: fc.constantFrom(5, 45, 240, 1_500).map((minutes) => ({ act: 'wait' as const, minutes })) },
  { weight: 2, arbitrary: fc.boolean().map((accepts) => ({ act: 'decide' as const, accepts })) },
);

function pays(...amounts: Extract<WorldStep, { act: 'pay' }>['what'][]): fc.Arbitrary<WorldStep> {
  return fc.constantFrom(...amounts).map((what) => ({ act: 'pay' as const, what }));
}

function acts(
  ...what: ('mine' | 'bury' | 'double_spend' | 'reorganise' | 'drop_balance' | 'close')[]
): fc.Arbitrary<WorldStep> {
  return fc.constantFrom(...what).map((act) => ({ act }));
}

function walk([terms, steps]: [TransactionTerms, WorldStep[]]): PaymentHistory {
  const { transactionId } = terms;
  const events: HistoryEvent[] = [];
  const actor = startActor(terms, (notification, context, at) => {
    const { event, status, exception, sequence } = notification;
    const id = webhookEventId(transactionId, sequence);
    const facts = { orderId: null, metadata: { order: transactionId.slice(-4) } };
    const body = paymentEventBody({ id, at, notification, context, facts, publicUrl: PUBLIC_URL });
    events.push({ id, event, sequence, at, status, exception, body });
  });
  const world = createWorld(actor);
  for (const step of steps) world.take(step);
  return { transactionId, events, final: publicStateOf(actor.state), steps };
}
