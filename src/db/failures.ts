import { RetryableError } from '../errors.ts';

/**
 * Says whether a database error will pass by itself. Connection trouble becomes a `RetryableError`; conflicts
 * between transactions are told apart so that the transaction can be run again; the rest are bugs.
 */
export type DatabaseFailure = 'unavailable' | 'conflict' | 'other';

/** PostgreSQL error classes, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CONFLICT_CODES = new Set(['40001', '40P01', '55P03']);
const UNAVAILABLE_CODES = new Set(['57P01', '57P02', '57P03', '57014', '53300', '53400', '25006']);
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

export function classifyDatabaseError(error: unknown): DatabaseFailure {
  const code = codeOf(error);
  if (code !== null) {
    if (CONFLICT_CODES.has(code)) return 'conflict';
    if (UNAVAILABLE_CODES.has(code) || NETWORK_CODES.has(code)) return 'unavailable';
    if (code.startsWith('08') || code.startsWith('53')) return 'unavailable';
    return 'other';
  }
  const message = error instanceof Error ? error.message : '';
  // node-postgres reports a lost connection as a plain Error without a code.
  return /connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|client was closed|connect timeout|timeout expired|read timeout|after calling end on the pool|driver has already been destroyed/i.test(
    message,
  )
    ? 'unavailable'
    : 'other';
}

/** Runs a database operation; being unable to reach the database becomes a `RetryableError`. */
export async function whileDatabaseAnswers<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (classifyDatabaseError(error) === 'unavailable') throw databaseUnavailable(error);
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

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}
