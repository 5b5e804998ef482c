import { createHmac } from 'node:crypto';
import type { ReceivedWebhook } from '../support/outside/receiver.ts';
import { type FieldTable, violations } from './check.ts';
import { KNOWN_WEBHOOK_HEADERS, WEBHOOK_HEADERS } from './tables/webhook.ts';

export interface KnownEndpoint {
  readonly id: string;
  readonly secret: string;
}

/**
 * Checks a delivery against the tables of headers and payload. Returns the violations; empty when
 * there are none.
 */
export function walkDelivery(
  { headers, body }: ReceivedWebhook,
  { id, secret }: KnownEndpoint,
  payload: FieldTable,
): string[] {
  const event = JSON.parse(body) as { readonly event: string };
  const hmac = createHmac('sha256', secret).update(body).digest('hex');
  const expected = {
    'x-service-signature': `sha256=${hmac}`,
    'x-service-event': event.event,
    'x-webhook-id': id,
  } as const;
  return [
    ...violations(event, { fields: payload }),
    ...Object.entries(WEBHOOK_HEADERS).flatMap(([name, pattern]) => {
      const value = headers[name.toLowerCase()];
      return pattern.test(String(value)) ? [] : [`the header ${name} is ${String(value)}`];
    }),
    ...Object.entries(expected).flatMap(([name, value]) =>
      headers[name] === value ? [] : [`${name} is not ${value}`],
    ),
    ...Object.keys(headers).flatMap((name) =>
      KNOWN_WEBHOOK_HEADERS.includes(name) ? [] : [`the header ${name} is not part of the interface`],
    ),
  ];
}
