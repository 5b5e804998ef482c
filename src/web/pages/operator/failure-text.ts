import type { AttemptFailure, DeliveryContext } from '../../../../machines/index.ts';
import type { ActorDetail } from '../../../http/console/operator/schemas.ts';

interface Failure extends Omit<AttemptFailure, 'kind'> {
  readonly kind: string;
}

/** Why an attempt to deliver a webhook failed: its HTTP status, or words with the error code. */
export function failureText({ kind, status, detail }: Failure): string {
  if (status !== null) return `HTTP ${status}`;
  const code = ERROR_CODE.exec(detail)?.[0];
  const words = CODE_WORDS[code ?? ''] ?? KIND_WORDS[kind] ?? kind;
  return code === undefined ? words : `${words} (${code})`;
}

/** Why the last attempt of a delivery failed; empty for other actors, and without a failure. */
export function lastAttemptText({ kind, state, context }: Pick<ActorDetail, 'kind' | 'state' | 'context'>): string {
  if (kind !== 'delivery' || state === 'delivered') return '';
  // Written by any version of the chart.
  const { lastFailure } = context as Partial<DeliveryContext>;
  return lastFailure === undefined || lastFailure === null ? '' : `Last attempt: ${failureText(lastFailure)}.`;
}

// Helpers

/** Codes of Node.js, OpenSSL and undici, such as `ECONNREFUSED`. */
const ERROR_CODE = /\b[A-Z][A-Z0-9_]{4,}\b/;

const CODE_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
};

const KIND_WORDS: Readonly<Record<string, string>> = {
  timeout: 'no response in time',
  connection: 'no connection',
  tls: 'invalid certificate',
  dns: 'host name does not resolve',
  blocked: 'address not allowed',
  secret_unreadable: 'secret unreadable, nothing was sent',
  endpoint_gone: 'endpoint disabled or deleted, nothing was sent',
  held_back: 'sending paused after many failures, nothing was sent',
};
