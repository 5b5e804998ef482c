import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparableName } from '../../src/accounts/sign-up/comparable-name.ts';

const LAST_CODE_POINT = 0x10_ff_ff;
/** Each is shown as nothing or as a blank, whatever its category in Unicode. */
const BLANKS = Array.from('\u2800\u3164\uffa0\u115f\u1160\u034f\u17b4\u{13441}\u{13442}\u{16fe4}\u{1d159}');
const UNSEEN = [
  ...BLANKS,
  ...Array.from({ length: LAST_CODE_POINT + 1 }, (_, point) => String.fromCodePoint(point)).filter((character) =>
    /[\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character),
  ),
];

test('an invisible or blank character anywhere in a name never makes it a different name', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const inserted = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...UNSEEN)), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(name, inserted, (plain, characters) => {
      const changed = Array.from(plain);
      for (const [place, character] of characters) changed.splice(place % (changed.length + 1), 0, character);
      expect(comparableName(changed.join(''))).toBe(comparableName(plain));
    }),
  );
});

test('no invisible or blank character makes a different name', () => {
  const different = UNSEEN.filter(
    (character) => comparableName(`Demo${character}shop`) !== comparableName('Demo shop'),
  );
  expect(different.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  expect(comparableName(UNSEEN.join(''))).toBe('');
});

test.each(['Demo shops', 'Dem\u00f6 shop', 'Demo-shop', '\u05d7\u05e0\u05d5\u05ea'])('%s is another name', (other) => {
  expect(comparableName(other)).not.toBe(comparableName('Demo shop'));
});
