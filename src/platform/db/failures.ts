import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DATABASE_UNAVAILABLE, RetryableError } from '../errors.ts';

/**
 * Class of a database error:
 * - unavailable: a connection problem; every statement fails
 * - conflict: between transactions; rerunning the transaction is enough
 * - transient: a server error of one statement; usually gone on a rerun, but for some never
 * - other: a bug
 */
export type DatabaseFailure = 'unavailable' | 'conflict' | 'transient' | 'other';

/** PostgreSQL error codes, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CONFLICT_CODES = new Set(['40001', '40P01', '55P03']);
const UNAVAILABLE_CODES = new Set(['57014', '25006']);
/**
 * An internal error; a prepared statement that is missing, exists already, or whose result type
 * changed with the schema.
 */
const TRANSIENT_CODES = new Set(['XX000', '26000', '42P05', '0A000']);
/** System errors of the server, such as a full or failing disk. */
const SYSTEM_ERROR_CLASS = '58';
/**
 * Connection exception, invalid authorization, missing database, insufficient resources, operator
 * intervention.
 */
const UNAVAILABLE_CLASSES = ['08', '28', '3D', '53', '57P'];
/** Socket errors of the operating system, including failure to create one. */
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
/** TLS errors: Node's own codes, and OpenSSL's certificate errors. */
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$)/;

/** Also takes the `DATABASE_UNAVAILABLE` that a connection made of the server's error. */
export function classifyDatabaseError(failed: unknown): DatabaseFailure {
  const error = databaseErrorOf(failed);
  const code = codeOf(error);
  if (code !== null) {
    if (CONFLICT_CODES.has(code)) return 'conflict';
    if (isUnavailable(code) || endsTheSession(error)) return 'unavailable';
    return TRANSIENT_CODES.has(code) || code.startsWith(SYSTEM_ERROR_CLASS) ? 'transient' : 'other';
  }
  const message = error instanceof Error ? error.message : '';
  // node-postgres reports a lost or failed connection as a plain Error without a code.
  return /connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|client was closed|connect timeout|timeout expired|read timeout|after calling end on the pool|does not support SSL connections|establishing an SSL connection|^SASL: /i.test(
    message,
  )
    ? 'unavailable'
    : 'other';
}

/** The server's own error behind a `DATABASE_UNAVAILABLE`; any other error unchanged. */
export function databaseErrorOf(error: unknown): unknown {
  const isOutage = error instanceof RetryableError && error.code === DATABASE_UNAVAILABLE;
  return isOutage && error.cause !== undefined ? error.cause : error;
}

export function databaseUnavailable(cause: unknown): RetryableError {
  return new RetryableError(DATABASE_UNAVAILABLE, 'The database is unavailable; try again', {
    retryAfterMs: 2_000,
    cause,
  });
}

/** Whether a row was rejected because another has its unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/**
 * A pool that throws `RetryableError` `DATABASE_UNAVAILABLE` when the server cannot be reached or
 * fails in passing, so that no caller has to tell such errors from bugs. Others are unchanged.
 */
export function withOutageErrors(pool: PostgresPool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect().catch(throwOutage);
      const query: unknown = (text: string, values: unknown[]) => client.query(text, values).catch(throwOutage);
      return { query: query as PostgresPoolClient['query'], release: () => client.release() };
    },
    end: () => pool.end(),
  };
}

// Helpers

function isUnavailable(code: string): boolean {
  if (UNAVAILABLE_CODES.has(code) || NETWORK_CODES.has(code) || TLS_CODE.test(code)) return true;
  return UNAVAILABLE_CLASSES.some((each) => code.startsWith(each));
}

/**
 * A server that rejects or ends a connection may use any error code. `severity` is localized, but
 * few languages translate these two words.
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

function throwOutage(error: unknown): never {
  const failure = classifyDatabaseError(error);
  throw failure === 'unavailable' || failure === 'transient' ? databaseUnavailable(error) : error;
}
