import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MAX_SAVED_VIEWS,
  MAX_VIEW_NAME_CHARACTERS,
  readViews,
  type SavedView,
  withNewName,
  withoutView,
  withView,
} from '../../src/web/state/saved-views.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const page = fc.constantFrom('actors', 'payments');
/** Few enough that names collide. */
const name = fc.nat({ max: 40 }).map((number) => `view ${number}`);
const view: fc.Arbitrary<SavedView> = fc.record({ page, name, query: fc.constantFrom('a=1', 'b=2&c=3') });
const change: fc.Arbitrary<(views: readonly SavedView[]) => readonly SavedView[]> = fc.oneof(
  { weight: 4, arbitrary: view.map((saved) => (views: readonly SavedView[]) => withView(views, saved)) },
  fc
    .record({ page, name, newName: name })
    .map((renamed) => (views: readonly SavedView[]) => withNewName(views, renamed)),
  fc.record({ page, name }).map((removed) => (views: readonly SavedView[]) => withoutView(views, removed)),
);

describe('saved views', () => {
  test('are limited, have unique names per page, and survive storage, after any operations', () => {
    assertProperty(
      fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
        const views = changes.reduce<readonly SavedView[]>((before, next) => next(before), []);
        expect(views.length).toBeLessThanOrEqual(MAX_SAVED_VIEWS);
        expect(new Set(views.map((one) => `${one.page} ${one.name}`)).size).toBe(views.length);
        expect(readViews(JSON.parse(JSON.stringify(views)))).toEqual(views);
      }),
    );
  });

  test('keep their filter when renamed, and replace only a view with the new name on the same page', () => {
    const views = [
      { page: 'actors', name: 'late', query: 'late=1' },
      { page: 'actors', name: 'old', query: 'rest=7d' },
      { page: 'payments', name: 'late', query: 'status=expired' },
    ] as const;
    const renamed = { page: 'actors', name: 'late', newName: 'old' } as const;
    expect(withNewName(views, renamed)).toEqual([{ page: 'actors', name: 'old', query: 'late=1' }, views[2]]);
    expect(withNewName(views, { ...renamed, newName: 'late' })).toEqual(views);
    expect(withoutView(views, { page: 'actors', name: 'late' })).toEqual([views[1], views[2]]);
  });

  test('are read from storage as far as they have the right shape', () => {
    assertProperty(
      fc.property(fc.anything(), (stored) => {
        for (const one of readViews(stored)) expect(Object.keys(one)).toEqual(['page', 'name', 'query']);
      }),
    );
    const long = { page: 'actors', name: 'x'.repeat(500), query: '' };
    expect(readViews([null, 1, { page: 'health', name: 'a', query: '' }, long])).toEqual([
      { ...long, name: 'x'.repeat(MAX_VIEW_NAME_CHARACTERS) },
    ]);
  });
});
