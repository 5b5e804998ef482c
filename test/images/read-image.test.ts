import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Image, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, readImage } from '../../src/images/index.ts';
import { measureImage } from '../../src/images/read-image.ts';
import { TerminalError } from '../../src/platform/errors.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { bytesOfImage, IMAGES, LARGEST_IMAGE } from './samples.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const urlOf = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;

/** A PNG with that size in its header. */
function pngOf(width: number, height: number): string {
  const bytes = bytesOfImage(IMAGES.PNG);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return urlOf(bytes);
}

describe('an uploaded image', () => {
  test.each([
    ['PNG', 'image/png'],
    ['JPEG', 'image/jpeg'],
    ['LOSSY_WEBP', 'image/webp'],
    ['LOSSLESS_WEBP', 'image/webp'],
    ['EXTENDED_WEBP', 'image/webp'],
  ] as const)('%s has the type and size of its bytes, whatever the URL declares', (name, contentType) => {
    const bytes = bytesOfImage(IMAGES[name]);
    expect(measureImage(bytes)).toEqual({ contentType, width: 6, height: 4 });
    expect(readImage(urlOf(bytes, 'image/svg+xml'))).toEqual({ contentType, bytes } satisfies Image);
  });

  test('may be as large as the limits, and no larger', () => {
    expect(readImage(pngOf(MAX_IMAGE_SIDE, MAX_IMAGE_SIDE)).contentType).toBe('image/png');
    const full = readImage(LARGEST_IMAGE).bytes;
    expect(full.length).toBe(MAX_IMAGE_BYTES);
    expectRejection(urlOf(Buffer.concat([full, Buffer.alloc(1)])), /^image may have at most 256 KB/);
    for (const [width, height] of [
      [MAX_IMAGE_SIDE + 1, 1],
      [1, MAX_IMAGE_SIDE + 1],
      [2 ** 32 - 1, 1],
    ] as const) {
      expectRejection(pngOf(width, height), new RegExp(`at most 4096 pixels a side and has ${width} × ${height}`));
    }
    expectRejection(pngOf(0, 4), /no pixels/);
  });

  test.each([
    ['an SVG', urlOf(Buffer.from(SVG), 'image/svg+xml'), /PNG, JPEG or WebP/],
    ['an SVG that is called a PNG', urlOf(Buffer.from(SVG)), /PNG, JPEG or WebP/],
    ['a GIF', urlOf(Buffer.from(`GIF89a${'\0'.repeat(40)}`)), /PNG, JPEG or WebP/],
    ['an address', 'https://shop.example/mug.png', /base64 data URL/],
    ['a data URL without base64', 'data:image/png,abc', /base64 data URL/],
    ['no bytes', 'data:image/png;base64,', /base64 data URL/],
    ['base64 with blanks', `${IMAGES.PNG} `, /base64 data URL/],
  ])('is refused by name when it is %s', (_, dataUrl, message) => {
    expectRejection(dataUrl, message);
  });

  test('property: bytes that are cut off or changed are read or refused, and nothing else', () => {
    const changed = fc
      .record({
        image: fc.constantFrom(...Object.values(IMAGES)),
        length: fc.nat({ max: 800 }),
        changes: fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 255 })), { maxLength: 4 }),
      })
      .map(({ image, length, changes }) => {
        const bytes = bytesOfImage(image).subarray(0, length + 1);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        return bytes;
      });
    assertProperty(
      fc.property(changed, (bytes) => {
        const header = measureImage(bytes);
        const isFit =
          header !== null && [header.width, header.height].every((side) => side > 0 && side <= MAX_IMAGE_SIDE);
        if (isFit) expect(readImage(urlOf(bytes)).contentType).toBe(header.contentType);
        else expectRejection(urlOf(bytes), /^image /);
      }),
      { numRuns: level.runs(500) },
    );
  });
});

// Helpers

function expectRejection(dataUrl: string, message: RegExp): void {
  try {
    readImage(dataUrl);
  } catch (error) {
    expect(error).toBeInstanceOf(TerminalError);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', field: 'image', message: expect.stringMatching(message) });
    return;
  }
  expect.unreachable(`${dataUrl.slice(0, 60)} was accepted`);
}
