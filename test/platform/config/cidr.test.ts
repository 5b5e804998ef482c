import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cidr, createCidrMatcher, parseCidr } from '../../../src/platform/config/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

const prefix4 = fc.integer({ min: 0, max: 32 });

describe('an IPv4 block', () => {
  it('contains exactly the addresses that share its prefix, also in IPv6-mapped form', () => {
    assertProperty(
      fc.property(fc.ipV4(), fc.ipV4(), prefix4, (base, address, prefixBits) => {
        const matches = createCidrMatcher([block(`${base}/${prefixBits}`)]);
        const mask = prefixBits === 0 ? 0n : (0xffffffffn << BigInt(32 - prefixBits)) & 0xffffffffn;
        const isInside = (bitsOf(base) & mask) === (bitsOf(address) & mask);
        expect(matches(address)).toBe(isInside);
        expect(matches(`::ffff:${address}`)).toBe(isInside);
        expect(matches(base)).toBe(true);
      }),
    );
  });
});

describe('parseCidr', () => {
  it('parses its own output to the same block', () => {
    assertProperty(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const cidr = block(address);
        expect(cidr.prefixBits).toBe(cidr.family === 'ipv4' ? 32 : 128);
        expect(parseCidr(cidr.text)).toEqual(cidr);
        expect(createCidrMatcher([cidr])(address)).toBe(true);
      }),
    );
  });

  it('rejects invalid blocks', () => {
    for (const text of [
      '',
      '/8',
      '10.0.0.0/',
      '10.0.0.0/33',
      '::/129',
      '10.0.0/8',
      '10.0.0.0/8/8',
      '1.2.3.4/-1',
      'a',
    ]) {
      expect(parseCidr(text)).toBeNull();
    }
  });
});

describe('createCidrMatcher', () => {
  it('matches nothing without blocks, and never text that is not an address', () => {
    expect(createCidrMatcher([])('127.0.0.1')).toBe(false);
    const all = createCidrMatcher([block('0.0.0.0/0'), block('::/0')]);
    expect(all('localhost')).toBe(false);
    expect(all('')).toBe(false);
  });
});

// Helpers

function block(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new Error(`${text} was refused`);
  return cidr;
}

function bitsOf(address: string): bigint {
  return address.split('.').reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n);
}
