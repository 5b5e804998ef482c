import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertProperty } from './support/fast-check.ts';
import { LONG_FILES, longestFirst } from './support/longest-first.ts';

describe('the order of test files', () => {
  test('names files that exist, each once', () => {
    expect(LONG_FILES.filter((path) => !existsSync(path))).toEqual([]);
    expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
  });

  test('loses none and adds none, begins with the long ones, and leaves the others as they came', () => {
    const paths = fc.uniqueArray(fc.oneof(fc.constantFrom(...LONG_FILES), fc.string()));
    assertProperty(
      fc.property(paths, (files) => {
        const long = LONG_FILES.filter((path) => files.includes(path));
        const others = files.filter((path) => !LONG_FILES.includes(path));
        expect(longestFirst(files, (path) => path)).toEqual([...long, ...others]);
      }),
    );
  });
});
