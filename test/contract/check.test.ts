import { expect, test } from 'vitest';
import { type FieldTable, type Type, violations } from './check.ts';
import { ALL_ENDPOINTS } from './tables/endpoints.ts';
import { ERROR_STATUSES, errorEnvelope } from './tables/errors.ts';
import { PAYMENT_EVENTS, paymentEvent, RECURRING_EVENTS, recurringEvent } from './tables/webhook.ts';

/** Every table that answers and webhooks are checked against. */
const TABLES: readonly (readonly [name: string, table: FieldTable])[] = [
  ...Object.entries(ALL_ENDPOINTS).flatMap(([name, { response }]) => {
    if ('location' in response) return [];
    const data: Type = 'bare' in response ? response.bare : response.envelope;
    return [[`the response of ${name}`, { data: { type: data, required: 'yes' } }] as const];
  }),
  ...Object.keys(ERROR_STATUSES).map((code) => [code, errorEnvelope(code)] as const),
  ...Object.keys(PAYMENT_EVENTS).map((event) => [event, paymentEvent(event)] as const),
  ...RECURRING_EVENTS.map((event) => [event, recurringEvent(event, true)] as const),
];

test.each(TABLES)('the checker finds each single error in a value of %s', (_name, fields) => {
  for (const { path, change } of mistakesIn({ fields })) {
    const value = sampleOf({ fields });
    change(value);
    const found = violations(value, { fields });
    expect(found, path).toHaveLength(1);
    expect(found[0]).toContain(path);
  }
});

test.each(TABLES)('no field of %s that the API requires may be missing', (_name, table) => {
  expect(fieldsOf({ fields: table }).filter(({ required, absent }) => required === 'yes' && absent)).toEqual([]);
});

test.each<[Type, unknown]>([
  ['number', '1'],
  ['number', Number.NaN],
  ['integer', 1.5],
  ['boolean', 'true'],
  ['uri', '/relative'],
  ['email', 'nobody'],
  ['uuid', '0d6f2c1e5b7a4c399e148a2f7b61c5d3'],
  ['date-time', '2026-11-21T10:00:00Z'],
  ['date-time', '2026-11-21T10:00:00.000+00:00'],
  ['date-time', '2026-11-31T25:00:00.000Z'],
  ['decimal string', 25],
  ['decimal string', '1e2'],
  ['decimal string', '.5'],
  ['free-form object', []],
  [{ oneOf: ['a'] }, 'b'],
  [{ listOf: 'string' }, {}],
  [{ byName: 'integer', names: ['a'] }, { b: 1 }],
])('the checker rejects as %j: %j', (type, value) => {
  expect(violations(value, type)).toHaveLength(1);
});

// Helpers

const SAMPLES = {
  string: 'text',
  number: 0.1,
  integer: 3,
  boolean: true,
  uri: 'https://example.com/',
  email: 'jo@example.com',
  uuid: '0d6f2c1e-5b7a-4c39-9e14-8a2f7b61c5d3',
  'date-time': '2026-11-21T10:00:00.000Z',
  'decimal string': '12.5',
  'free-form object': {},
} as const satisfies Record<Extract<Type, string>, unknown>;

/**
 * A new value that a type allows, with every field and one element in each list that can have any.
 */
function sampleOf(type: Type): Record<string, unknown> {
  const build = (each: Type): unknown => {
    if (typeof each === 'string') return SAMPLES[each];
    if ('oneOf' in each) return each.oneOf[0];
    if ('listOf' in each) return isEmptyType(each.listOf) ? [] : [build(each.listOf)];
    if ('byName' in each) return Object.fromEntries(each.names.slice(0, 1).map((name) => [name, build(each.byName)]));
    return Object.fromEntries(Object.entries(each.fields).map(([name, field]) => [name, build(field.type)]));
  };
  return build(type) as Record<string, unknown>;
}

interface Mistake {
  readonly path: string;
  readonly change: (value: Record<string, unknown>) => void;
}

/** One field missing, of another type, or extra: at the top of a table, and one level below. */
function mistakesIn(type: { readonly fields: FieldTable }): Mistake[] {
  return Object.entries(type.fields).flatMap(([name, field]) => {
    const inner = field.type;
    const own: Mistake[] = [
      { path: name, change: (value) => Reflect.set(value, name, Symbol.iterator) },
      ...(field.absent === undefined ? [{ path: name, change: (v: object) => Reflect.deleteProperty(v, name) }] : []),
      { path: 'undocumented', change: (value) => Reflect.set(value, 'undocumented', 1) },
    ];
    if (typeof inner === 'string' || !('fields' in inner)) return own;
    const below = mistakesIn(inner).map(({ path, change }) => ({
      path: path === 'undocumented' ? path : `${name}.${path}`,
      change: (value: Record<string, unknown>) => change(value[name] as Record<string, unknown>),
    }));
    return [...own, ...below];
  });
}

function fieldsOf(type: Type): FieldTable[string][] {
  if (typeof type === 'string' || 'oneOf' in type) return [];
  if ('listOf' in type) return fieldsOf(type.listOf);
  if ('byName' in type) return fieldsOf(type.byName);
  return Object.values(type.fields).flatMap((field) => [field, ...fieldsOf(field.type)]);
}

function isEmptyType(type: Type): boolean {
  return typeof type !== 'string' && 'oneOf' in type && type.oneOf.length === 0;
}
