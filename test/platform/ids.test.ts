import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { derivedId, derivedIdNextTo, ID_KINDS, type IdKind, isId, newId } from '../../src/platform/ids.ts';
import { assertProperty, textOfAnyCharacters } from '../support/run/fast-check.ts';

const kind = fc.constantFrom(...ID_KINDS);
const part = fc.oneof(textOfAnyCharacters(), fc.maxSafeInteger());
const parts = fc.array(part, { maxLength: 5 });
/** Times that fit into the 48 bits an id has for them: until the year 10889. */
const milliseconds = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('newId', () => {
  it('returns the prefix of the kind and 26 unambiguous lower-case characters', () => {
    for (const name of ID_KINDS) {
      expect(newId(name)).toMatch(new RegExp(`^${name}_[0-9a-hjkmnp-tv-z]{26}$`));
    }
  });

  it('never repeats itself and uses the whole alphabet in every place, at any time', () => {
    const ids = Array.from({ length: 5_000 }, (_, n) => at(Math.floor((2 ** 48 / 5_000) * (n + Math.random()))));
    expect(new Set(ids).size).toBe(ids.length);
    for (let index = 4; index < 30; index += 1) {
      expect(new Set(ids.map((id) => id[index])).size).toBe(32);
    }
  });

  it('begins with its time in milliseconds, and ends with 82 bits that are all random', () => {
    assertProperty(
      fc.property(milliseconds, (time) => {
        expect(bitsOf(at(time)) >> 82n).toBe(BigInt(time));
      }),
    );
    const now = Date.now();
    const randoms = Array.from({ length: 5_000 }, () => bitsOf(at(now)) & ((1n << 82n) - 1n));
    for (let bit = 0n; bit < 82n; bit += 1n) {
      const ones = randoms.filter((each) => (each >> bit) % 2n === 1n).length;
      // Ten standard deviations of a fair coin.
      expect(Math.abs(ones - 2_500)).toBeLessThan(354);
    }
  });

  it('sorts after every id of an earlier millisecond, byte by byte', () => {
    assertProperty(
      fc.property(kind, milliseconds, milliseconds, (k, one, other) => {
        fc.pre(one !== other);
        const [earlier, later] = [at(Math.min(one, other), k), at(Math.max(one, other), k)];
        expect(earlier < later).toBe(true);
        expect(Buffer.compare(Buffer.from(earlier), Buffer.from(later))).toBe(-1);
      }),
    );
  });
});

describe('derivedIdNextTo', () => {
  const sources = fc.tuple(kind, milliseconds).map(([k, time]) => at(time, k));

  it('is the same for the same parts, and begins with the time of the first one', () => {
    assertProperty(
      fc.property(kind, sources, parts, (k, source, p) => {
        const id = derivedIdNextTo(k, source, ...p);
        expect(id).toBe(derivedIdNextTo(k, source, ...p));
        expect(isId(k, id)).toBe(true);
        expect(bitsOf(id) >> 85n).toBe(bitsOf(source) >> 85n);
      }),
    );
  });

  it('ends with 85 bits of the hash of all its parts', () => {
    assertProperty(
      fc.property(kind, sources, parts, (k, source, p) => {
        const low = (id: string) => bitsOf(id) & ((1n << 85n) - 1n);
        expect(low(derivedIdNextTo(k, source, ...p))).toBe(low(derivedId(k, source, ...p)));
      }),
    );
  });

  it('is the hash alone beside what is not an id', () => {
    assertProperty(
      fc.property(kind, textOfAnyCharacters(), parts, (k, text, p) => {
        expect(derivedIdNextTo(k, text, ...p)).toBe(derivedId(k, text, ...p));
      }),
    );
    const id = newId('txn');
    for (const other of [`${id}0`, id.slice(0, -1), id.toUpperCase(), `${id}\n`, id.replace('txn', 'xyz')]) {
      expect(derivedIdNextTo('evt', other)).toBe(derivedId('evt', other));
    }
  });

  it('does not change between versions', () => {
    expect(derivedIdNextTo('evt', 'txn_06h2w8k3d0zzzzzzzzzzzzzzzz', 4, 'payment.completed')).toBe(
      'evt_06h2w8k3df9aq3tq2b49ygq7f3',
    );
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

  it('differs when the parts differ, even if they join to the same text', () => {
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

  it('is base32 of the first 130 bits of SHA-256, so that other programs can compute it', () => {
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

  it('rejects numbers that do not survive serialization', () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 53]) {
      expect(() => derivedId('dlv', wrong)).toThrow(RangeError);
    }
  });
});

describe('isId', () => {
  it('accepts every id of its kind and nothing else', () => {
    assertProperty(
      fc.property(kind, kind, parts, (k, other, p) => {
        for (const id of [newId(k), derivedId(k, ...p), derivedIdNextTo(k, newId(other), ...p)]) {
          expect(isId(k, id)).toBe(true);
          expect(isId(other, id)).toBe(k === other);
        }
      }),
    );
    assertProperty(fc.property(kind, fc.string(), (k, text) => !isId(k, text)));
    expect(isId('txn', `${newId('txn')}\n`)).toBe(false);
    expect(isId('txn', newId('txn').toUpperCase())).toBe(false);
  });
});

// Helpers

/** An id made at this time. */
function at(time: number, idKind: IdKind = 'txn'): string {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(time);
  try {
    return newId(idKind);
  } finally {
    clock.mockRestore();
  }
}

/** The 130 bits of an id, as a number. */
function bitsOf(id: string): bigint {
  let bits = 0n;
  for (const character of id.slice(4))
    bits = bits * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(character));
  return bits;
}
