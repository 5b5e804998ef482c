import { expect } from 'vitest';
import type { TestApp } from '../support/service/app.ts';

/**
 * Scenarios of a test payment: together they reach every status, exception and payment event of the
 * interface.
 */
export interface Scenario {
  readonly name: string;
  readonly crypto?: string;
  readonly steps: readonly (readonly [action: string, more?: Readonly<Record<string, unknown>>])[];
  readonly status: string;
  readonly exception?: string;
  /** All its events, in order. */
  readonly events: readonly string[];
}

const AFTER_WINDOW = { seconds: 31 * 60 };
const NEXT_DAY = { seconds: 24 * 60 * 60 };

export const SCENARIOS: readonly Scenario[] = [
  { name: 'not paid', steps: [], status: 'pending', events: ['created'] },
  { name: 'paid in part', steps: [['pay_partial']], status: 'partial', events: ['created', 'partial'] },
  {
    name: 'paid, not confirmed',
    steps: [['pay']],
    status: 'awaiting_confirmation',
    events: ['created', 'pending'],
  },
  {
    name: 'paid and confirmed',
    steps: [['pay'], ['confirm']],
    status: 'completed',
    events: ['created', 'pending', 'completed'],
  },
  {
    name: 'overpaid',
    steps: [['overpay'], ['confirm']],
    status: 'completed',
    events: ['created', 'pending', 'completed', 'overpaid'],
  },
  {
    name: 'not paid in time',
    steps: [['advance_clock', AFTER_WINDOW]],
    status: 'expired',
    events: ['created', 'expired'],
  },
  {
    name: 'never confirmed',
    steps: [['pay'], ['advance_clock', AFTER_WINDOW], ['advance_clock', NEXT_DAY]],
    status: 'failed',
    events: ['created', 'pending', 'failed'],
  },
  {
    name: 'paid late',
    steps: [['pay_late']],
    status: 'expired',
    exception: 'paid_late',
    events: ['created', 'expired', 'paid_late'],
  },
  {
    name: 'a balance that dropped',
    crypto: 'ETH',
    steps: [['drop_balance']],
    status: 'pending',
    exception: 'needs_review',
    events: ['created', 'needs_review'],
  },
  {
    name: 'replaced by a double spend',
    steps: [['pay'], ['double_spend']],
    status: 'pending',
    events: ['created', 'pending'],
  },
];

/** Plays a scenario on a new transaction, and returns its id. */
export async function runScenario(
  app: TestApp,
  key: string,
  { crypto = 'LTC', steps, status, exception }: Scenario,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  let transaction = await app.create(key, { crypto, ...more });
  const { transaction_id: id } = transaction;
  for (const [action, parameters] of steps) transaction = await app.simulate(key, id, action, parameters);
  expect(transaction.status).toBe(status);
  expect(transaction.exception).toBe(exception);
  return id;
}
