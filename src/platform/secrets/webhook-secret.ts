import { randomBytes } from 'node:crypto';
import { TerminalError } from '../errors.ts';

/** The HMAC-SHA256 keys of one webhook secret. */
export interface WebhookSigningKeys {
  /**
   * For X-Service-Signature: the whole secret as shown, `whsec_` included, as UTF-8 bytes, so that
   * a merchant can pass the secret to an HMAC function as it is.
   */
  readonly service: Uint8Array;
  /** For webhook-signature (Standard Webhooks 1.0.0): the decoded base64 after `whsec_`. */
  readonly standard: Uint8Array;
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new webhook secret in Standard Webhooks format: `whsec_` and base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The keys of a secret. Throws a `TerminalError` WEBHOOK_SECRET_INVALID if it is malformed. */
export function webhookSigningKeys(secret: string): WebhookSigningKeys {
  const standard = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (!secret.startsWith(PREFIX) || standard.length !== SECRET_BYTES) {
    throw new TerminalError(
      'WEBHOOK_SECRET_INVALID',
      'A stored webhook secret is not "whsec_" followed by base64 of 32 bytes; regenerate the secret of that endpoint.',
    );
  }
  return { service: new Uint8Array(Buffer.from(secret, 'utf8')), standard: new Uint8Array(standard) };
}
