import type { TransactionException, TransactionStatus } from '../../machines/index.ts';

/** What a merchant can decide about a payment that waits for it. */
export const DECISIONS = ['mark_paid', 'dismiss', 'confirm', 'reject'] as const;
export type PaymentDecision = (typeof DECISIONS)[number];

/** The event that carries each out. */
export const DECISION_EVENTS = {
  mark_paid: 'merchant.marked_paid',
  dismiss: 'merchant.dismissed',
  confirm: 'merchant.confirmed',
  reject: 'merchant.rejected',
} as const satisfies { readonly [D in PaymentDecision]: string };

/** A decision as the journal has it. */
export interface DecisionEvent {
  readonly type: (typeof DECISION_EVENTS)[PaymentDecision];
  /** An opaque id of a user, or of the key of a program. */
  readonly by: string;
  readonly reason?: string;
}

const EVENT_TYPES: ReadonlySet<unknown> = new Set(Object.values(DECISION_EVENTS));

export function isDecision(event: object): event is DecisionEvent {
  return 'type' in event && EVENT_TYPES.has(event.type) && 'by' in event && typeof event.by === 'string';
}

/** What can be decided about a payment as it stands: two things while it waits for a person, else nothing. */
export function decisionsFor(payment: {
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
}): readonly PaymentDecision[] {
  switch (payment.exception) {
    case 'paid_late':
      return ['mark_paid', 'dismiss'];
    case 'needs_review':
      return ['confirm', 'reject'];
    case null:
      return [];
  }
}
