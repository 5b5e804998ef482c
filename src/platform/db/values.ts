import { UnreadableValue } from './unreadable.ts';

/**
 * Type parsers, the same for both drivers and defined only here: `int8` becomes a number (each of
 * ours is a count, a height or a sequence below 2^53), `numeric` a bigint of base units (ours have
 * no decimals), `timestamptz` Unix milliseconds. Decimals are `text`. A value that does not fit
 * becomes an `UnreadableValue`: throwing here would lose all rows of the statement.
 */
export function parserOf(oid: number): ((value: string) => unknown) | null {
  return PARSERS.get(oid) ?? null;
}

const INT8_OID = 20;
const NUMERIC_OID = 1700;
const TIMESTAMPTZ_OID = 1184;

export const PARSERS: ReadonlyMap<number, (value: string) => unknown> = new Map<number, (value: string) => unknown>([
  [INT8_OID, parseInt8],
  [NUMERIC_OID, parseNumeric],
  [TIMESTAMPTZ_OID, parseTimestamp],
]);

function parseInt8(value: string): number | UnreadableValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : new UnreadableValue(`int8 ${value} does not fit a safe integer`);
}

function parseNumeric(value: string): bigint | UnreadableValue {
  return /^-?\d+$/.test(value) ? BigInt(value) : new UnreadableValue(`numeric ${value} is not a whole number`);
}

/**
 * Postgres writes `2026-11-21 09:51:00.123+00` (UTC sessions) or `+05:30`, with as many year digits
 * as needed; ECMAScript requires a `T`, minutes in the offset, and a sign and six digits for years
 * beyond 9999.
 */
function parseTimestamp(value: string): number | UnreadableValue {
  if (USUAL_TIMESTAMP.test(value)) return parseUsualTimestamp(value);
  if (value === 'infinity') return Number.POSITIVE_INFINITY;
  if (value === '-infinity') return Number.NEGATIVE_INFINITY;
  const iso = value
    .replace(' ', 'T')
    .replace(/([+-]\d\d)$/, '$1:00')
    .replace(/^\d{5,6}(?=-)/, (year) => `+${year.padStart(6, '0')}`);
  const time = Date.parse(iso);
  return Number.isNaN(time) ? new UnreadableValue(`${value} is not a representable time`) : time;
}

/** Years 2000 to 9999, in UTC. */
const USUAL_TIMESTAMP = /^[2-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const FIRST_FRACTION_DIGIT = 20;
const ZONE_CHARACTERS = 3;

/**
 * Faster than `Date.parse`, which takes several times as long; a list has three timestamps per row.
 * Truncates to milliseconds.
 */
function parseUsualTimestamp(value: string): number {
  const end = value.length - ZONE_CHARACTERS;
  let ms = 0;
  for (let index = FIRST_FRACTION_DIGIT; index < FIRST_FRACTION_DIGIT + 3; index += 1) {
    ms = ms * 10 + (index < end ? digitAt(value, index) : 0);
  }
  const year = twoDigitsAt(value, 0) * 100 + twoDigitsAt(value, 2);
  const [month, day] = [twoDigitsAt(value, 5) - 1, twoDigitsAt(value, 8)];
  return Date.UTC(year, month, day, twoDigitsAt(value, 11), twoDigitsAt(value, 14), twoDigitsAt(value, 17), ms);
}

function twoDigitsAt(text: string, index: number): number {
  return digitAt(text, index) * 10 + digitAt(text, index + 1);
}

function digitAt(text: string, index: number): number {
  return text.charCodeAt(index) - 48;
}
