import { describe, expect, it } from 'vitest';
import { statePath } from '../../machines/index.ts';

describe('the path of a state', () => {
  it('joins the steps to the active leaf with dots', () => {
    expect(statePath('confirming')).toBe('confirming');
    expect(statePath({ open: 'inReview' })).toBe('open.inReview');
    expect(statePath({ a: { b: 'c' } })).toBe('a.b.c');
  });

  it('is undefined for parallel regions', () => {
    expect(() => statePath({ one: 'a', two: 'b' })).toThrow('parallel regions');
    expect(() => statePath({ one: {} })).toThrow(RangeError);
  });
});
