import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

/** Content codings that are offered, the better one first (RFC 9110, 8.4.1). */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Below this a text fits one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_000;

/**
 * A page is made anew for every reader, so it is compressed fast: on a slow line it then arrives in the first flight of packets
 * (RFC 6928) instead of the second, which saves a round trip.
 */
const PAGE_QUALITY = { br: 4, gzip: 6 } as const;

/** A body as it goes over the line. */
export interface Body {
  readonly bytes: Buffer;
  /** Null when it is sent as it is. */
  readonly encoding: Encoding | null;
}

/** The best coding that a reader takes; null when it takes none. What it refuses with `q=0` is not taken. */
export function encodingFor(acceptEncoding: string | string[] | undefined): Encoding | null {
  const accepted = String(acceptEncoding ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q\s*=\s*0(?:\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? null;
}

/** Compresses a page. Nothing secret stands beside text of a reader's choosing in it, so its length tells nothing. */
export async function compressPage(text: string, encoding: Encoding | null): Promise<Body> {
  const bytes = Buffer.from(text);
  if (encoding === null || bytes.length < MIN_COMPRESSED_BYTES) return { bytes, encoding: null };
  const packed =
    encoding === 'br'
      ? brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: PAGE_QUALITY.br } })
      : gzipAsync(bytes, { level: PAGE_QUALITY.gzip });
  return { bytes: await packed, encoding };
}

/** All forms of a file that never changes, made once at start and as small as they get. */
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
