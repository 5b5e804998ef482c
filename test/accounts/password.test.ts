import { parseOptions } from '@node-rs/argon2';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMON_PASSWORDS } from '../../src/accounts/password/common-passwords.ts';
import { checkPassword, hashPassword, verifyPassword } from '../../src/accounts/password/password.ts';
import { assertProperty } from '../support/run/fast-check.ts';

describe('a password', () => {
  test.each([
    ['nine characters', 'ninechars', /10 to 256 characters/],
    ['257 characters', `${'correct horse '.repeat(18)}batte`, /10 to 256 characters/],
    ['nine characters that take two code units each', '🔑🌊🏔🚲🎻🧭🪁🍇🦉', /10 to 256 characters/],
    ['one of the commonest', 'Password123', /is too common/],
    ['one character over and over', 'zzzzzzzzzzzzzzzz', /is too common/],
    ['the address of the login', 'ann@shop.example', /must not contain the email/],
  ])('is rejected when it is %s', (_, password, message) => {
    expect(() => checkPassword(password, 'Ann@shop.example')).toThrow(message);
  });

  test('of ten characters or many words is accepted, in any script', () => {
    for (const password of [
      'tenletters',
      'cichy port, siedem latarni',
      '静かな港と七つの灯台の夜',
      'a'.repeat(3) + 'bcdefgh'.repeat(30),
    ]) {
      expect(() => checkPassword(password, 'ann@shop.example')).not.toThrow();
    }
  });

  test('is never repeated by the error', () => {
    assertProperty(
      fc.property(fc.string({ minLength: 4, maxLength: 9, unit: fc.constantFrom('k', 'q', 'x', '7') }), (password) => {
        expect(messageOfRejection(password)).toMatch(/^The password (must|is)/);
        expect(messageOfRejection(password)).not.toContain(password);
      }),
    );
  });

  test('list contains only passwords that are long enough to be chosen, in lower case', () => {
    expect(COMMON_PASSWORDS.size).toBeGreaterThan(200);
    for (const word of COMMON_PASSWORDS) {
      expect(word.length, word).toBeGreaterThanOrEqual(10);
      expect(word).toBe(word.toLowerCase());
    }
  });
});

describe('a hash', () => {
  test('is argon2id with the OWASP parameters, and matches only its own password', async () => {
    const hash = await hashPassword('quiet harbour 7 lanterns');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hash, 'quiet harbour 7 lanterns')).toBe(true);
    expect(await verifyPassword(hash, 'quiet harbour 7 lantern')).toBe(false);
    expect(parseOptions(hash)).toMatchObject({ memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 });
  });

  test('matches in every Unicode form that a keyboard may produce', async () => {
    expect(
      await verifyPassword(await hashPassword('Żółta łódź w porcie'.normalize('NFD')), 'Żółta łódź w porcie'),
    ).toBe(true);
  });

  test('that is missing or malformed matches no password', async () => {
    for (const stored of [null, '-', '', '$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$AAAA']) {
      expect(await verifyPassword(stored, 'quiet harbour 7 lanterns')).toBe(false);
    }
  });
});

// Helpers

function messageOfRejection(password: string): string {
  try {
    checkPassword(password);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}
