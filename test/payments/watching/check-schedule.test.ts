import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, PAID_LATE_WINDOW_MS } from '../../../machines/index.ts';
import { ACCOUNTS_PER_CALL } from '../../../src/chains/evm/node/balances.ts';
import { nextCheckAt } from '../../../src/payments/watching/due-accounts.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';

const moments = fc.integer({ min: 0, max: 4_000_000_000_000 });
const keys = fc.string({ minLength: 1, maxLength: 42 });

test('property: the next check is within an hour while coins count as late, then within a day, and keeps its time', () => {
  assertProperty(
    fc.property(keys, moments, moments, (watchKey, expiresAt, now) => {
      const periodMs = now < expiresAt + PAID_LATE_WINDOW_MS ? HOUR_MS : DAY_MS;
      const next = nextCheckAt({ watchKey, expiresAt }, now);
      expect(next).toBeGreaterThan(now);
      expect(next).toBeLessThanOrEqual(now + periodMs);
      if (now + 2 * DAY_MS < expiresAt || now > expiresAt + PAID_LATE_WINDOW_MS) {
        expect(nextCheckAt({ watchKey, expiresAt }, next)).toBe(next + periodMs);
      }
    }),
    { numRuns: level.runs(1_000) },
  );
});

test('a million accounts are spread so that a minute has at most two groups, and a day about 2,900', () => {
  const counted = level.pick({ quick: 50_000, full: 1_000_000 });
  const share = 1_000_000 / counted;
  const minutes = Array.from({ length: DAY_MS / 60_000 }, () => 0);
  for (let index = 0; index < counted; index += 1) {
    const at = nextCheckAt({ watchKey: `0x${index.toString(16).padStart(40, '0')}`, expiresAt: 0 }, 100 * DAY_MS);
    const minute = Math.floor((at % DAY_MS) / 60_000);
    minutes[minute] = (minutes[minute] ?? 0) + share;
  }
  const perMinute = 1_000_000 / minutes.length;
  const tolerance = level.pick({ quick: 1.2, full: 0.25 });
  for (const count of minutes) expect(Math.abs(count - perMinute)).toBeLessThan(perMinute * tolerance);
  // 33,334 payments a day are checked 24 times each in their first six hours.
  const turnsPerMinute = perMinute + (1_000_000 / 30 / 24) * 6 * (1 / 60);
  expect(Math.ceil(turnsPerMinute / ACCOUNTS_PER_CALL)).toBe(2);
  expect(Math.ceil(turnsPerMinute / ACCOUNTS_PER_CALL) * minutes.length).toBe(2_880);
});
