import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readResponse } from '../../../src/webhooks/sender/read-response.ts';
import { storableText } from '../../../src/webhooks/sender/storable-text.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';

const KEPT_BYTES = 16_384;
const PLAIN = { contentType: undefined, contentEncoding: undefined };

/** Text, and bytes that are not text, of up to twice the stored size. */
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.constantFrom('x', 'é', '☂', '🎉', '\0'), fc.integer({ min: 0, max: KEPT_BYTES }), fc.nat(3))
    .map(([letter, times, shift]) => Buffer.from('a'.repeat(shift) + letter.repeat(times))),
);

test('the stored part of a body does not depend on its chunks, or on a break after that part', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(bodies, fc.integer({ min: 1, max: 5_000 }), fc.boolean(), async (bytes, chunkBytes, breaksOff) => {
      const { text, isCut } = await readResponse(Readable.from(chunksOf(bytes, chunkBytes, breaksOff)), PLAIN);
      expect(isCut).toBe(breaksOff || bytes.length > KEPT_BYTES);
      const kept = new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true });
      expect(text).toBe(bytes.length === 0 ? null : storableText(kept, KEPT_BYTES));
    }),
    { numRuns: level.runs(300) },
  );
});

test('no more is read from a body than is stored and what was in transit', async () => {
  let taken = 0;
  function* endless() {
    for (;;) {
      taken += 1_000;
      yield Buffer.alloc(1_000, 'x');
    }
  }
  const body = Readable.from(endless(), { highWaterMark: 1 });
  expect((await readResponse(body, PLAIN)).isCut).toBe(true);
  expect(body.destroyed).toBe(true);
  expect(taken).toBeLessThanOrEqual(KEPT_BYTES + 4_000);
});

// Helpers

function* chunksOf(bytes: Buffer, chunkBytes: number, breaksOff: boolean): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
  if (breaksOff) throw new Error('the connection is gone');
}
