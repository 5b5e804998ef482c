import { WebhookError } from './errors.ts';
import type { PaymentWebhook, RecurringWebhook } from './operations.ts';

/** Events that this client version does not know. Respond with 2xx. */
export interface OtherWebhook {
  readonly id: string;
  readonly event: `recurring.${string}`;
  readonly mode: 'live' | 'test';
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** Discriminated by `event`. */
export type WebhookEvent = PaymentWebhook | RecurringWebhook | OtherWebhook;

/** True for the events of payments. */
export function isPaymentEvent(event: WebhookEvent): event is PaymentWebhook {
  return event.event.startsWith('payment.');
}

/** True for events of recurring payment requests. Their payments send payment events. */
export function isRecurringEvent(event: WebhookEvent): event is RecurringWebhook {
  return isRecurring(event.event);
}

/**
 * Parses a body with a valid signature. Throws `WebhookError` `PAYLOAD_INVALID` when it is not an
 * event.
 */
export function readEvent(rawBody: Uint8Array): WebhookEvent {
  const body = parse(rawBody);
  const isEvent = isRecord(body) && isText(body.id) && isText(body.event) && isText(body.timestamp);
  if (isEvent && isMode(body.mode) && isWhole(String(body.event), body)) {
    // Signed by the service, so the remaining fields are trusted; those needed to dispatch were
    // checked.
    return body as unknown as WebhookEvent;
  }
  throw new WebhookError('PAYLOAD_INVALID', 'The signature is valid, but the body is not an event of the service.');
}

// Helpers

/** Exhaustive over the typed events. */
const RECURRING: Readonly<Record<RecurringWebhook['event'], true>> = {
  'recurring.confirmed': true,
  'recurring.payment.completed': true,
  'recurring.payment.unpaid': true,
  'recurring.stopped': true,
};

function isRecurring(event: string): boolean {
  return Object.hasOwn(RECURRING, event);
}

function isWhole(event: string, body: Readonly<Record<string, unknown>>): boolean {
  const { status, sequence } = body;
  const isAbout = (id: unknown) => isText(id) && isText(status) && Number.isSafeInteger(sequence);
  if (event.startsWith('payment.')) return isAbout(body.transaction_id);
  return !isRecurring(event) || isAbout(body.schedule_id);
}

function isMode(value: unknown): boolean {
  return value === 'live' || value === 'test';
}

function parse(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(rawBody).toString('utf8'));
  } catch {
    // `readEvent` rejects it.
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
