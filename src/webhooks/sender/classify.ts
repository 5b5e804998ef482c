import type { AttemptFailure } from '../../../machines/index.ts';
import { messageOf } from '../../platform/errors.ts';
import { scrubText } from '../../platform/log.ts';
import { BlockedAddressError } from '../guard/address-guard.ts';
import { storableText } from './storable-text.ts';

export type PostResult =
  | { readonly kind: 'delivered'; readonly status: number }
  /** `retryAfterMs` is the delay the receiver requested; null when it named none. */
  | { readonly kind: 'failed'; readonly failure: AttemptFailure; readonly retryAfterMs: number | null }
  /** This machine has no network or no name server: not the receiver's fault. */
  | { readonly kind: 'local_fault'; readonly failure: AttemptFailure };

/**
 * 2xx means delivered. Redirects are not followed: the merchant did not configure their target. A
 * 410 fails like any other status here; see `health/project-health.ts` for what else it does.
 */
export function classifyStatus(status: number, retryAfterMs: number | null): PostResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const isRedirect = status >= 300 && status < 400;
  const detail = isRedirect
    ? `The endpoint responded with ${status}, a redirect, which is not followed: set the final URL`
    : `The endpoint responded with ${status}`;
  return { kind: 'failed', failure: { kind: isRedirect ? 'redirect' : 'status', status, detail }, retryAfterMs };
}

/**
 * Classifies a request without a response. The detail has names, addresses and codes, never the
 * path or query of the URL.
 */
export function classifyError(error: unknown): PostResult {
  const causes = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  // With several addresses, one that this machine has no route to says nothing about the receiver.
  const cause = causes.find((each) => !isLocalFault(each)) ?? causes[0];
  const failure: AttemptFailure = { kind: failureKind(cause), status: null, detail: detailOf(cause) };
  return causes.every(isLocalFault)
    ? { kind: 'local_fault', failure }
    : { kind: 'failed', failure, retryAfterMs: null };
}

/** The attempt timed out; `stage` is what it was waiting for. */
export function tooSlow(timeoutMs: number, stage: keyof typeof WAITED_FOR): PostResult {
  const detail = `No response within ${timeoutMs / 1_000} s; timed out ${WAITED_FOR[stage]}`;
  return { kind: 'failed', failure: { kind: 'timeout', status: null, detail }, retryAfterMs: null };
}

// Helpers

const MAX_DETAIL_CHARACTERS = 300;

const WAITED_FOR = {
  dns: 'during the DNS lookup',
  connect: 'while connecting',
  tls: 'in the TLS handshake',
  response: 'waiting for the response after the request was sent',
} as const;

/** No route, no local address, no file descriptor, or a name server that could not be queried. */
const LOCAL_FAULT_CODES = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'EAI_AGAIN']);

/** `getaddrinfo` for the system resolver, `query` plus a record type for name servers. */
const DNS_CALL = /^(?:getaddrinfo|query|lookup)/;

const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

function isLocalFault(error: unknown): boolean {
  const { code = '', syscall = '' } = error as Partial<NodeJS.ErrnoException>;
  return LOCAL_FAULT_CODES.has(code) || (code === 'ECONNREFUSED' && DNS_CALL.test(syscall));
}

function failureKind(error: unknown): AttemptFailure['kind'] {
  if (error instanceof BlockedAddressError) return 'blocked';
  const { code = '', syscall = '' } = error as Partial<NodeJS.ErrnoException>;
  if (DNS_CALL.test(syscall)) return 'dns';
  if (TLS_CODE.test(code)) return 'tls';
  return TIMEOUT_CODES.has(code) ? 'timeout' : 'connection';
}

function detailOf(error: unknown): string {
  const { code = '' } = error as Partial<NodeJS.ErrnoException>;
  const message = messageOf(error);
  const detail = code === '' || message.includes(code) ? message : `${code}: ${message}`;
  return storableText(scrubText(detail), MAX_DETAIL_CHARACTERS);
}
