import { PAYMENT_EVENTS } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';

const RECURRING_EVENTS = [
  'recurring.confirmed',
  'recurring.payment.completed',
  'recurring.payment.unpaid',
  'recurring.stopped',
] as const;

/** All event types that can be sent to a merchant. */
export const WEBHOOK_EVENT_TYPES = [...PAYMENT_EVENTS, ...RECURRING_EVENTS] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Event types of an endpoint that names none. Merchants know which payments they created. */
export const DEFAULT_SUBSCRIPTION: readonly WebhookEventType[] = WEBHOOK_EVENT_TYPES.filter(
  (type) => type !== 'payment.created',
);

/**
 * Validates a list of event types; null means the default. Throws `TerminalError`
 * `INVALID_WEBHOOK_EVENTS`.
 */
export function readSubscription(events: readonly string[] | null): readonly WebhookEventType[] {
  if (events === null) return DEFAULT_SUBSCRIPTION;
  const unknown = events.filter((event) => !isEventType(event));
  if (unknown.length > 0) {
    throw invalid(`${unknown.map((event) => JSON.stringify(event)).join(', ')} is not an event type`);
  }
  if (events.length === 0) throw invalid('A webhook endpoint needs at least one event type');
  return WEBHOOK_EVENT_TYPES.filter((type) => events.includes(type));
}

/** Validates one event type. Throws a `TerminalError` `INVALID_WEBHOOK_EVENTS`. */
export function readEventType(event: string): WebhookEventType {
  if (isEventType(event)) return event;
  throw invalid(`${JSON.stringify(event)} is not an event type`);
}

// Helpers

function isEventType(event: string): event is WebhookEventType {
  return (WEBHOOK_EVENT_TYPES as readonly string[]).includes(event);
}

function invalid(problem: string): TerminalError {
  return new TerminalError('INVALID_WEBHOOK_EVENTS', `${problem}; choose from ${WEBHOOK_EVENT_TYPES.join(', ')}`);
}
