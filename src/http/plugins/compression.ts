import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

/** Supported content codings, in order of preference (RFC 9110, 8.4.1). */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A smaller body fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_000;

/**
 * Pages are rendered per request, so compression must be fast. On a slow line a compressed page
 * arrives in the first flight of packets (RFC 6928), which saves a round trip.
 */
const PAGE_QUALITY = { br: 4, gzip: 6 } as const;

export interface Body {
  readonly bytes: Buffer;
  /** Null when it is not compressed. */
  readonly encoding: Encoding | null;
}

/**
 * The best supported coding that the client accepts; null for none. A coding with `q=0` is
 * rejected.
 */
export function encodingFor(acceptEncoding: string | string[] | undefined): Encoding | null {
  const accepted = String(acceptEncoding ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q\s*=\s*0(?:\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? null;
}

/**
 * Compresses a page. No secret is compressed together with text that an attacker chooses, so
 * the length reveals nothing.
 */
export async function compressPage(text: string, encoding: Encoding | null): Promise<Body> {
  const bytes = Buffer.from(text);
  if (encoding === null || bytes.length < MIN_COMPRESSED_BYTES) return { bytes, encoding: null };
  const packed =
    encoding === 'br'
      ? brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: PAGE_QUALITY.br } })
      : gzipAsync(bytes, { level: PAGE_QUALITY.gzip });
  return { bytes: await packed, encoding };
}

/** All encodings of a constant file, computed once at startup with the strongest compression. */
export function compressFile(text: string): (encoding: Encoding | null) => Body {
  const plain: Body = { bytes: Buffer.from(text), encoding: null };
  if (plain.bytes.length < MIN_COMPRESSED_BYTES) return () => plain;
  const packed: { readonly [E in Encoding]: Body } = {
    br: { bytes: brotliCompressSync(plain.bytes), encoding: 'br' },
    gzip: { bytes: gzipSync(plain.bytes, { level: constants.Z_BEST_COMPRESSION }), encoding: 'gzip' },
  };
  return (encoding) => (encoding === null ? plain : packed[encoding]);
}

// Helpers

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
