import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressFile, compressPage, type Encoding, encodingFor } from '../../../src/http/plugins/compression.ts';

const UNPACK: { readonly [E in Encoding]: (bytes: Buffer) => Buffer } = { br: brotliDecompressSync, gzip: gunzipSync };
const TEXT = 'Zażółć gęślą jaźń, <p>Ähre</p>\n'.repeat(200);

describe('content encoding', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000,gzip ; q=0', null],
    ['br;q=0.5, gzip;q=1', 'br'],
    ['brotli', null],
  ])('for Accept-Encoding %j is %j', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding);
  });

  test.each(['br', 'gzip'] as const)('%s round-trips the text, in a fraction of the bytes', async (encoding) => {
    for (const body of [await compressPage(TEXT, encoding), compressFile(TEXT)(encoding)]) {
      expect(body.encoding).toBe(encoding);
      expect(UNPACK[encoding](body.bytes).toString()).toBe(TEXT);
      expect(body.bytes.length).toBeLessThan(Buffer.byteLength(TEXT) / 10);
    }
  });

  test('is not used if the client accepts none, or for small responses', async () => {
    expect(await compressPage(TEXT, null)).toEqual({ bytes: Buffer.from(TEXT), encoding: null });
    expect(compressFile(TEXT)(null)).toEqual({ bytes: Buffer.from(TEXT), encoding: null });
    expect(await compressPage('short', 'br')).toEqual({ bytes: Buffer.from('short'), encoding: null });
    expect(compressFile('short')('gzip')).toEqual({ bytes: Buffer.from('short'), encoding: null });
  });
});
