import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { filters, line, list, nullable, oneOf, text, whole } from '../../../src/http/console/schema.ts';
import { compileValidator, validate } from '../../../src/http/console/validate.ts';

const Schema = Type.Object({
  name: text(5),
  note: Type.Optional(line(20)),
  count: Type.Optional(whole(1, 9)),
  kind: Type.Optional(oneOf(['a', 'b'])),
  tags: Type.Optional(list(text(2), 2)),
  isOn: Type.Optional(Type.Boolean()),
  window: Type.Optional(
    Type.Object({ minutes: Type.Optional(nullable(whole(1, 9))), count: Type.Optional(whole(1, 9)) }),
  ),
});

test.each([
  [{ name: 'x' }, { name: 'x' }],
  // Null is missing, but a value in an object within.
  [
    { name: 'x', note: null, window: { minutes: null } },
    { name: 'x', window: { minutes: null } },
  ],
  // A query has no numbers.
  [
    { name: 'x', count: '7' },
    { name: 'x', count: 7 },
  ],
  [
    { name: 'x', kind: 'b', tags: ['t', 'u'], isOn: false },
    { name: 'x', kind: 'b', tags: ['t', 'u'], isOn: false },
  ],
])('reads %j as %j', (given, read) => {
  expect(validate(Schema, given)).toEqual(read);
});

test.each([
  [undefined, 'body must be a JSON object with name, note, count, kind, tags, isOn, window'],
  [[], 'body must be a JSON object with name, note, count, kind, tags, isOn, window'],
  [{ other: 1 }, '"other" is unknown; the fields are name, note, count, kind, tags, isOn, window'],
  [{}, 'name must be text of 1 to 5 characters'],
  [{ name: null }, 'name must be text of 1 to 5 characters'],
  [{ name: '' }, 'name must be text of 1 to 5 characters'],
  [{ name: 5 }, 'name must be text of 1 to 5 characters'],
  // Lengths are UTF-16 units, as in JavaScript.
  [{ name: '👍👍👍' }, 'name must be text of 1 to 5 characters'],
  [{ name: '\0' }, 'name must be text of 1 to 5 characters'],
  [{ name: '\ud800' }, 'name must be text of 1 to 5 characters'],
  [{ name: 'x', note: 'a\nb' }, 'note must be one line of text without control characters, and not blank'],
  [{ name: 'x', note: 'a'.repeat(21) }, 'note must be text of 1 to 20 characters'],
  [{ name: 'x', count: 10 }, 'count must be a whole number from 1 to 9'],
  [{ name: 'x', count: '1.5' }, 'count must be a whole number from 1 to 9'],
  [{ name: 'x', kind: 'c' }, 'kind must be one of a, b'],
  [{ name: 'x', tags: 't' }, 'tags must be a list of at most 2'],
  [{ name: 'x', tags: ['t', 't', 't'] }, 'tags must be a list of at most 2'],
  [{ name: 'x', tags: ['t', ''] }, 'tags[1] must be text of 1 to 2 characters'],
  [{ name: 'x', isOn: 'yes' }, 'isOn must be true or false'],
  [{ name: 'x', window: { count: null } }, 'window.count must be a whole number from 1 to 9'],
  [{ name: 'x', window: { minutes: 0 } }, 'window.minutes must be a whole number from 1 to 9'],
])('rejects %j', (given, message) => {
  expect(() => validate(Schema, given)).toThrow(message);
});

test('a change names at least one field', () => {
  const Change = Type.Object(
    { name: Type.Optional(text(5)), isOn: Type.Optional(Type.Boolean()) },
    { minProperties: 1 },
  );
  expect(validate(Change, { isOn: true })).toEqual({ isOn: true });
  expect(() => validate(Change, { name: null })).toThrow('At least one field is required: name, isOn');
});

test('null is a value where a change says so', () => {
  const Change = Type.Object(
    { limit: Type.Optional(nullable(whole(1, 9))), isOn: Type.Optional(Type.Boolean()) },
    { nullIsValue: true },
  );
  expect(validate(Change, { limit: null })).toEqual({ limit: null });
  expect(() => validate(Change, { isOn: null })).toThrow('isOn must be true or false');
});

test('a query has text alone, and in a list of filters an empty field is a missing one', () => {
  const reading = (schema: object) => compileValidator({ schema, method: 'GET', url: '/', httpPart: 'querystring' });
  const [read, readFilters] = [reading(Schema), reading(filters(Schema.properties))];
  for (const each of [read, readFilters]) {
    expect(each({ name: 'x', count: '7', isOn: 'false' })).toEqual({ value: { name: 'x', count: 7, isOn: false } });
    expect(each({ name: 'x', isOn: 'no' })).toMatchObject({ error: { message: 'isOn must be true or false' } });
    expect(each({ name: '' })).toMatchObject({ error: { message: 'name must be text of 1 to 5 characters' } });
  }
  expect(readFilters({ name: 'x', note: '', count: '' })).toEqual({ value: { name: 'x' } });
  expect(read({ name: 'x', note: '' })).toMatchObject({ error: { message: expect.stringContaining('note must be') } });
});

test('a body has booleans, not text', () => {
  const read = compileValidator({ schema: Schema as object, method: 'POST', url: '/', httpPart: 'body' });
  expect(read({ name: 'x', isOn: 'false' })).toMatchObject({ error: { message: 'isOn must be true or false' } });
});
