import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedId, ID_KINDS, isId, newId } from '../src/ids.ts';
import { assertProperty, textOfAnyCharacters } from './support/fast-check.ts';

const kind = fc.constantFrom(...ID_KINDS);
const part = fc.oneof(textOfAnyCharacters(), fc.maxSafeInteger());
const parts = fc.array(part, { maxLength: 5 });

describe('newId', () => {
  it('gives every kind its prefix and 26 unambiguous lower-case characters', () => {
    for (const name of ID_KINDS) {
      expect(newId(name)).toMatch(new RegExp(`^${name}_[0-9a-hjkmnp-tv-z]{26}$`));
    }
  });

  it('never repeats itself and uses the whole alphabet in every place', () => {
    const ids = Array.from({ length: 5_000 }, () => newId('txn'));
    expect(new Set(ids).size).toBe(ids.length);
    for (let place = 4; place < 30; place += 1) {
      expect(new Set(ids.map((id) => id[place])).size).toBe(32);
    }
  });
});

describe('derivedId', () => {
  it('is the same for the same kind and parts', () => {
    assertProperty(
      fc.property(kind, parts, (k, p) => {
        expect(derivedId(k, ...p)).toBe(derivedId(k, ...p));
      }),
    );
  });

  it('differs when the parts differ, also when they only join to the same text', () => {
    assertProperty(
      fc.property(kind, parts, parts, (k, a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(derivedId(k, ...a)).not.toBe(derivedId(k, ...b));
      }),
    );
    expect(derivedId('dlv', 'a', 'bc')).not.toBe(derivedId('dlv', 'ab', 'c'));
    expect(derivedId('dlv', 'a,b')).not.toBe(derivedId('dlv', 'a', 'b'));
    expect(derivedId('dlv', '","')).not.toBe(derivedId('dlv', '', ''));
    expect(derivedId('dlv', 1)).not.toBe(derivedId('dlv', '1'));
    expect(derivedId('dlv', 'a').slice(4)).not.toBe(derivedId('evt', 'a').slice(4));
  });

  it('is base32 of the first 130 bits of SHA-256, so other programs can compute it', () => {
    assertProperty(
      fc.property(kind, parts, (k, p) => {
        const digest = createHash('sha256')
          .update(JSON.stringify([k, ...p]))
          .digest('hex');
        const bits = BigInt(`0x${digest}`) >> 126n;
        const expected = Array.from(bits.toString(32).padStart(26, '0'), (digit) =>
          '0123456789abcdefghjkmnpqrstvwxyz'.charAt(Number.parseInt(digit, 32)),
        ).join('');
        expect(derivedId(k, ...p)).toBe(`${k}_${expected}`);
      }),
    );
  });

  it('does not change between versions', () => {
    expect(derivedId('dlv', 'evt_1', 'whk_1')).toBe('dlv_v70txp6rjfbs48y4zgk74kmm7g');
  });

  it('refuses numbers that do not survive being written down', () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 53]) {
      expect(() => derivedId('dlv', wrong)).toThrow(RangeError);
    }
  });
});

describe('isId', () => {
  it('accepts every id of its kind and nothing else', () => {
    assertProperty(
      fc.property(kind, kind, parts, (k, other, p) => {
        const id = derivedId(k, ...p);
        expect(isId(k, id)).toBe(true);
        expect(isId(other, id)).toBe(k === other);
      }),
    );
    assertProperty(fc.property(kind, fc.string(), (k, text) => !isId(k, text)));
    expect(isId('txn', `${newId('txn')}\n`)).toBe(false);
    expect(isId('txn', newId('txn').toUpperCase())).toBe(false);
  });
});
