import { expect, test } from 'vitest';
import { failureText, lastAttemptText } from '../../src/web/pages/operator/failure-text.ts';

test.each([
  [
    { kind: 'connection', status: null, detail: 'connect ECONNREFUSED 127.0.0.1:4279' },
    'connection refused (ECONNREFUSED)',
  ],
  [{ kind: 'connection', status: null, detail: 'other side closed' }, 'no connection'],
  [{ kind: 'status', status: 503, detail: 'The endpoint responded with 503' }, 'HTTP 503'],
  [
    { kind: 'dns', status: null, detail: 'getaddrinfo ENOTFOUND shop.example' },
    'host name does not resolve (ENOTFOUND)',
  ],
  [
    { kind: 'tls', status: null, detail: 'DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate' },
    'invalid certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
  [
    { kind: 'timeout', status: null, detail: 'No response within 15 s; timed out during the DNS lookup' },
    'no response in time',
  ],
  [{ kind: 'of_a_later_version', status: null, detail: '' }, 'of_a_later_version'],
])('%j is said as %s', (failure, text) => {
  expect(failureText(failure)).toBe(text);
});

test('a delivery that waits or failed says why its last attempt failed, and no other actor does', () => {
  const context = { lastFailure: { kind: 'status', status: 503, detail: '' } };
  for (const state of ['waiting', 'failed']) {
    expect(lastAttemptText({ kind: 'delivery', state, context })).toBe('Last attempt: HTTP 503.');
  }
  expect(lastAttemptText({ kind: 'delivery', state: 'delivered', context })).toBe('');
  expect(lastAttemptText({ kind: 'transaction', state: 'waiting', context })).toBe('');
  for (const none of [{}, { lastFailure: null }]) {
    expect(lastAttemptText({ kind: 'delivery', state: 'waiting', context: none })).toBe('');
  }
});
