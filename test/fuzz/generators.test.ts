import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { assertProperty } from '../support/fast-check.ts';
import { level } from '../support/level.ts';
import { mistakesOf } from './mistakes.ts';
import { readOperations } from './operations.ts';
import { fill } from './placeholders.ts';
import { readSchema } from './schema.ts';
import { valuesOf } from './values.ts';

const bodies = readOperations().flatMap(({ name, body }) => (body === null ? [] : [{ name, body }]));
const parameters = readOperations().flatMap(({ name, parameters: all }) =>
  all.map((parameter) => ({ name: `${name}, ${parameter.name}`, body: parameter.schema })),
);

describe('Requests are generated from their schemas', () => {
  test.each([...bodies, ...parameters])('what is meant to be valid is: $name', ({ name, body }) => {
    const validator = Compile({ ...body });
    assertProperty(
      fc.property(valuesOf(body, name), (value) => {
        const filled = fill(JSON.stringify(value), () => 'mark0123456789ab');
        expect(problemsWith(validator, JSON.parse(filled))).toEqual([]);
      }),
      { numRuns: level.runs(100) },
    );
  });

  test.each(bodies)('what is meant to be a mistake is one: $name', ({ name, body }) => {
    const validator = Compile({ ...body });
    assertProperty(
      fc.property(valuesOf(body, name), mistakesOf(body), (value, mistake) => {
        expect(validator.Check(JSON.parse(JSON.stringify(mistake(value))))).toBe(false);
      }),
      { numRuns: level.runs(100) },
    );
  });

  test('a keyword nobody has taught them is an error, wherever it stands', () => {
    const nested = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string', contentEncoding: 'x' } } },
    };
    expect(() => readSchema(nested, 'body')).toThrow('body.a[] uses the keyword "contentEncoding"');
    expect(() => readSchema({ anyOf: [] }, 'body')).toThrow('"anyOf"');
    expect(() => readSchema({ $ref: '#/x' }, 'body')).toThrow('refers to #/x');
    expect(() => readSchema({ type: 'object', additionalProperties: { type: 'string' } }, 'body')).toThrow(
      /additional/,
    );
    expect(() => readSchema({}, 'body')).toThrow('names neither a type nor values');
  });

  test('a format or pattern they have no text for is an error, and no endless search', () => {
    expect(() => valuesOf({ type: 'string', format: 'ipv6' }, 'body.a')).toThrow('the format "ipv6"');
    expect(() => valuesOf({ type: 'string', pattern: '^(?=never)(?=ever)$' }, 'body.a')).toThrow('finds no text');
  });
});

// Helpers

function problemsWith(validator: ReturnType<typeof Compile>, value: unknown): unknown[] {
  const [isValid, errors] = validator.Errors(value);
  return isValid ? [] : [...errors];
}
