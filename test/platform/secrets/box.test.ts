import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '../../../src/platform/secrets/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const text = fc.string({ unit: 'grapheme' });
const UNREADABLE = expect.objectContaining({ name: 'TerminalError', code: 'SECRET_UNREADABLE' });

describe('a secret box', () => {
  it('opens what it sealed, byte for byte', () => {
    assertProperty(
      fc.property(key, text, text, (bytes, plaintext, context) => {
        const box = createSecretBox(bytes);
        expect(box.open(box.seal(plaintext, context), context)).toBe(plaintext);
      }),
    );
  });

  it('never seals to the same text twice and never shows the plaintext', () => {
    const box = createSecretBox(randomBytes(32));
    const sealed = new Set(Array.from({ length: 200 }, () => box.seal('whsec_same', 'webhook:1')));
    expect(sealed.size).toBe(200);
    for (const one of sealed) {
      expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
      expect(Buffer.from(one.split('.')[2] ?? '', 'base64url').includes('whsec_same')).toBe(false);
    }
  });

  it('rejects another context', () => {
    assertProperty(
      fc.property(key, text, text, text, (bytes, plaintext, context, other) => {
        fc.pre(context !== other);
        const box = createSecretBox(bytes);
        expect(() => box.open(box.seal(plaintext, context), other)).toThrow(UNREADABLE);
      }),
    );
  });

  it('rejects another key and reports that the key differs', () => {
    assertProperty(
      fc.property(key, key, text, (mine, theirs, plaintext) => {
        fc.pre(Buffer.compare(mine, theirs) !== 0);
        const sealed = createSecretBox(theirs).seal(plaintext, 'c');
        expect(() => createSecretBox(mine).open(sealed, 'c')).toThrow(/another key; use that SECRETS_KEY/);
      }),
    );
  });

  it('rejects every single-bit change', () => {
    assertProperty(
      fc.property(key, text, fc.nat(), (bytes, plaintext, at) => {
        const box = createSecretBox(bytes);
        const [version, id, body = ''] = box.seal(plaintext, 'c').split('.');
        const raw = Buffer.from(body, 'base64url');
        const bit = at % (raw.length * 8);
        raw.writeUInt8(raw.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(() => box.open([version, id, raw.toString('base64url')].join('.'), 'c')).toThrow(UNREADABLE);
      }),
    );
  });

  it('rejects any other input with the same error', () => {
    const box = createSecretBox(randomBytes(32));
    const [version, id, body = ''] = box.seal('x', 'c').split('.');
    const wrong = [
      '',
      'v1',
      'whsec_plain',
      `${version}.${id}.`,
      `${version}.${id}.AAAA`,
      `v2.${id}.${body}`,
      `${version}.${id}.${body.slice(4)}`,
    ];
    for (const sealed of wrong) expect(() => box.open(sealed, 'c')).toThrow(UNREADABLE);
    assertProperty(
      fc.property(fc.string(), (sealed) => {
        expect(() => box.open(sealed, 'c')).toThrow(UNREADABLE);
      }),
    );
  });

  it('accepts only keys of 32 bytes', () => {
    for (const length of [0, 16, 31, 33, 64]) expect(() => createSecretBox(new Uint8Array(length))).toThrow(RangeError);
  });

  it('opens values sealed with the previous key, seals with the current one, and reports which was used', () => {
    assertProperty(
      fc.property(key, key, key, text, text, (present, previous, foreign, plaintext, context) => {
        const all = [present, previous, foreign].map((each) => Buffer.from(each).toString('hex'));
        fc.pre(new Set(all).size === 3);
        const box = createSecretBox(present, previous);
        const former = createSecretBox(previous).seal(plaintext, context);
        expect([box.open(former, context), box.isCurrent(former)]).toEqual([plaintext, false]);
        const sealed = box.seal(plaintext, context);
        expect([createSecretBox(present).open(sealed, context), box.isCurrent(sealed)]).toEqual([plaintext, true]);
        expect(() => createSecretBox(previous).open(sealed, context)).toThrow(UNREADABLE);
        expect(() => box.open(createSecretBox(foreign).seal(plaintext, context), context)).toThrow(UNREADABLE);
        expect(() => box.open(former, `${context}x`)).toThrow(UNREADABLE);
      }),
    );
    expect(createSecretBox(new Uint8Array(32)).isCurrent('whsec_plain')).toBe(false);
  });

  it('rejects a key that replaces itself', () => {
    assertProperty(
      fc.property(key, (bytes) => {
        expect(() => createSecretBox(bytes, Uint8Array.from(bytes))).toThrow(
          expect.objectContaining({ name: 'TerminalError', code: 'SECRETS_KEY_UNCHANGED' }),
        );
      }),
    );
  });
});
