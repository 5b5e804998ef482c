import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignUses, type PaidLink } from '../../src/links/count-uses.ts';
import { rejectionOf } from '../../src/links/rejection.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

const moment = fc.integer({ min: 0, max: 10 });
const link = fc.record({
  maxUses: fc.option(fc.integer({ min: 1, max: 3 })),
  uses: fc.integer({ min: 0, max: 3 }),
  closedAt: fc.option(moment),
  expiresAt: fc.option(moment),
});

test('a link opens payments exactly while it is neither used up nor closed nor expired', () => {
  assertProperty(
    fc.property(link, fc.integer({ min: 0, max: 3 }), moment, (each, confirming, now) => {
      const isOver = each.closedAt !== null || (each.expiresAt !== null && each.expiresAt <= now);
      const left = each.maxUses === null ? Number.POSITIVE_INFINITY : each.maxUses - each.uses;
      const rejection = rejectionOf(each, confirming, now);
      expect(rejection === null).toBe(!isOver && left > confirming);
      // A paid link is reported as paid, whatever else has happened to it since.
      expect(rejection === 'paid').toBe(left <= 0);
      if (each.maxUses === null) expect(rejection === 'paid' || rejection === 'being_paid').toBe(false);
    }),
    { numRuns: level.runs(2_000) },
  );
});

test('uses are consumed in sequence until none is left, and every payment is counted once', () => {
  const paid = fc.array(
    fc.record({ slug: fc.constantFrom('a', 'b'), mode: fc.constantFrom('live' as const, 'test' as const) }),
    { maxLength: 20 },
  );
  const terms = fc.record({
    maxUses: fc.option(fc.integer({ min: 1, max: 5 })),
    before: fc.integer({ min: 0, max: 5 }),
  });
  assertProperty(
    fc.property(paid, terms, (payments, { maxUses, before }) => {
      const uses = maxUses === null ? before : Math.min(before, maxUses);
      const rows: PaidLink[] = payments.map((each, index) => ({
        ...each,
        transaction_id: String(index),
        merchant_id: 'mer',
        title: 'Invoice',
        max_uses: maxUses,
        uses,
      }));
      const counted = assignUses(rows);
      expect(counted.map(({ transaction_id: id }) => id)).toEqual(rows.map(({ transaction_id: id }) => id));
      for (const [slug, mode] of [
        ['a', 'live'],
        ['a', 'test'],
        ['b', 'live'],
        ['b', 'test'],
      ]) {
        const own = counted.filter((each) => each.slug === slug && each.mode === mode);
        const left = maxUses === null ? own.length : maxUses - uses;
        const expected = own.map((_, index) => (index < left ? 'use' : 'excess'));
        expect(own.map(({ counted_as }) => counted_as)).toEqual(expected);
      }
    }),
    { numRuns: level.runs(1_000) },
  );
});
