import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictsOf } from '../../../machines/transaction/replacements.ts';

/** Transactions by the coins they spend, out of few, so that many share some. */
const TRANSACTIONS = fc.array(
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 3 }),
  { maxLength: 12 },
);

describe('conflicts', () => {
  it('are the other transactions that share a coin, each once and in order', () => {
    fc.assert(
      fc.property(TRANSACTIONS, (coins) => {
        const transactions = coins.map((spends) => ({ spends: new Set(spends) }));
        const conflicts = conflictsOf(transactions);
        for (const each of transactions) {
          const areInConflict = (other: typeof each) => [...each.spends].some((coin) => other.spends.has(coin));
          const expected = transactions.filter((other) => other !== each && areInConflict(other));
          expect(conflicts(each).map((other) => transactions.indexOf(other))).toEqual(
            expected.map((other) => transactions.indexOf(other)),
          );
        }
      }),
    );
  });
});
