import type { AttemptFailure } from '../../../machines/index.ts';
import { messageOf } from '../../errors.ts';
import { scrubText } from '../../log.ts';
import { BlockedAddressError } from '../guard/index.ts';

/** What became of one POST. */
export type PostResult =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure }
  /** This machine has no network or no name server: the receiver is not to blame. */
  | { readonly kind: 'own_fault'; readonly failure: AttemptFailure };

/** 2xx delivers. A redirect is not followed: what it points to was never agreed on. */
export function classifyStatus(status: number): PostResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const isRedirect = status >= 300 && status < 400;
  const detail = isRedirect
    ? `The endpoint answered ${status}, a redirect; webhooks follow none: set the final URL`
    : `The endpoint answered ${status}`;
  return { kind: 'failed', failure: { kind: isRedirect ? 'redirect' : 'status', status, detail } };
}

/** Why there was no answer. The detail has names, addresses and codes, never the path or query of the URL. */
export function classifyError(error: unknown): PostResult {
  const causes = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  const [first = error] = causes;
  const failure: AttemptFailure = { kind: failureKind(first), status: null, detail: detailOf(first) };
  return { kind: causes.every(isOwnFault) ? 'own_fault' : 'failed', failure };
}

/** The attempt took longer than it may. */
export function tooSlow(timeoutMs: number): PostResult {
  return {
    kind: 'failed',
    failure: { kind: 'timeout', status: null, detail: `No answer within ${timeoutMs / 1_000} s` },
  };
}

// Helpers

const MAX_DETAIL_CHARACTERS = 300;

/** No route, no local address, no file descriptor, or a name server that could not be asked. */
const OWN_FAULT_CODES = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'EAI_AGAIN']);

/** `getaddrinfo` of the system and `queryA`, `queryAaaa` of the name servers. */
const DNS_CALL = /^(?:getaddrinfo|query|lookup)/;

const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

function isOwnFault(error: unknown): boolean {
  const { code = '', syscall = '' } = error as Partial<NodeJS.ErrnoException>;
  return OWN_FAULT_CODES.has(code) || (code === 'ECONNREFUSED' && DNS_CALL.test(syscall));
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
  return scrubText(detail).slice(0, MAX_DETAIL_CHARACTERS);
}
