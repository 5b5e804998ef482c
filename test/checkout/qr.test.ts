import fc from 'fast-check';
import decodeQR from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import { markupOf } from '../../src/checkout/html.ts';
import { paymentPage } from '../../src/checkout/pages/payment.ts';
import { qrCode } from '../../src/checkout/qr.ts';
import { assertProperty } from '../support/fast-check.ts';
import { NOW, SAMPLES, sampleTransaction } from './samples.ts';

const PIXELS_PER_MODULE = 4;

/** Draws the strokes of a code and reads it as a scanner would. */
function scan(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const side = size * PIXELS_PER_MODULE;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    for (let row = Number(y) * PIXELS_PER_MODULE; row < (Number(y) + 1) * PIXELS_PER_MODULE; row += 1) {
      const from = (row * side + Number(x) * PIXELS_PER_MODULE) * 4;
      for (let byte = from; byte < from + Number(length) * PIXELS_PER_MODULE * 4; byte += 4) {
        data.fill(0, byte, byte + 3);
      }
    }
  }
  return decodeQR({ width: side, height: side, data });
}

function codesOf(page: string): string[] {
  return (page.match(/<svg class="code".*?<\/svg>/gs) ?? []).map(scan);
}

describe('the codes of the page', () => {
  test('read back as the payment link with the amount, and as the bare address', () => {
    expect(codesOf(paymentPage(sampleTransaction(), NOW))).toEqual([
      'litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9?amount=0.33540373',
      'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    ]);
  });

  test('ask for what is still due after a part has come', () => {
    expect(codesOf(paymentPage(SAMPLES.partial ?? sampleTransaction(), NOW))[0]).toMatch(/\?amount=0\.16770187$/);
  });

  test('are the address alone for a token, whose link could be taken for ether', () => {
    expect(codesOf(paymentPage(SAMPLES['waiting, token'] ?? sampleTransaction(), NOW))).toEqual([
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ]);
  });

  test('can be read whatever they hold', () => {
    const text = fc.stringMatching(/^[a-zA-Z0-9:?=.@/&%-]{1,150}$/);
    assertProperty(
      fc.property(text, (content) => {
        expect(scan(markupOf(qrCode(content, 'code')))).toBe(content);
      }),
      { numRuns: 30 },
    );
  });
});
