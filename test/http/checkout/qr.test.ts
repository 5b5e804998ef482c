import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markupOf } from '../../../src/http/checkout/html.ts';
import { LOCALES } from '../../../src/http/checkout/languages/locales.ts';
import { paymentPage } from '../../../src/http/checkout/pages/payment.ts';
import { qrCode } from '../../../src/http/checkout/qr.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { NOW, SAMPLES, sampleTransaction } from './samples.ts';
import { codesOf, scan } from './scan.ts';

describe('the QR codes of the page', () => {
  test('decode to the payment link with the amount, and to the bare address', () => {
    expect(codesOf(paymentPage(sampleTransaction(), NOW, LOCALES.en))).toEqual([
      'litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9?amount=0.33540373',
      'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    ]);
  });

  test('request the rest after a partial payment', () => {
    expect(codesOf(paymentPage(SAMPLES.partial ?? sampleTransaction(), NOW, LOCALES.en))[0]).toMatch(
      /\?amount=0\.16770187$/,
    );
  });

  test('are a token transfer by contract, in base units, and the bare address', () => {
    expect(codesOf(paymentPage(SAMPLES['waiting, token'] ?? sampleTransaction(), NOW, LOCALES.en))).toEqual([
      'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=27027028',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ]);
  });

  test('are only the address for a token without a known contract, whose link could be read as ether', () => {
    expect(
      codesOf(paymentPage(SAMPLES['waiting, token without contract'] ?? sampleTransaction(), NOW, LOCALES.en)),
    ).toEqual(['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed']);
  });

  test('can be decoded with any content', () => {
    const text = fc.stringMatching(/^[a-zA-Z0-9:?=.@/&%-]{1,150}$/);
    assertProperty(
      fc.property(text, (content) => {
        expect(scan(markupOf(qrCode(content, 'code')))).toBe(content);
      }),
      { numRuns: level.runs(30) },
    );
  });
});
