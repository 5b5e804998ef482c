import { createHmac } from 'node:crypto';
import { WebhookError } from './errors.ts';

/** Headers used to verify a webhook. */
export const SIGNATURE_HEADERS = {
  service: 'x-service-signature',
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  standard: 'webhook-signature',
} as const;

/**
 * Returns `X-Service-Signature`: `sha256=` and the HMAC-SHA256 (RFC 2104) of the raw body in
 * lower-case hex. The key is the whole secret as text.
 */
export function serviceSignature(secret: string, rawBody: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}

/**
 * Returns `webhook-signature` of Standard Webhooks 1.0.0: `v1,` and the HMAC-SHA256 of
 * `id.timestamp.body` in base64. The key is the base64-decoded part after `whsec_`. Throws
 * `WebhookError` `SECRET_INVALID`.
 */
export function standardSignature(
  secret: string,
  { id, timestamp, rawBody }: { readonly id: string; readonly timestamp: string; readonly rawBody: Uint8Array },
): string {
  const signed = createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(rawBody);
  return `v1,${signed.digest('base64')}`;
}

// Helpers

const PREFIX = 'whsec_';
const KEY_BYTES = 32;

function standardKey(secret: string): Uint8Array {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (secret.startsWith(PREFIX) && key.length === KEY_BYTES) return key;
  throw new WebhookError('SECRET_INVALID', 'A webhook secret is whsec_ and base64 of 32 bytes; check the setting.');
}
