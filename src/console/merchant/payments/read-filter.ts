import { CRYPTO_SYMBOLS, DAY_MS, TRANSACTION_EXCEPTIONS, TRANSACTION_STATUSES } from '../../../../machines/index.ts';
import { TerminalError } from '../../../errors.ts';
import { type PaymentSearch, TRANSACTION_TYPES } from '../../../payments/index.ts';
import type { PaymentFilter } from '../../contract/payments.ts';
import { type FieldReader, maybe, oneOf, textUpTo } from '../../reading.ts';

/** Longer than any order id, address or txid. */
const MAX_SEARCH_CHARACTERS = 320;

/** Start of a UTC day in Unix ms, from `2026-11-22`. */
const day: FieldReader<number> = (value, name) => {
  const startsAt = typeof value === 'string' && DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  // Date.parse accepts 31 February as 3 March.
  const isDay = Number.isFinite(startsAt) && new Date(startsAt).toISOString().startsWith(String(value));
  if (isDay) return startsAt;
  throw invalid(name, 'must be a day like 2026-11-22');
};

/** Readers of the fields of a `PaymentFilter`, for `readFields`. */
export const FILTER_FIELDS = {
  status: maybe(oneOf(TRANSACTION_STATUSES)),
  exception: maybe(oneOf(TRANSACTION_EXCEPTIONS)),
  crypto: maybe(oneOf(CRYPTO_SYMBOLS)),
  type: maybe(oneOf(TRANSACTION_TYPES)),
  from: maybe(day),
  to: maybe(day),
  search: maybe(textUpTo(MAX_SEARCH_CHARACTERS)),
} as const satisfies Record<keyof PaymentFilter, FieldReader<unknown>>;

type ReadFilter = { readonly [Name in keyof typeof FILTER_FIELDS]: ReturnType<(typeof FILTER_FIELDS)[Name]> };

/**
 * Converts a filter to a search, trimming its text. Throws `INVALID_REQUEST` for days in the wrong
 * order.
 */
export function searchOf({ status, exception, crypto, type, from, to, search }: ReadFilter): PaymentSearch {
  if (from !== undefined && to !== undefined && from > to) {
    throw invalid('to', 'must not be a day before the first one; swap the two days');
  }
  const text = search?.trim();
  return {
    status,
    exception,
    crypto,
    type,
    createdFrom: from,
    // The last day is included.
    createdTo: to === undefined ? undefined : to + DAY_MS,
    text: text === '' ? undefined : text,
  };
}

// Helpers

/** Date fields produce years of four digits, which the database can store. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function invalid(name: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${problem}`, { field: name });
}
