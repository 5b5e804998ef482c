import { WebhookError } from './errors.ts';
import type { PaymentWebhook } from './operations.ts';

/** Events of other kinds than payments. Take those you know, and answer 2xx to the others. */
export interface OtherWebhook {
  readonly id: string;
  readonly event: `recurring.${string}`;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** `event` tells which one it is. */
export type WebhookEvent = PaymentWebhook | OtherWebhook;

/** True for the events of payments. */
export function isPaymentEvent(event: WebhookEvent): event is PaymentWebhook {
  return event.event.startsWith('payment.');
}

/** Reads a body whose signature was right. Throws `WebhookError` `PAYLOAD_INVALID` when it is no event all the same. */
export function readEvent(rawBody: Uint8Array): WebhookEvent {
  const body = parse(rawBody);
  const isEvent = isRecord(body) && isText(body.id) && isText(body.event) && isText(body.timestamp);
  if (isEvent && (!String(body.event).startsWith('payment.') || isPayment(body))) {
    // Signed by the service, which writes nothing else; the fields that are decided by were looked at.
    return body as unknown as WebhookEvent;
  }
  throw new WebhookError('PAYLOAD_INVALID', 'The signature is right, but the body is no event of the service.');
}

// Helpers

function parse(rawBody: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(rawBody).toString('utf8'));
  } catch {
    // Refused by its reader.
    return undefined;
  }
}

function isPayment({ transaction_id: id, status, sequence }: Readonly<Record<string, unknown>>): boolean {
  return isText(id) && isText(status) && Number.isSafeInteger(sequence);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
