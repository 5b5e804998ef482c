import fc from 'fast-check';
import { placeholder } from './placeholders.ts';
import { type JsonType, type Schema, typesOf } from './schema.ts';
import { textsOf } from './texts.ts';

/** Values that a schema allows. Where null is allowed, one value in five is null. */
export function valuesOf(schema: Schema, where: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const [first, ...more] = typesOf(schema).map((type) => ({
    weight: type === 'null' ? 1 : 4,
    arbitrary: ofType(type, schema, where),
  }));
  if (first === undefined) throw new Error(`${where} allows nothing`);
  return fc.oneof(first, ...more);
}

// Helpers

/** Longest generated list; the longest allowed one may be a megabyte. */
const MAX_ITEMS = 8;

function ofType(type: JsonType, schema: Schema, where: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textsOf(schema, where);
    case 'integer':
      return integersOf(schema);
    case 'number':
      return numbersOf(schema);
    case 'array':
      return arraysOf(schema, where);
    case 'object':
      return objectsOf(schema, where);
  }
}

function integersOf({ minimum = -1_000, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<number> {
  const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) });
  return fc.oneof(small, small, fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
}

/** Mostly amounts in cents, as people write them; sometimes any double. */
function numbersOf({ minimum = 0, exclusiveMinimum, maximum = 1e15 }: Schema): fc.Arbitrary<number> {
  const isAllowed = (value: number) => value >= minimum && value <= maximum && value > (exclusiveMinimum ?? -Infinity);
  const cents = fc.integer({ min: 1, max: 1_000_000 }).map((value) => value / 100);
  const whole = fc.integer({ min: 1, max: 5_000 });
  const any = fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc
    .oneof(
      { weight: 20, arbitrary: cents },
      { weight: 20, arbitrary: whole },
      { weight: 1, arbitrary: any },
      { weight: 1, arbitrary: fc.constantFrom(1e-8, 1.5e-7, 0.1 + 0.2, 59.970000000000006, 1e12, 5e-324) },
    )
    .filter(isAllowed);
}

function arraysOf({ items, minItems = 0, maxItems = MAX_ITEMS, uniqueItems }: Schema, where: string) {
  const element: fc.Arbitrary<unknown> = items === undefined ? fc.jsonValue() : valuesOf(items, `${where}[]`);
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, Math.max(minItems, MAX_ITEMS)) };
  return uniqueItems === true
    ? fc.uniqueArray(element, { ...lengths, selector: (item) => JSON.stringify(item) })
    : fc.array(element, lengths);
}

function objectsOf({ properties, required = [] }: Schema, where: string): fc.Arbitrary<object> {
  if (properties === undefined) return FREE_OBJECTS;
  const fields = Object.entries(properties).map(([name, property]) => [name, valuesOf(property, `${where}.${name}`)]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...required],
    noNullPrototype: true,
  });
}

/** Free-form objects, always with a mark. */
const FREE_OBJECTS = fc
  .dictionary(fc.string({ maxLength: 12 }), fc.oneof(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 })), {
    maxKeys: 6,
    noNullPrototype: true,
  })
  .map((noted) => ({ ...noted, mark: placeholder.mark }));
