import { describe, expect, it } from 'vitest';
import {
  PAYMENT_EVENTS,
  paymentStatusOf,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATUSES,
} from '../../../machines/index.ts';

describe('the statuses a merchant sees', () => {
  it('are those of the API', () => {
    expect([...TRANSACTION_STATUSES].sort()).toEqual(
      ['pending', 'awaiting_confirmation', 'completed', 'partial', 'expired', 'failed'].sort(),
    );
    expect([...TRANSACTION_EXCEPTIONS]).toEqual(['paid_late', 'needs_review']);
    const events = ['created', 'pending', 'completed', 'overpaid', 'partial', 'expired', 'failed', 'paid_late'];
    expect([...PAYMENT_EVENTS]).toEqual([...events, 'needs_review'].map((name) => `payment.${name}`));
  });

  it.each([
    ['mempool', null, 'detected'],
    ['block', null, 'confirming'],
    ['block', 1, 'confirmed'],
    ['gone', null, 'replaced'],
  ] as const)('for coins in %s, verified at %s, are %s', (presence, confirmedAt, status) => {
    expect(paymentStatusOf({ presence, confirmedAt })).toBe(status);
  });
});
