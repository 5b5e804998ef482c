import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode, type ErrorDescription } from '../../../../src/http/api/error-codes.ts';
import { bodyOf, problemOf } from '../../../../src/http/api/problem.ts';
import { RetryableError, TerminalError } from '../../../../src/platform/errors.ts';

const DESCRIPTIONS = Object.entries(ERROR_CODES) as [ErrorCode, ErrorDescription][];

test('docs/merchants/api.md lists exactly the existing codes, each with its status and whether to retry', () => {
  const manual = readFileSync(new URL('../../../../docs/merchants/api.md', import.meta.url), 'utf8');
  const rows = [...manual.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \| (yes|no) \|/gm)];
  const documented = rows.map(([, status, code, repeat]) => `${status} ${code} ${repeat}`);
  const existing = DESCRIPTIONS.map(([code, { status }]) => {
    const isRetryable = status === 500 || code === 'RATE_LIMIT_EXCEEDED' || code === 'TOO_MANY_OPEN_PAYMENTS';
    return `${status} ${code} ${isRetryable ? 'yes' : 'no'}`;
  });
  expect(documented).toEqual(existing);
});

test.each(DESCRIPTIONS)('%s is returned with its own message, unless that is only for the log', (code, fields) => {
  const problem = problemOf(new TerminalError(code, 'Say this'));
  expect(problem).toMatchObject({
    code,
    message: fields.hidesCause ? fields.message : 'Say this',
    retryAfterSeconds: null,
  });
  expect(fields.message).toMatch(/^[A-Z].*\.$|^[a-z_]+ must .*\.$|^X-Idempotency-Key .*\.$/s);
});

test.each(['DATABASE_UNAVAILABLE', 'ENGINE_BUSY', 'ENGINE_CONTENDED', 'BUS_FULL', 'STARTING'])(
  '%s is temporary: 500 with the seconds to wait, and no detail of the cause',
  (code) => {
    const cause = new Error('connect ECONNREFUSED postgres://root:hunter2@db');
    const problem = problemOf(new RetryableError(code, `secret ${cause.message}`, { retryAfterMs: 2_100, cause }));
    expect(problem).toMatchObject({ code: 'UPSTREAM_ERROR', retryAfterSeconds: 3 });
    expect(JSON.stringify(bodyOf(problem))).not.toMatch(/hunter2|secret/);
  },
);

test('the wait is never zero', () => {
  expect(problemOf(new RetryableError('ENGINE_BUSY', 'x', { retryAfterMs: 0 })).retryAfterSeconds).toBe(1);
});

test('rule 35: a missing exchange rate names the coin and when to retry', () => {
  const error = new RetryableError('RATE_FETCH_FAILED', 'There is no current exchange rate for LTC.', {
    retryAfterMs: 30_000,
  });
  expect(problemOf(error)).toMatchObject({
    code: 'RATE_FETCH_FAILED',
    message: 'There is no current exchange rate for LTC.',
    retryAfterSeconds: 30,
  });
});

test.each([
  ['a bug', new TypeError('Cannot read properties of undefined')],
  ['a code that is not for callers', new TerminalError('CHART_UNKNOWN', 'No chart named "x"')],
  ['a code that is a property of every object', new TerminalError('constructor', 'x')],
  ['a database error', Object.assign(new Error('syntax error at or near "$1"'), { code: '42601' })],
  ['a text', 'thrown text'],
  ['nothing', undefined],
])('%s becomes INTERNAL_ERROR without details', (_name, thrown) => {
  expect(bodyOf(problemOf(thrown))).toEqual({
    success: false,
    error: 'INTERNAL_ERROR',
    message: ERROR_CODES.INTERNAL_ERROR.message,
  });
});
