import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from '../../src/operations/journal/json-changes.ts';
import type { JsonChange } from '../../src/operations/types.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

test('the example of RFC 6901, section 5: slashes and tildes in names are escaped', () => {
  expect(changesBetween({ 'a/b': 1, 'm~n': 8, '': 0 }, { 'a/b': 2, 'm~n': 9, '': 1 })).toEqual([
    { path: '/', before: 0, after: 1 },
    { path: '/a~1b', before: 1, after: 2 },
    { path: '/m~0n', before: 8, after: 9 },
  ]);
});

test('an added value has no before, a removed one has no after', () => {
  expect(changesBetween({ gone: 1, same: [1, { x: null }] }, { same: [1, { x: null }, 2] })).toEqual([
    { path: '/gone', before: 1 },
    { path: '/same/2', after: 2 },
  ]);
});

test('applying the changes to the old value gives the new value', () => {
  assertProperty(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      // As the database would return them: no negative zero.
      const [before, after] = [one, other].map((each) => JSON.parse(JSON.stringify(each)));
      const changes = changesBetween(before, after);
      expect(changes.length === 0).toBe(isDeepStrictEqual(before, after));
      expect(carryOut(before, changes)).toEqual(after);
    }),
    { numRuns: level.runs(500) },
  );
});

/** Applies the changes. Array removals go from the end, so that indexes stay valid. */
function carryOut(value: unknown, changes: readonly JsonChange[]): unknown {
  const holder: Record<string, unknown> = { root: structuredClone(value) };
  for (const change of changes.toReversed()) {
    const steps = ['root', ...change.path.split('/').slice(1)].map((step) =>
      step.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    const last = steps.pop() ?? '';
    const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], holder);
    if ('after' in change)
      Object.defineProperty(target, last, {
        value: change.after,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else if (Array.isArray(target)) target.splice(Number(last), 1);
    else delete (target as Record<string, unknown>)[last];
  }
  return holder.root;
}
