import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newTotpSecret, totpStepOf, totpUri } from '../../src/accounts/second-factor/totp.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { codeAt } from './harness.ts';

/** RFC 6238, appendix B, for SHA-1: the last six of its eight digits. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;
/** ASCII "12345678901234567890". */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a TOTP code', () => {
  test.each(VECTORS)('at %d s matches RFC 6238', (seconds, code) => {
    expect(totpStepOf(SECRET, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  });

  test('belongs to its own step, and is accepted one step early or late but not two', () => {
    assertProperty(
      fc.property(fc.integer({ min: 2, max: 80_000_000 }), fc.integer({ min: -4, max: 4 }), (step, shift) => {
        const secret = newTotpSecret();
        const found = totpStepOf(secret, codeAt(secret, step * 30_000), (step + shift) * 30_000);
        // Once in a million two steps share a code; then the other is returned, which is as good.
        if (Math.abs(shift) <= 1) expect(found).not.toBeNull();
        else expect([null, step + shift - 1, step + shift, step + shift + 1]).toContain(found);
      }),
    );
  });

  test('comes from a secret of 160 bits that the app can scan', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(totpUri(secret, 'ann@shop.example'));
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret,
      issuer: 'Quittance',
      digits: '6',
      period: '30',
    });
  });
});
