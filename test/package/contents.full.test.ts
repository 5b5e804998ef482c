import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pack } from './pack.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Compressed, without dependencies. */
const MAX_TARBALL_BYTES = 2_000_000;

describe('the package', () => {
  test('contains what its entries and the service need, and no tests, benches, maps or secrets', () => {
    const { files, size, unpackedSize } = pack(['--dry-run']);
    console.log(`The package: ${files.length} files, ${size} bytes packed, ${unpackedSize} unpacked`);
    const paths = files.map(({ path }) => path);
    const { exports, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
      bin: Readonly<Record<string, string>>;
    };
    const entries = Object.values(exports).flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)));
    for (const entry of [...entries, ...Object.values(bin)]) expect(paths).toContain(entry.replace('./', ''));
    for (const path of paths) expect(path).toMatch(/^(dist\/(machines|src|console)\/|[A-Z]+(\.md)?$|package\.json$)/);
    expect(paths.filter((path) => /\.(map|tsx?|env|key|pem)$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
    expect(size).toBeLessThan(MAX_TARBALL_BYTES);
  }, 600_000);
});
