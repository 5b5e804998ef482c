import { JSON_DECIMAL, plainDecimal } from '../decimal-text.ts';

/** Serializes a response to JSON. */
export type JsonWriter = (value: unknown) => string;

/**
 * Compiles the serializer of a response schema. It writes only the properties in the schema, so
 * that internal fields cannot leak, and throws when a required one is missing.
 *
 * Fastify's serializer does that too, but converts every number to a double. Here a number may also
 * be given as the text of an exact decimal, which is written unchanged: without exponent, and with
 * all digits of an amount in wei. Clients that parse numbers as doubles get the nearest one, others
 * the exact amount.
 */
export function compileJsonWriter(schema: unknown, sharedSchema: (id: string) => unknown): JsonWriter {
  const shared = new Map<string, JsonWriter>();

  function referTo(id: string): JsonWriter {
    const known = shared.get(id);
    if (known !== undefined) return known;
    const found = sharedSchema(id);
    if (found === undefined) throw new Error(`A response refers to the schema "${id}", which does not exist`);
    // Registered before it is compiled, so that a schema may refer to itself.
    let writer: JsonWriter | null = null;
    const late: JsonWriter = (value) => {
      writer ??= compile(asSchema(found));
      return writer(value);
    };
    shared.set(id, late);
    return late;
  }

  function compile(each: ResponseSchema): JsonWriter {
    if (each.$ref !== undefined) return referTo(each.$ref);
    const types = [each.type].flat();
    if (types.includes('number') || types.includes('integer')) return orNull(writeNumber);
    if (types.includes('object') && each.properties !== undefined) return orNull(objectWriter(each));
    if (types.includes('array') && each.items !== undefined) return orNull(arrayWriter(compile(asSchema(each.items))));
    return writeAnything;
  }

  function objectWriter({ properties = {}, required = [], additionalProperties }: ResponseSchema): JsonWriter {
    const fields = Object.entries(properties).map(([name, property]) => ({
      name,
      key: `${JSON.stringify(name)}:`,
      isRequired: required.includes(name),
      write: compile(asSchema(property)),
    }));
    const named = new Set(Object.keys(properties));
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    return (value) => {
      const record = asRecord(value);
      const parts: string[] = [];
      for (const { name, key, isRequired, write } of fields) {
        const field = record[name];
        if (field !== undefined) parts.push(key + write(field));
        else if (isRequired) throw new Error(`The response lacks "${name}"`);
      }
      if (isOpen) parts.push(...membersOf(record, (name) => !named.has(name)));
      return `{${parts.join(',')}}`;
    };
  }

  return compile(asSchema(schema));
}

// Helpers

/** The part of JSON Schema that affects serialization. */
interface ResponseSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
}

function asSchema(schema: unknown): ResponseSchema {
  // A schema from TypeBox; one such as `true` does not affect serialization.
  return typeof schema === 'object' && schema !== null ? schema : {};
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  throw new Error(`The response has a ${typeof value} where an object belongs`);
}

function orNull(write: JsonWriter): JsonWriter {
  return (value) => (value === null ? 'null' : write(value));
}

function arrayWriter(write: JsonWriter): JsonWriter {
  return (value) => {
    if (!Array.isArray(value)) throw new Error(`The response has a ${typeof value} where an array belongs`);
    return `[${value.map(write).join(',')}]`;
  };
}

function writeNumber(value: unknown): string {
  if (typeof value === 'number') return plainDecimal(value);
  if (typeof value === 'string' && JSON_DECIMAL.test(value)) return value;
  throw new Error('The response has something else where a number belongs');
}

/** As `JSON.stringify`, but without exponents. */
function writeAnything(value: unknown): string {
  if (typeof value === 'number') return plainDecimal(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(writeAnything).join(',')}]`;
  return `{${membersOf(asRecord(value), () => true).join(',')}}`;
}

function membersOf(record: Readonly<Record<string, unknown>>, isWanted: (name: string) => boolean): string[] {
  return Object.entries(record)
    .filter(([name, value]) => value !== undefined && isWanted(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${writeAnything(value)}`);
}
