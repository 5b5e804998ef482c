import type { MerchantSettled, TransactionException, TransactionStatus } from '../../../machines/index.ts';
import type { AttentionKind } from '../attention/attention-of.ts';

/** The decisions a merchant can make about a payment that waits for one. */
export const DECISIONS = ['mark_paid', 'dismiss', 'confirm', 'reject'] as const;
export type PaymentDecision = (typeof DECISIONS)[number];

export const DECISION_EVENTS = {
  mark_paid: 'merchant.marked_paid',
  dismiss: 'merchant.dismissed',
  confirm: 'merchant.confirmed',
  reject: 'merchant.rejected',
} as const satisfies { readonly [D in PaymentDecision]: string };

/** A decision as stored in the journal. */
export interface DecisionEvent {
  readonly type: (typeof DECISION_EVENTS)[PaymentDecision];
  /** An opaque id of a user, or of an API key. */
  readonly by: string;
  readonly reason?: string;
}

const EVENT_TYPES: ReadonlySet<unknown> = new Set(Object.values(DECISION_EVENTS));

export function isDecision(event: object): event is DecisionEvent {
  return 'type' in event && EVENT_TYPES.has(event.type) && 'by' in event && typeof event.by === 'string';
}

/** A user has dealt with coins of a payment that is still watched, as stored in the journal. */
export interface SettlementEvent
  extends Pick<MerchantSettled, 'type' | 'outputIds' | 'surplusBaseUnits' | 'lossBaseUnits'> {
  /** An opaque user id. */
  readonly by: string;
  /** What was done. */
  readonly reason: string;
  /** The item that the user has settled. */
  readonly kind: AttentionKind;
}

export function isSettlement(event: object): event is SettlementEvent {
  return 'type' in event && event.type === 'merchant.settled' && 'by' in event && typeof event.by === 'string';
}

/** Ids of the events that operators send begin with it. */
export const OPERATOR_EVENT_PREFIX = 'operator:';

export function isByOperator(eventId: string): boolean {
  return eventId.startsWith(OPERATOR_EVENT_PREFIX);
}

/** The possible decisions in this status: two while it waits for a person, else none. */
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
