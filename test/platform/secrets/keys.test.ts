import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashApiKey,
  newApiKey,
  newPassword,
  newWebhookSecret,
  webhookSigningKeys,
} from '../../../src/platform/secrets/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

describe('API keys', () => {
  it('have kind and mode as prefix, followed by 43 letters and digits', () => {
    expect(newApiKey('secret', 'live')).toMatch(/^sk_live_[0-9A-Za-z]{43}$/);
    expect(newApiKey('secret', 'test')).toMatch(/^sk_test_[0-9A-Za-z]{43}$/);
    expect(newApiKey('publishable', 'live')).toMatch(/^pk_live_[0-9A-Za-z]{43}$/);
    expect(newApiKey('publishable', 'test')).toMatch(/^pk_test_[0-9A-Za-z]{43}$/);
  });

  it('never repeat', () => {
    expect(new Set(Array.from({ length: 2_000 }, () => newApiKey('secret', 'live'))).size).toBe(2_000);
    expect(new Set(Array.from({ length: 2_000 }, newPassword)).size).toBe(2_000);
  });

  it('are stored as SHA-256 in hex', () => {
    // FIPS 180-2, appendix B.1.
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assertProperty(
      fc.property(fc.string(), (text) => {
        expect(hashApiKey(text)).toBe(createHash('sha256').update(Buffer.from(text)).digest('hex'));
      }),
    );
  });
});

describe('webhook secrets', () => {
  it('are whsec_ and base64 of 32 bytes, unique each time', () => {
    const secrets = Array.from({ length: 500 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(500);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(webhookSigningKeys(secret).standard).toHaveLength(32);
    }
  });

  it('sign X-Service-Signature with the secret exactly as shown', () => {
    const secret = newWebhookSecret();
    const merchantSide = createHmac('sha256', secret).update('{}').digest('hex');
    expect(createHmac('sha256', webhookSigningKeys(secret).service).update('{}').digest('hex')).toBe(merchantSide);
  });

  it('sign the Standard Webhooks header with the decoded bytes', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
    const { standard } = webhookSigningKeys(`whsec_${bytes.toString('base64')}`);
    expect(Buffer.from(standard).equals(bytes)).toBe(true);
  });

  it('are rejected when malformed, and not repeated in the error', () => {
    for (const wrong of ['', 'whsec_', 'whsec_c2hvcnQ=', Buffer.alloc(32).toString('base64')]) {
      expect(() => webhookSigningKeys(wrong)).toThrow(/regenerate the secret/);
    }
  });
});
