import { timingSafeEqual } from 'node:crypto';
import { WebhookError } from './errors.ts';
import { SIGNATURE_HEADERS, serviceSignature, standardSignature } from './signatures.ts';
import { readEvent, type WebhookEvent } from './webhook-event.ts';

/** Request headers as provided by `node:http`, Express, Fastify or `fetch`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface VerifyOptions {
  /**
   * The mode your endpoint expects: events of the other mode are rejected. `both` accepts either;
   * then check the event's `mode` before you fulfil an order.
   */
  readonly mode: 'live' | 'test' | 'both';
  /**
   * Maximum difference between `webhook-timestamp` and now, past or future, in seconds. Default
   * 300.
   */
  readonly toleranceSeconds?: number;
  /** Rejects requests with `X-Service-Signature` only, which has no timestamp. */
  readonly requireTimestamp?: boolean;
  /** Current time in Unix ms. */
  readonly now?: () => number;
}

const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook over its raw bytes and returns the event. It must carry `X-Service-Signature`,
 * or the three headers of Standard Webhooks with a current timestamp, or both, and then both must
 * be valid. While a secret is rotated with overlap, `webhook-signature` contains two signatures:
 * one of them must be valid, and `X-Service-Signature` must be valid only if it is the only one.
 * Signatures are compared in constant time. The event must have the expected mode: anyone with a
 * publishable test key can cause test events of any amount. Throws `WebhookError` otherwise;
 * respond with 400 then.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions,
): WebhookEvent {
  const bytes = bytesOf(rawBody);
  const service = headerOf(headers, SIGNATURE_HEADERS.service);
  const standard = headerOf(headers, SIGNATURE_HEADERS.standard);
  if (secret === '') throw new WebhookError('SECRET_INVALID', 'The webhook secret is empty; check the setting.');
  if (service === null && standard === null) throw missing('X-Service-Signature and webhook-signature');
  if (standard === null && options.requireTimestamp === true) throw missing('webhook-signature');

  // During a rotation with overlap there are several signatures, and `X-Service-Signature` is made
  // with the new secret only.
  const standards = standard?.split(' ') ?? [];
  const isService = service === null || isSame(serviceSignature(secret, bytes), service);
  if (!isService && standards.length < 2) throw wrong('X-Service-Signature');
  if (standard === null) return requireMode(readEvent(bytes), options.mode);
  const id = required(headers, SIGNATURE_HEADERS.id);
  const timestamp = required(headers, SIGNATURE_HEADERS.timestamp);
  const expected = standardSignature(secret, { id, timestamp, rawBody: bytes });
  if (!standards.some((each) => isSame(expected, each))) throw wrong('webhook-signature');
  checkTimestamp(timestamp, options);
  const event = readEvent(bytes);
  if (event.id === id) return requireMode(event, options.mode);
  throw new WebhookError('PAYLOAD_INVALID', 'webhook-id is not the id of the body.');
}

// Helpers

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return Buffer.from(rawBody, 'utf8');
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new WebhookError(
    'BODY_NOT_RAW',
    'The raw body is required, as text or bytes; JSON that was parsed and serialised again has another signature.',
  );
}

/**
 * Header names are case-insensitive. A header sent twice is joined into one value, which matches no
 * signature.
 */
function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (isGetter(headers)) return headers.get(name);
  const found = Object.entries(headers).find(([key, value]) => key.toLowerCase() === name && value !== undefined);
  return found === undefined ? null : [found[1]].flat().join(', ');
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value === null) throw missing(name);
  return value;
}

function checkTimestamp(text: string, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(text)) throw new WebhookError('TIMESTAMP_INVALID', 'webhook-timestamp is not Unix seconds.');
  const apart = Math.abs(Math.floor(now() / 1_000) - Number(text));
  if (apart <= toleranceSeconds) return;
  throw new WebhookError(
    'TIMESTAMP_OUT_OF_RANGE',
    `webhook-timestamp is ${apart} seconds off: the request is a replay, or a clock is wrong.`,
  );
}

function requireMode(event: WebhookEvent, mode: VerifyOptions['mode']): WebhookEvent {
  if (mode === 'both' || event.mode === mode) return event;
  throw new WebhookError('MODE_WRONG', `This is a ${event.mode} event; only ${mode} events are expected.`);
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function missing(names: string): WebhookError {
  return new WebhookError('SIGNATURE_MISSING', `The request has no ${names}.`);
}

function wrong(name: string): WebhookError {
  return new WebhookError('SIGNATURE_WRONG', `${name} is invalid: wrong secret, or not the raw body.`);
}
