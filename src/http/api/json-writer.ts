import { type AnySchema, build, restore, type Schema } from 'fast-json-stringify';
import { JSON_DECIMAL, plainDecimal } from '../../platform/decimal-text.ts';

export type JsonWriter = (value: unknown) => string;

/**
 * Compiles the serializer of a response schema. It writes only the properties in the schema, so
 * that internal fields cannot leak, and throws when a required one is missing.
 *
 * It is Fastify's own serializer, except that a number may also be given as the text of an exact
 * decimal, which is written unchanged: without exponent, and with all digits of an amount in wei.
 * Clients that parse numbers as doubles get the nearest one, others the exact amount.
 */
export function compileJsonWriter(schema: unknown, sharedSchema: (id: string) => unknown): JsonWriter {
  const shared: Record<string, Schema> = {};

  function outlineOf({ $ref: id, type, properties, required, additionalProperties, items }: ResponseSchema): Schema {
    if (id !== undefined) {
      share(id);
      return { $ref: `${id}#` };
    }
    const types = [type].flat();
    if (types.includes('number') || types.includes('integer')) return NUMBER;
    if (types.includes('string')) return STRING;
    if (types.includes('boolean')) return BOOLEAN;
    if (types.includes('array') && items !== undefined) {
      return { type: 'array', nullable: true, items: outlineOf(asSchema(items)) };
    }
    if (!types.includes('object') || properties === undefined) return ANYTHING;
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    return {
      type: 'object',
      nullable: true,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, outlineOf(asSchema(property))]),
      ),
      required: [...(required ?? [])],
      additionalProperties: isOpen ? ANYTHING : false,
    };
  }

  function share(id: string): void {
    if (id in shared) return;
    const found = sharedSchema(id);
    if (found === undefined) throw new Error(`A response refers to the schema "${id}", which does not exist`);
    // Present before it is outlined, so that a schema may refer to itself.
    shared[id] = ANYTHING;
    shared[id] = outlineOf(asSchema(found));
  }

  const outline = outlineOf(asSchema(schema));
  const key = JSON.stringify([outline, shared]);
  const known = writers.get(key);
  if (known !== undefined) return known;
  const writer = buildWriter(outline, shared);
  writers.set(key, writer);
  return writer;
}

// Helpers

/** By schema, for all servers of a process: most routes have the same few error responses. */
const writers = new Map<string, JsonWriter>();

function buildWriter(outline: Schema, shared: Record<string, Schema>): JsonWriter {
  // Only the debug mode returns the functions that write values, of which two are replaced; its
  // types leave them out.
  const compiled: object = build(outline as AnySchema, { schema: shared, mode: 'debug' });
  const { serializer } = compiled as { readonly serializer: object };
  const own = { asNumber: writeNumber, asUnsafeString: writeAnything };
  for (const name of Object.keys(own)) {
    if (!(name in serializer)) throw new Error(`fast-json-stringify has no ${name} to replace`);
  }
  Object.assign(serializer, own);
  return (restore as unknown as (compiled: object) => JsonWriter)(compiled);
}

/** The part of JSON Schema that affects serialization. */
interface ResponseSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
}

// Nullable, so that a null is never written as 0 or "".
const NUMBER: Schema = { type: 'number', nullable: true };
const STRING: Schema = { type: 'string', nullable: true };
const BOOLEAN: Schema = { type: 'boolean', nullable: true };
/** "unsafe" is a value that its own function writes: `writeAnything`. */
const ANYTHING: Schema = { type: 'string', format: 'unsafe' };

function asSchema(schema: unknown): ResponseSchema {
  // A schema from TypeBox; one such as `true` does not affect serialization.
  return typeof schema === 'object' && schema !== null ? schema : {};
}

function writeNumber(value: unknown): string {
  if (typeof value === 'number') return plainDecimal(value);
  if (typeof value === 'string' && JSON_DECIMAL.test(value)) return value;
  throw new Error('The response has something else where a number belongs');
}

const EXPONENT = /\de[+-]\d/;

/** As `JSON.stringify`, but without exponents. */
function writeAnything(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (!EXPONENT.test(text)) return text;
  if (typeof value === 'number') return plainDecimal(value);
  if (typeof value !== 'object' || value === null) return text;
  if (Array.isArray(value)) return `[${value.map(writeAnything).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeAnything(member)}`).join(',')}}`;
}
