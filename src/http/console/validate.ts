import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import * as Value from 'typebox/value';
import { TerminalError } from '../../platform/errors.ts';

/** The validator compiler of the console: routes get requests as `validate` returns them. */
export const compileValidator: FastifySchemaCompiler<FastifySchema> =
  ({ schema, httpPart }) =>
  (value: unknown) => {
    try {
      const given = httpPart === 'querystring' ? fromQuery(schema as TSchema, value as Query) : value;
      return { value: validate(schema as TSchema, given) };
    } catch (error) {
      if (error instanceof Error) return { error };
      throw error;
    }
  };

/**
 * Reads a JSON object with the fields of the schema and no others. Optional fields that are missing
 * or null are absent from the result, but null is a value in an object within, and in one with
 * `nullIsValue`; integers may be text, as in a query. Throws a `TerminalError` `INVALID_REQUEST`
 * that names the first wrong field.
 */
export function validate(schema: TSchema, value: unknown): unknown {
  return readObject(schema, value, '');
}

// Helpers

/** The keywords of JSON Schema that the schemas of the console use. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  /** For changes, where null differs from an omitted field. */
  readonly nullIsValue?: boolean;
  /** For lists whose filters may be left empty. */
  readonly emptyIsMissing?: boolean;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The end of a sentence that starts with the field. */
  readonly errorMessage?: string;
  /** Instead of `INVALID_REQUEST`. */
  readonly errorCode?: string;
}

const MAX_NAME_CHARACTERS = 50;
/** Integers accepted in a query; JavaScript numbers represent all of them exactly. */
const WHOLE = /^-?\d{1,15}$/;

type Query = Readonly<Record<string, unknown>>;

/** A query has text alone: `true` is a boolean, and with `emptyIsMissing` empty is missing. */
function fromQuery({ properties = {}, emptyIsMissing = false }: Schema, query: Query): Query {
  const read = (name: string, value: unknown) => {
    const isFlag = properties[name]?.type === 'boolean' && (value === 'true' || value === 'false');
    return isFlag ? value === 'true' : value;
  };
  const given = Object.entries(query).filter(([, value]) => !emptyIsMissing || value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, read(name, value)]));
}

/** `path` precedes the names of the fields in messages. */
function readObject(schema: Schema, value: unknown, path: string) {
  const { properties = {}, required = [], minProperties, nullIsValue = path !== '' } = schema;
  const names = Object.keys(properties).join(', ');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('body', `must be a JSON object with ${names}`);
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) {
    throw invalid(JSON.stringify(unknown.slice(0, MAX_NAME_CHARACTERS)), `is unknown; the fields are ${names}`);
  }
  const given = value as Readonly<Record<string, unknown>>;
  const read = Object.entries(properties).flatMap(([name, field]) => {
    const isMissing = given[name] === undefined || (given[name] === null && !nullIsValue);
    return isMissing && !required.includes(name) ? [] : [[name, readValue(field, given[name], path + name)] as const];
  });
  if (minProperties === undefined || read.length >= minProperties) return Object.fromEntries(read);
  throw new TerminalError('INVALID_REQUEST', `At least one field is required: ${names}`);
}

function readValue(schema: Schema, value: unknown, name: string): unknown {
  if (schema.properties !== undefined) return readObject(schema, value, `${name}.`);
  const { items, maxItems = 0 } = schema;
  if (items !== undefined) {
    if (!Array.isArray(value) || value.length > maxItems) throw invalid(name, `must be a list of at most ${maxItems}`);
    return value.map((item: unknown, index) => readValue(items, item, `${name}[${index}]`));
  }
  const isWholeText = schema.type === 'integer' && typeof value === 'string' && WHOLE.test(value);
  const read = isWholeText ? Number(value) : value;
  if (Value.Check(schema as TSchema, read)) return read;
  throw invalid(name, problemOf(schema, read), schema.errorCode);
}

/** What is wrong with the value, as the end of a sentence that starts with the field. */
function problemOf(schema: Schema, value: unknown): string {
  const [error] = Value.Errors(schema as TSchema, value);
  // The conditions of `refined` carry their messages.
  return error?.keyword === '~refine' ? error.message : expectationOf(schema);
}

function expectationOf({ anyOf: [first] = [], ...schema }: Schema): string {
  if (schema.errorMessage !== undefined) return schema.errorMessage;
  if (first !== undefined) return expectationOf(first);
  if (schema.enum !== undefined) return `must be one of ${schema.enum.join(', ')}`;
  if (schema.type === 'integer') return `must be a whole number from ${schema.minimum} to ${schema.maximum}`;
  return 'must be true or false';
}

function invalid(name: string, problem: string, code = 'INVALID_REQUEST'): TerminalError {
  return new TerminalError(code, `${name} ${problem}`, { field: name });
}
