import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAINS } from '../../machines/index.ts';
import { createDeriver, testWalletKey } from '../../src/wallets/index.ts';

describe('derivation of a range of addresses', () => {
  it.each(CHAINS)('returns on %s exactly the same as deriving each index alone', (chain) => {
    const deriver = createDeriver(testWalletKey(chain));
    const start = fc.oneof(fc.nat(1_000), fc.integer({ min: 0, max: 2 ** 31 - 20 }));
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 8 }), (first, count) => {
        const alone = Array.from({ length: count }, (_, index) => deriver.addressAt(first + index));
        expect(deriver.addressesFrom(first, count)).toEqual(alone);
      }),
      { numRuns: 15 },
    );
  });

  it('rejects a range beyond the non-hardened indices', () => {
    const deriver = createDeriver(testWalletKey('litecoin'));
    expect(() => deriver.addressesFrom(2 ** 31 - 2, 3)).toThrow(RangeError);
    expect(() => deriver.addressesFrom(-1, 1)).toThrow(RangeError);
    expect(deriver.addressesFrom(2 ** 31 - 1, 1)).toHaveLength(1);
  });
});
