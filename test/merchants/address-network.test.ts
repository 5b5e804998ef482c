import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowedFrom, networkOf, readAllowedCidrs } from '../../src/merchants/index.ts';
import { assertProperty, textOfAnyCharacters } from '../support/run/fast-check.ts';

const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
/** The same address in the notations people and programs use. */
const spelt = (numbers: readonly number[], isUpper: boolean, isPadded: boolean) => {
  const text = numbers.map((each) => each.toString(16).padStart(isPadded ? 4 : 1, '0')).join(':');
  return isUpper ? text.toUpperCase() : text;
};

describe('the network that a request is counted under', () => {
  test('is the /64 of an IPv6 address, in any notation', () => {
    assertProperty(
      fc.property(groups, groups, fc.boolean(), fc.boolean(), (one, other, isUpper, isPadded) => {
        fc.pre(one.slice(0, 5).some((each) => each !== 0));
        const neighbour = [...one.slice(0, 4), ...other.slice(4)];
        const network = networkOf(spelt(one, isUpper, isPadded));
        expect(network).toBe(`${spelt(one.slice(0, 4), false, false)}::/64`);
        expect(networkOf(spelt(neighbour, !isUpper, !isPadded))).toBe(network);
        expect(networkOf(`${spelt(one, isUpper, isPadded)}%eth0`)).toBe(network);
        if (one.slice(0, 4).join() !== other.slice(0, 4).join()) {
          expect(networkOf(spelt(other, isUpper, isPadded))).not.toBe(network);
        }
      }),
    );
  });

  test('is an IPv4 address itself, also in IPv6-mapped form', () => {
    assertProperty(
      fc.property(fc.ipV4(), (address) => {
        expect(networkOf(address)).toBe(address);
        expect(networkOf(`::ffff:${address}`)).toBe(address);
        expect(networkOf(`0:0:0:0:0:FFFF:${address}`)).toBe(address);
      }),
    );
  });

  test('omits the port that some proxies append', () => {
    expect(networkOf('203.0.113.5:51000')).toBe('203.0.113.5');
    expect(networkOf('[2001:db8:1:2::5]:51000')).toBe('2001:db8:1:2::/64');
    expect(networkOf('[2001:db8:1:2::5]')).toBe('2001:db8:1:2::/64');
  });

  test('is the /56 of an IPv6 address where a whole subscriber line is counted', () => {
    expect(networkOf('2001:db8:77:ff12::1', 56)).toBe('2001:db8:77:ff00::/56');
    expect(networkOf('2001:db8:77:ffff::1', 56)).toBe('2001:db8:77:ff00::/56');
    expect(networkOf('203.0.113.5', 56)).toBe('203.0.113.5');
  });

  test('is the same for everything that is not an address, and never long', () => {
    assertProperty(
      fc.property(textOfAnyCharacters(), (text) => {
        expect(networkOf(text).length).toBeLessThan(30);
      }),
    );
    for (const text of ['', 'unknown', '1.2.3.4:', '1.2.3', 'x'.repeat(10_000), '::g', undefined]) {
      expect(networkOf(text)).toBe('unknown');
    }
  });
});

describe('the allowed addresses of a key', () => {
  test('rule 40: are those inside any of its blocks', () => {
    const block = fc.record({ address: fc.ipV4(), bits: fc.integer({ min: 0, max: 32 }) });
    assertProperty(
      fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), fc.ipV4(), (blocks, address) => {
        const allowed = readAllowedCidrs(blocks.map(({ address: start, bits }) => `${start}/${bits}`));
        const isInside = blocks.some(({ address: start, bits }) => {
          return bits === 0 || numberOf(address) >>> (32 - bits) === numberOf(start) >>> (32 - bits);
        });
        expect(isAllowedFrom(allowed, address)).toBe(isInside);
        expect(isAllowedFrom(allowed, `::ffff:${address}`)).toBe(isInside);
        for (const { address: start } of blocks) expect(isAllowedFrom(allowed, start)).toBe(true);
      }),
    );
  });

  test('are all when there are no blocks, and none when the blocks cannot be parsed', () => {
    expect(isAllowedFrom([], 'nonsense')).toBe(true);
    expect(isAllowedFrom(['0.0.0.0/0', '::/0'], 'nonsense')).toBe(false);
    expect(isAllowedFrom(['0.0.0.0/0', '::/0'], undefined)).toBe(false);
    expect(isAllowedFrom(['fe80::/10'], 'fe80::1%eth0')).toBe(true);
  });

  test('are stored in one notation, without duplicates', () => {
    expect(readAllowedCidrs([' 203.0.113.7 ', '203.0.113.7/32', '2001:db8::/48'])).toEqual([
      '203.0.113.7/32',
      '2001:db8::/48',
    ]);
  });

  test.each(['', 'anywhere', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/-1', '10.0.0.0/8/8', '*', 'fe80::1%eth0'])(
    '"%s" is rejected with the correct form',
    (text) => {
      expect(() => readAllowedCidrs(['10.0.0.0/8', text])).toThrow(
        expect.objectContaining({ code: 'INVALID_CIDR', message: expect.stringContaining('203.0.113.0/24') }),
      );
    },
  );

  test('are at most 100 blocks', () => {
    const many = Array.from({ length: 101 }, (_, index) => `10.0.${index}.0/24`);
    expect(readAllowedCidrs(many.slice(1))).toHaveLength(100);
    expect(() => readAllowedCidrs(many)).toThrow(expect.objectContaining({ code: 'INVALID_CIDR' }));
  });
});

// Helpers

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
