import { TerminalError } from '../platform/errors.ts';
import { type ImageType, measureImage } from './measure-image.ts';

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

// Helpers

const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+;base64,([A-Za-z0-9+/]+={0,2})$/;

function invalid(name: string, rule: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${rule}`, { field: name });
}
