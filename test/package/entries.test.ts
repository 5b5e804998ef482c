import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** contents.full.test.ts checks what `npm pack` makes of these. */
test('every entry of the package is built and is among the packed files', () => {
  const { exports, bin, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
    bin: Readonly<Record<string, string>>;
    files: readonly string[];
  };
  const packed = files.map((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replace('**/*', '.+')}$`));
  const entries = Object.values(exports).flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)));
  for (const entry of [...entries, ...Object.values(bin)]) {
    expect(existsSync(join(ROOT, entry)), entry).toBe(true);
    const path = entry.replace('./', '');
    // npm always packs package.json.
    if (path !== 'package.json')
      expect(
        packed.some((pattern) => pattern.test(path)),
        entry,
      ).toBe(true);
  }
});
