import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText, storableJson } from '../../../src/platform/engine/storable.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

/** Texts with all that escapes may be confused with: NUL, halves of pairs, backslashes, digits. */
const texts = fc
  .array(fc.constantFrom('\u0000', '\u001f', '\ud83d', '\ude00', '\\', 'u', '0000', 'd83d', '"', 'é'), { maxLength: 8 })
  .map((parts) => parts.join(''));
const values = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, texts, fc.array(tie('value')), fc.dictionary(texts, tie('value'))),
})).value;

test('JSON text is refused exactly when one of its texts holds NUL or half a surrogate pair', () => {
  assertProperty(
    fc.property(values, (value) => {
      if (textsOf(value).every(isStorable)) expect(JSON.parse(jsonText(value))).toEqual(value);
      else expect(() => jsonText(value)).toThrow(TypeError);
    }),
  );
});

test('what is refused can be stored with these characters replaced, and all else as it is', () => {
  assertProperty(
    fc.property(fc.array(texts), (value) => {
      expect(JSON.parse(storableJson(value))).toEqual(value.map(replaced));
    }),
  );
});

// Helpers

function isStorable(text: string): boolean {
  return text === replaced(text);
}

function replaced(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd');
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return Object.entries(value as object).flatMap(([key, each]) => [key, ...textsOf(each)]);
}
