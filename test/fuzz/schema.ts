/** The subset of JSON Schema that describes requests. */
export interface Schema {
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** Schemas that `$ref` refers to, by `#/components/schemas/<name>`. */
export type SharedSchemas = Readonly<Record<string, object>>;

/**
 * Reads a schema and resolves its references. Throws on anything the generators would otherwise
 * ignore and so never test.
 */
export function readSchema(schema: object, where: string, shared: SharedSchemas = {}): Schema {
  if ('$ref' in schema) return readSchema(referredTo(String(schema.$ref), where, shared), where, shared);
  for (const [keyword, value] of Object.entries(schema)) {
    if (SAYS_NOTHING.has(keyword)) continue;
    if (!KNOWN.has(keyword)) {
      throw new Error(
        `${where} uses the keyword "${keyword}", which test/fuzz does not generate: teach it in schema.ts`,
      );
    }
    if (keyword === 'additionalProperties' && typeof value !== 'boolean') {
      throw new Error(`${where} has a schema for additionalProperties, which test/fuzz does not generate`);
    }
  }
  // Every keyword was checked above; test/http/api/document/openapi.test.ts checks the whole
  // document.
  const { properties, items, ...rest } = schema as Schema;
  const fields = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    readSchema(property, `${where}.${name}`, shared),
  ]);
  const read: Schema = {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) as Record<string, Schema> }),
    ...(items === undefined ? {} : { items: readSchema(items, `${where}[]`, shared) }),
  };
  if (typesOf(read).length === 0) throw new Error(`${where} names neither a type nor values`);
  return read;
}

export function typesOf({ type, enum: values, const: only }: Schema): readonly JsonType[] {
  if (type !== undefined) return [type].flat() as readonly JsonType[];
  return [...new Set([values ?? [], only === undefined ? [] : [only]].flat().map(typeOf))];
}

// Helpers

const KNOWN: ReadonlySet<string> = new Set<keyof Schema>([
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
]);
const SAYS_NOTHING: ReadonlySet<string> = new Set(['description', 'default', 'title', 'examples', 'example']);

function referredTo(reference: string, where: string, shared: SharedSchemas): object {
  const found = shared[reference.replace('#/components/schemas/', '')];
  if (found !== undefined) return found;
  throw new Error(`${where} refers to ${reference}, which test/fuzz does not find`);
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}
