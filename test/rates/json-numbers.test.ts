import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsOf, memberOf, parseJsonKeepingNumbers } from '../../src/rates/http/json.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

describe('JSON parsing that keeps numbers as text', () => {
  it('keeps every digit and the exponent as written', () => {
    const json = '{"a":67187.3358936566123456789,"b":[1.10e-5,-0,0.30],"c":1E+3,"d":"12"}';
    expect(parseJsonKeepingNumbers(json)).toEqual({
      a: '67187.3358936566123456789',
      b: ['1.10e-5', '-0', '0.30'],
      c: '1E+3',
      d: '12',
    });
  });

  it('accepts the same input as JSON.parse and changes only the numbers', () => {
    assertProperty(
      fc.property(fc.json(), fc.constantFrom(0, 2), (json, indent) => {
        const value: unknown = JSON.parse(json);
        expect(parseJsonKeepingNumbers(JSON.stringify(value, null, indent))).toEqual(asText(value));
      }),
    );
  });

  it('rejects whatever JSON.parse rejects', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '-',
      '.',
      'e',
      '+',
      '0',
      '01',
      '7',
      '1.5',
      'a',
    );
    const soup = fc.array(pieces, { maxLength: 8 }).map((each) => each.join(''));
    const isJson = (read: () => unknown) => {
      try {
        read();
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return false;
      }
    };
    assertProperty(
      fc.property(soup, (text) => {
        const expected = isJson(() => JSON.parse(text));
        // A number as a member name is the one error that quoting numbers would hide.
        fc.pre(!/[{,]\s*-?\d[\d.eE+-]*\s*:/.test(text));
        expect(isJson(() => parseJsonKeepingNumbers(text))).toBe(expected);
      }),
      { numRuns: level.runs(5_000) },
    );
    for (const wrong of [
      '',
      'NaN',
      '[NaN]',
      '[Infinity]',
      '[01]',
      '[1.]',
      '[.5]',
      '[+1]',
      '[1e]',
      '[0x10]',
      '<html>1</html>',
    ])
      expect(() => parseJsonKeepingNumbers(wrong)).toThrow(SyntaxError);
  });

  it('rejects large adversarial input without hanging', () => {
    const escapedQuotes = `["${'\\"'.repeat(1_000_000)}`;
    expect(() => parseJsonKeepingNumbers(escapedQuotes)).toThrow(SyntaxError);
    expect(() => parseJsonKeepingNumbers(`[${'1'.repeat(2_000_000)}`)).toThrow(SyntaxError);
    expect(() => parseJsonKeepingNumbers('['.repeat(2_000_000))).toThrow();
  });

  it('returns only own members of the response', () => {
    const value = parseJsonKeepingNumbers('{"a":{"b":["x","y"]},"__proto__":{"polluted":1}}');
    expect(memberOf(memberOf(memberOf(value, 'a'), 'b'), '1')).toBe('y');
    for (const name of ['constructor', 'toString', 'polluted']) expect(memberOf(value, name)).toBeUndefined();
    for (const nothing of [null, undefined, 'text', '5', true]) expect(memberOf(nothing, 'length')).toBeUndefined();
    expect(elementsOf(memberOf(memberOf(value, 'a'), 'b'))).toEqual(['x', 'y']);
    expect(elementsOf(value)).toEqual([]);
  });
});

// Helpers

/** The value with every number replaced by its source text. */
function asText(value: unknown): unknown {
  return mapLeaves(value, (leaf) => (typeof leaf === 'number' ? JSON.stringify(leaf) : leaf));
}

function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapLeaves(each, change));
  if (typeof value !== 'object' || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapLeaves(each, change)]));
}
