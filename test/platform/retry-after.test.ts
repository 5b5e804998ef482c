import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/platform/retry-after.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

test('Retry-After in seconds is that pause, and as a date the time until then', () => {
  assertProperty(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: -1_000_000, max: 1_000_000 }), (n, s) => {
      expect(parseRetryAfter(String(n), NOW)).toBe(n * 1_000);
      expect(parseRetryAfter(` ${n} `, NOW)).toBe(n * 1_000);
      const date = new Date(NOW + s * 1_000).toUTCString();
      expect(parseRetryAfter(date, NOW)).toBe(Math.max(0, s * 1_000));
    }),
  );
});

test('the example of RFC 9110 is parsed', () => {
  const now = Date.UTC(1999, 11, 31, 23, 59, 0);
  expect(parseRetryAfter('Fri, 31 Dec 1999 23:59:59 GMT', now)).toBe(59_000);
  expect(parseRetryAfter('120', now)).toBe(120_000);
});

test.each([undefined, '', 'soon', '-5', '1.5', '1e3', '9999999999', '2026-11-21', 'Fri, 99 Dec 1999 23:59:59 GMT'])(
  '%j is ignored',
  (header) => {
    expect(parseRetryAfter(header, NOW)).toBeNull();
  },
);
