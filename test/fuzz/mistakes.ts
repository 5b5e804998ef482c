import fc from 'fast-check';
import { type JsonType, type Schema, typesOf } from './schema.ts';

/** Makes one change to a valid value that its schema forbids. */
export type Mistake = (value: unknown) => unknown;

/** All mistakes that can be made in a value of a schema, at any depth. */
export function mistakesOf(schema: Schema): fc.Arbitrary<Mistake> {
  const here = wrongValuesOf(schema).map(
    (wrong): Mistake =>
      () =>
        wrong,
  );
  const inside = [...mistakesInObject(schema), ...mistakesInArray(schema)];
  if (inside.length === 0) return here;
  return fc.oneof({ weight: 1, arbitrary: here }, ...inside.map((arbitrary) => ({ weight: 2, arbitrary })));
}

/** Values of another type, out of bounds, or outside the enumeration. */
export function wrongValuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const types = typesOf(schema);
  const ofOtherType = OF_TYPE.filter(
    ([type]) => !types.includes(type) && !(type === 'integer' && types.includes('number')),
  )
    .filter(([type]) => !(type === 'number' && types.includes('integer')))
    .map(([, value]) => value);
  return fc.constantFrom(...ofOtherType, ...beyondBounds(schema));
}

// Helpers

const OF_TYPE: readonly (readonly [JsonType, unknown])[] = [
  ['null', null],
  ['boolean', true],
  ['string', '5'],
  ['string', ''],
  ['integer', 5],
  ['number', 0.5],
  ['array', []],
  ['array', [[1], null]],
  ['object', {}],
  ['object', { toString: 'x', length: 1 }],
];

function beyondBounds(schema: Schema): unknown[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems, uniqueItems, pattern, format } =
    schema;
  return [
    ...(schema.enum === undefined && schema.const === undefined ? [] : ['', 'constructor', 'LTC ', 'usd']),
    ...(typesOf(schema).includes('integer') ? [0.5, 1e300] : []),
    ...(minimum === undefined ? [] : [minimum - 1, -1e300]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum, exclusiveMinimum - 1, -1e-300]),
    ...(maximum === undefined ? [] : [maximum * 2 + 1, 1e300]),
    ...(minLength === undefined || minLength === 0 ? [] : ['x'.repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), 'é'.repeat(maxLength * 2)]),
    ...(minItems === undefined || minItems === 0 ? [] : [[]]),
    ...(uniqueItems === true ? [[null, null]] : []),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => null)]),
    ...(pattern === undefined
      ? []
      : ['\u0000', ' ', '\u001b[2J'].filter((text) => !new RegExp(pattern, 'u').test(text))),
    ...(format === undefined ? [] : ['x', '@']),
  ];
}

function mistakesInObject({ properties, required = [], additionalProperties }: Schema): fc.Arbitrary<Mistake>[] {
  const changes = Object.entries(properties ?? {}).map(([name, property]) =>
    mistakesOf(property).map(
      (mistake): Mistake =>
        (value) => {
          const object = value as Readonly<Record<string, unknown>>;
          return { ...object, [name]: mistake(object[name]) };
        },
    ),
  );
  const omissions = required.map(
    (name): Mistake =>
      (value) => {
        const { [name]: _left, ...rest } = value as Readonly<Record<string, unknown>>;
        return rest;
      },
  );
  const additions = UNKNOWN_FIELDS.map(
    (name): Mistake =>
      (value) => ({ ...(value as object), [name]: 1 }),
  );
  return [
    ...(changes.length === 0 ? [] : [fc.oneof(...changes)]),
    ...(omissions.length === 0 ? [] : [fc.constantFrom(...omissions)]),
    ...(additionalProperties === false ? [fc.constantFrom(...additions)] : []),
  ];
}

const UNKNOWN_FIELDS = ['amout', 'merchant_id', 'status', 'constructor', '', '\u0000', '😀'];

/** In the first element, if there is one: a list may be absent or empty. */
function mistakesInArray({ items }: Schema): fc.Arbitrary<Mistake>[] {
  if (items === undefined) return [];
  const inside = mistakesOf(items).map(
    (mistake): Mistake =>
      (value) => {
        const [first, ...rest] = Array.isArray(value) ? (value as unknown[]) : [];
        return first === undefined ? [null] : [...rest, mistake(first)];
      },
  );
  return [inside];
}
