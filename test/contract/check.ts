/**
 * A small checker for the tables of this folder. The tables repeat the interface document by hand,
 * independently of the schemas the service is built from, so that a change has to be made twice, on
 * purpose.
 */

/** The allowed types of a value. */
export type Type =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'uri'
  | 'email'
  | 'uuid'
  /** RFC 3339 in UTC, to the millisecond, with Z. */
  | 'date-time'
  /** Money in a webhook: digits, optionally followed by a dot and more digits. */
  | 'decimal string'
  | 'free-form object'
  | { readonly oneOf: readonly (string | number | boolean)[] }
  | { readonly listOf: Type }
  /** An object whose keys are data, like coins. */
  | { readonly byName: Type; readonly names: readonly string[] }
  | { readonly fields: FieldTable };

export interface Field {
  readonly type: Type;
  /** As in the interface. The service also sends optional fields, except as `absent` says. */
  readonly required: 'yes' | 'no';
  readonly nullable?: true;
  /** When the field is left out. */
  readonly absent?: string;
}

export type FieldTable = Readonly<Record<string, Field>>;

/** A field that the interface does not have, and the reason for it. */
export interface AddedField extends Field {
  readonly why: string;
}

/** Violations of a type in a value, with their paths; empty when the value matches exactly. */
export function violations(value: unknown, type: Type, path = ''): string[] {
  if (typeof type === 'string') return isA(type, value) ? [] : [`${path} is no ${type}: ${shown(value)}`];
  if ('oneOf' in type) {
    return type.oneOf.some((allowed) => allowed === value) ? [] : [`${path} is not allowed: ${shown(value)}`];
  }
  if ('listOf' in type) {
    if (!Array.isArray(value)) return [`${path} is no list: ${shown(value)}`];
    return value.flatMap((element, index) => violations(element, type.listOf, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [`${path} is no object: ${shown(value)}`];
  if ('byName' in type) {
    return Object.entries(value).flatMap(([name, element]) =>
      type.names.includes(name)
        ? violations(element, type.byName, below(path, name))
        : [`${below(path, name)} is no name that is known`],
    );
  }
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(type.fields, name));
  return [
    ...unknown.map((name) => `${below(path, name)} is not part of the interface`),
    ...Object.entries(type.fields).flatMap(([name, field]) => fieldViolations(value, field, name, path)),
  ];
}

// Helpers

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const EMAIL = /^[^@\s]+@[^@\s]+$/;
/** RFC 9562 in lower case, its output form. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_SHOWN = 100;

function fieldViolations(record: object, field: Field, name: string, path: string): string[] {
  if (!Object.hasOwn(record, name)) return field.absent === undefined ? [`${below(path, name)} is missing`] : [];
  const value: unknown = Reflect.get(record, name);
  if (value === null && field.nullable) return [];
  return violations(value, field.type, below(path, name));
}

function isA(type: Extract<Type, string>, value: unknown): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'free-form object':
      return isRecord(value);
    case 'string':
      return typeof value === 'string' && value !== '';
    case 'uri':
      return typeof value === 'string' && URL.canParse(value);
    case 'email':
      return typeof value === 'string' && EMAIL.test(value);
    case 'uuid':
      return typeof value === 'string' && UUID.test(value);
    case 'date-time':
      return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
    case 'decimal string':
      return typeof value === 'string' && DECIMAL.test(value);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, MAX_SHOWN);
}
