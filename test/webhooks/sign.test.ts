import { describe, expect, test } from 'vitest';
import { newWebhookSecret } from '../../src/platform/secrets/index.ts';
import { serviceSignature, standardSignature, webhookHeaders } from '../../src/webhooks/sign.ts';

/**
 * From Svix's documentation on manual verification, and from the test suite of the Standard
 * Webhooks libraries.
 */
const PUBLISHED = [
  {
    secret: 'plJ3nmyCDGBKInavdOK15jsl',
    id: 'msg_loFOjxBNrRLzqYUf',
    timestampSeconds: 1_731_705_121,
    body: '{"event_type":"ping","data":{"success":true}}',
    signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  },
  {
    secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1_614_265_330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
];

describe('webhook signatures', () => {
  test.each(PUBLISHED)(
    'the Standard Webhooks signature of $id is the published one',
    ({ secret, signature, ...rest }) => {
      expect(standardSignature(Buffer.from(secret, 'base64'), rest)).toBe(signature);
    },
  );

  test('X-Service-Signature is the published one of RFC 4231, test case 2', () => {
    expect(serviceSignature(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  test('X-Service-Signature is the published one of GitHub, so that verifiers for it work', () => {
    expect(serviceSignature(Buffer.from("It's a Secret to Everybody"), 'Hello, World!')).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
  });

  test('attempts differ in their number and in the signature with the time, and in nothing else', () => {
    const secret = newWebhookSecret();
    const event = { webhookEventId: 'evt_1', event: 'payment.completed', mode: 'live', body: '{}' } as const;
    const request = { ...event, endpointId: 'whk_1', secret };
    const first = webhookHeaders({ ...request, attempt: 1, at: 1_700_000_000_999 });
    const second = webhookHeaders({ ...request, attempt: 2, at: 1_700_000_010_000 });
    const different = Object.keys(first).filter((name) => first[name] !== second[name]);
    expect(different.sort()).toEqual(['webhook-signature', 'webhook-timestamp', 'x-service-attempt']);
    expect(first['webhook-timestamp']).toBe('1700000000');
  });
});
