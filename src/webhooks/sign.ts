import { createHmac } from 'node:crypto';
import type { Mode, UnixMs } from '../../machines/index.ts';
import { webhookSigningKeys } from '../platform/secrets/index.ts';
import { VERSION } from '../platform/version.ts';

/**
 * `X-Service-Signature`: HMAC-SHA256 (RFC 2104) of the raw body in lower-case hex after `sha256=`.
 * The key is the whole secret as shown to the merchant.
 */
export function serviceSignature(key: Uint8Array, body: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

/**
 * `webhook-signature` of Standard Webhooks 1.0.0: HMAC-SHA256 of `id.timestamp.body` in base64
 * after `v1,`.
 */
export function standardSignature(
  key: Uint8Array,
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: string },
): string {
  const signed = `${id}.${timestampSeconds}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

export interface SignedRequest {
  /** The payload id: the same on every attempt. */
  readonly webhookEventId: string;
  readonly event: string;
  readonly mode: Mode;
  readonly body: string;
  readonly endpointId: string;
  readonly attempt: number;
  readonly at: UnixMs;
  /** The endpoint's secret in plain text, `whsec_…`. */
  readonly secret: string;
  /** The previous secret during a rotation overlap; otherwise omitted or null. */
  readonly previousSecret?: string | null;
}

/**
 * All headers of one attempt. Only the attempt number, the timestamp and the signature over it
 * differ between attempts.
 */
export function webhookHeaders(request: SignedRequest): Record<string, string> {
  const { webhookEventId: id, event, mode, body, endpointId, attempt, at, secret, previousSecret = null } = request;
  const keys = webhookSigningKeys(secret);
  const timestampSeconds = Math.floor(at / 1_000);
  const signing = previousSecret === null ? [keys] : [keys, webhookSigningKeys(previousSecret)];
  return {
    'content-type': 'application/json',
    'user-agent': `Quittance/${VERSION}`,
    'x-service-signature': serviceSignature(keys.service, body),
    'x-service-event': event,
    'x-service-mode': mode,
    'x-webhook-id': endpointId,
    'x-service-attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    // Space-separated list, as the specification defines for secret rotation.
    'webhook-signature': signing
      .map(({ standard }) => standardSignature(standard, { id, timestampSeconds, body }))
      .join(' '),
  };
}
