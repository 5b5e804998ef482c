import { TerminalError } from '../platform/errors.ts';

/** Largest image, in bytes as decoded from base64. */
export const MAX_IMAGE_BYTES = 256 * 1_024;

/** Longest side of an image, in pixels: browsers decode an image in full to show it. */
export const MAX_IMAGE_SIDE = 4_096;

/** An image that may be stored and shown. */
export interface Image {
  readonly contentType: ImageType;
  readonly bytes: Buffer;
}

/** `imageOf` for the bytes of a base64 data URL (RFC 2397), regardless of the declared type. */
export function readImage(dataUrl: string, name = 'image'): Image {
  const [, base64] = DATA_URL.exec(dataUrl) ?? [];
  if (base64 === undefined) {
    throw invalid(name, 'must be a base64 data URL, such as data:image/png;base64,iVBORw0KGgo…');
  }
  return imageOf(Buffer.from(base64, 'base64'), name);
}

/**
 * The image with these bytes, which determine its type. Throws `INVALID_REQUEST` (`TerminalError`),
 * with `name` as the field, unless it is a PNG, JPEG or WebP within the limits; SVG is rejected
 * because it can contain scripts.
 */
export function imageOf(bytes: Buffer, name: string): Image {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw invalid(name, `may have at most ${MAX_IMAGE_BYTES / 1_024} KB: save it smaller or in a lower quality`);
  }
  const header = measureImage(bytes);
  if (header === null) throw invalid(name, 'must be a PNG, JPEG or WebP file: convert it to one of these');
  const { contentType, width, height } = header;
  if (width === 0 || height === 0) throw invalid(name, 'has no pixels: save it again');
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    const limit = `may have at most ${MAX_IMAGE_SIDE} pixels a side`;
    throw invalid(name, `${limit} and has ${width} × ${height}: scale it down`);
  }
  return { contentType, bytes };
}

type ImageType = (typeof IMAGE_TYPES)[number];

/** The header of an image. Sizes are in pixels. */
interface ImageHeader {
  readonly contentType: ImageType;
  readonly width: number;
  readonly height: number;
}

/**
 * Type and size of an image by its first bytes, regardless of its name; null for anything but PNG,
 * JPEG and WebP, and for a header that is cut off.
 */
export function measureImage(bytes: Buffer): ImageHeader | null {
  return measurePng(bytes) ?? measureJpeg(bytes) ?? measureWebp(bytes);
}

// Helpers

const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/;

function invalid(name: string, rule: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${rule}`, { field: name });
}

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** PNG (ISO/IEC 15948), 11.2.1: the header chunk comes first. */
function measurePng(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_SIGNATURE) || !says(bytes, 12, 'IHDR')) return null;
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** JPEG (ITU-T T.81), annex B: segments, one of which begins the frame and has its size. */
function measureJpeg(bytes: Buffer): ImageHeader | null {
  if (!says(bytes, 0, '\xff\xd8\xff')) return null;
  let at = 2;
  while (at + 9 <= bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return null;
    if (isFrameMarker(marker)) {
      return { contentType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    // Any number of fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** SOF0 to SOF15, without the markers for tables (DHT, DAC) and extensions (JPG) among them. */
function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** WebP (RFC 9649): lossy (VP8), lossless (VP8L) or extended (VP8X). */
function measureWebp(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 30 || !says(bytes, 0, 'RIFF') || !says(bytes, 8, 'WEBP')) return null;
  const size = sizeOfWebp(bytes);
  return size === null ? null : { contentType: 'image/webp', ...size };
}

function sizeOfWebp(bytes: Buffer): Omit<ImageHeader, 'contentType'> | null {
  if (says(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (says(bytes, 12, 'VP8L') && bytes.readUInt8(20) === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  // The two highest bits of each are a scale.
  if (says(bytes, 12, 'VP8 ') && says(bytes, 23, '\x9d\x01\x2a')) {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  return null;
}

function says(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}
