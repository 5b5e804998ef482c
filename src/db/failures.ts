import { RetryableError } from '../errors.ts';

/**
 * Says whether a database error will pass by itself.
 * - unavailable  connection trouble: whatever is asked, all fail
 * - conflict     between transactions: running the transaction again is enough
 * - transient    trouble of the server with one statement, as a rule gone when it is run again, but
 *   for some never
 * - other        a bug
 */
export type DatabaseFailure = 'unavailable' | 'conflict' | 'transient' | 'other';

/** PostgreSQL error codes, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CONFLICT_CODES = new Set(['40001', '40P01', '55P03']);
const UNAVAILABLE_CODES = new Set(['57014', '25006']);
/**
 * An internal error; a prepared statement that is not there, or is there already, or whose result
 * has changed with the schema.
 */
const TRANSIENT_CODES = new Set(['XX000', '26000', '42P05', '0A000']);
/** What the operating system says to the server: a disk that is full or fails. */
const SYSTEM_ERROR_CLASS = '58';
/** Connection trouble, a login that is refused, a database that is not there, too little of everything, an operator at work. */
const UNAVAILABLE_CLASSES = ['08', '28', '3D', '53', '57P'];
/** What the operating system says of a socket, or when it gives none. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ENOENT',
  'EACCES',
  'EPERM',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
]);
/** How Node calls what is wrong with TLS: its own codes, and those of OpenSSL about certificates. */
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$)/;

export function classifyDatabaseError(error: unknown): DatabaseFailure {
  const code = codeOf(error);
  if (code !== null) {
    if (CONFLICT_CODES.has(code)) return 'conflict';
    if (isUnavailable(code) || endsTheSession(error)) return 'unavailable';
    return TRANSIENT_CODES.has(code) || code.startsWith(SYSTEM_ERROR_CLASS) ? 'transient' : 'other';
  }
  const message = error instanceof Error ? error.message : '';
  // node-postgres reports a lost connection, and one it could not make, as a plain Error without a code.
  return /connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|client was closed|connect timeout|timeout expired|read timeout|after calling end on the pool|driver has already been destroyed|does not support SSL connections|establishing an SSL connection|^SASL: /i.test(
    message,
  )
    ? 'unavailable'
    : 'other';
}

/**
 * Runs a database operation; a database that cannot be reached, or has trouble of its own, becomes
 * a `RetryableError`.
 */
export async function whileDatabaseAnswers<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const failure = classifyDatabaseError(error);
    if (failure === 'unavailable' || failure === 'transient') throw databaseUnavailable(error);
    throw error;
  }
}

export function databaseUnavailable(cause: unknown): RetryableError {
  return new RetryableError(
    'DATABASE_UNAVAILABLE',
    'The database cannot be reached at the moment; nothing was changed',
    {
      retryAfterMs: 2_000,
      cause,
    },
  );
}

// Helpers

function isUnavailable(code: string): boolean {
  if (UNAVAILABLE_CODES.has(code) || NETWORK_CODES.has(code) || TLS_CODE.test(code)) return true;
  return UNAVAILABLE_CLASSES.some((each) => code.startsWith(each));
}

/**
 * A server that gives no connection, or ends one, may have any code for the reason. It says so in a word that it translates, in few of its
 * languages into another one.
 */
function endsTheSession(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('severity' in error)) return false;
  return error.severity === 'FATAL' || error.severity === 'PANIC';
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}
