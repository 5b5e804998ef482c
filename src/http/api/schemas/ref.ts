import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';

/**
 * A reference to a schema registered by its `$id`: OpenAPI gets the `$ref`, handlers the type.
 * `options` apply to the reference, such as the description of a response.
 */
export function ref<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  const { $id } = schema as { $id?: string };
  if ($id === undefined) throw new Error('Only a schema with an $id can be referred to');
  return Type.Unsafe<Static<T>>({ ...options, $ref: $id });
}

export function oneOf<T extends string>(values: readonly T[], options: TSchemaOptions = {}) {
  return Type.Unsafe<T>({ ...options, type: 'string', enum: [...values] });
}

/** The type of a value or null, in the JSON Schema form of OpenAPI 3.1. */
export function nullable<T>(type: string, options: TSchemaOptions = {}) {
  return Type.Unsafe<T | null>({ ...options, type: [type, 'null'] });
}
