import { type FastifyBaseLogger, fastify } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { SERVER_OPTIONS } from '../../../src/http/api/server.ts';
import { beginErrorReply, classifyError } from '../../../src/http/plugins/index.ts';
import { RetryableError, TerminalError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { QUIET_MS } from '../../../src/platform/throttled-error-log.ts';

afterEach(() => vi.useRealTimers());

const STATUS = { temporary: 503, rejected: 409, unreadable: 400, bug: 500 } as const;

/** A server whose two scopes fail with the error that the test sets, each with its own handler. */
async function createFailingServer() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const app = fastify({ ...SERVER_OPTIONS, loggerInstance: log as FastifyBaseLogger });
  const failure = { error: new Error() as Error };
  for (const prefix of ['/one', '/two']) {
    await app.register(
      async (scope) => {
        scope.setErrorHandler((error, request, reply) => {
          const found = classifyError(error);
          const retryAfter = found.kind === 'temporary' ? found.retryAfter : null;
          const response = { status: STATUS[found.kind], retryAfter };
          return beginErrorReply(error, response, { request, reply }).send(found.kind);
        });
        scope.get('/:secret', async () => Promise.reject(failure.error));
      },
      { prefix },
    );
  }
  const fail = async (error: Error, scope = 'one') => {
    failure.error = error;
    const { statusCode, headers, body } = await app.inject(`/${scope}/s3cret`);
    return { status: statusCode, retryAfter: headers['retry-after'], body };
  };
  return { lines, fail, warnings: () => lines.filter(({ level }) => level === 40) };
}

const away = () => new RetryableError('DATABASE_UNAVAILABLE', 'away', { retryAfterMs: 1_500 });

test('an outage is answered with Retry-After, and logged once for all scopes of a server', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { lines, fail, warnings } = await createFailingServer();
  for (const scope of ['one', 'two', 'one']) {
    expect(await fail(away(), scope)).toEqual({ status: 503, retryAfter: '2', body: 'temporary' });
  }
  expect(warnings()).toMatchObject([{ code: 'DATABASE_UNAVAILABLE', reason: 'away', suppressed: 0 }]);
  expect(lines.filter(({ level }) => level === 20)).toHaveLength(3);
  vi.setSystemTime(Date.now() + QUIET_MS);
  await fail(away(), 'two');
  expect(warnings()).toMatchObject([{ suppressed: 0 }, { suppressed: 2 }]);
  expect(JSON.stringify(lines)).not.toContain('s3cret');
});

test('startup, and a client over its limit, are not outages', async () => {
  const { fail, warnings } = await createFailingServer();
  for (const code of ['STARTING', 'RATE_LIMIT_EXCEEDED', 'TOO_MANY_OPEN_PAYMENTS'])
    await fail(new RetryableError(code, 'later'));
  expect(warnings()).toEqual([]);
});

test('a bug is logged as an error with its cause and route; a rejection is not logged', async () => {
  const { lines, fail } = await createFailingServer();
  expect(await fail(new TerminalError('INVALID_STATE', 'no'))).toMatchObject({ status: 409, body: 'rejected' });
  expect(lines).toEqual([]);
  expect(await fail(new Error('a bug'))).toMatchObject({ status: 500, retryAfter: undefined, body: 'bug' });
  expect(lines).toMatchObject([
    { level: 50, code: 'INTERNAL_ERROR', method: 'GET', route: '/one/:secret', err: { message: 'a bug' } },
  ]);
});
