import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWatchedScripts } from '../../src/chains/watched-scripts.ts';
import { assertProperty } from '../support/run/fast-check.ts';

/** Scripts with common prefixes and suffixes, like real ones, and keys that are not scripts. */
const script = fc
  .tuple(fc.constantFrom('0014', '5120', '76a914', 'a914', ''), fc.uint8Array({ maxLength: 40 }))
  .map(([prefix, rest]) => prefix + Buffer.from(rest).toString('hex'));
const key = fc.oneof(
  { weight: 8, arbitrary: script },
  fc.string(),
  fc.constantFrom('0x00ab', 'AB', 'abc', 'ff'.repeat(300)),
);

describe('watched scripts', () => {
  test('are exactly those added, looked up by hex and by bytes', () => {
    assertProperty(
      fc.property(fc.array(key, { maxLength: 200 }), fc.array(key, { maxLength: 50 }), (added, requested) => {
        const scripts = createWatchedScripts();
        const model = new Set<string>();
        for (const each of added) {
          scripts.add(each);
          model.add(each);
        }
        expect(scripts.size).toBe(model.size);
        for (const each of [...added, ...requested]) {
          expect(scripts.has(each), each).toBe(model.has(each));
          if (!isScript(each)) continue;
          const data = Buffer.from(`aa${each}bb`, 'hex');
          expect(scripts.hasBytes(data, 1, data.length - 1), each).toBe(model.has(each));
        }
      }),
    );
  });

  test('are unchanged when the set grows far beyond its first size', () => {
    const scripts = createWatchedScripts();
    const count = 50_000;
    const at = (index: number) => `0014${index.toString(16).padStart(40, '0')}`;
    for (let index = 0; index < count; index += 1) scripts.add(at(index));
    for (let index = 0; index < count; index += 1) scripts.add(at(index));
    expect(scripts.size).toBe(count);
    let found = 0;
    for (let index = 0; index < count * 2; index += 1) if (scripts.has(at(index))) found += 1;
    expect(found).toBe(count);
    expect(scripts.has(at(count - 1))).toBe(true);
    expect(scripts.has(at(count))).toBe(false);
  });

  test('throw when there is no room for more, and keep the existing ones', () => {
    const scripts = createWatchedScripts({ maxBytes: 3 * 23 });
    const at = (index: number) => `0014${index.toString(16).padStart(40, '0')}`;
    for (let index = 0; index < 3; index += 1) scripts.add(at(index));
    expect(() => scripts.add(at(3))).toThrow(/can watch at most 3 scripts .* split the merchants/);
    scripts.add(at(2));
    expect([0, 1, 2, 3].map((index) => scripts.has(at(index)))).toEqual([true, true, true, false]);
  });
});

function isScript(text: string): boolean {
  return /^(?:[0-9a-f]{2})+$/.test(text) && text.length <= 510;
}
