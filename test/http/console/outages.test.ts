import { type FastifyBaseLogger, fastify } from 'fastify';
import { expect, test } from 'vitest';
import { SERVER_OPTIONS } from '../../../src/http/api/server.ts';
import { guardConsole } from '../../../src/http/console/session/guard.ts';
import { databaseUnavailable } from '../../../src/platform/db/index.ts';
import { RetryableError, TerminalError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/log.ts';

test.each([
  ['an unreachable database', databaseUnavailable(new Error('refused')), 'DATABASE_UNAVAILABLE'],
  ['rates that are too old', new RetryableError('RATE_UNAVAILABLE', 'no rate'), 'RATE_UNAVAILABLE'],
])('%s is reported as an outage with status 503', async (_, error, code) => {
  const { status, body, reported } = await responseTo(error);
  expect([status, body.error, reported]).toEqual([503, code, [code]]);
});

test.each([
  ['a service that starts', new RetryableError('STARTING', 'starting'), 503],
  ['too many listeners', new RetryableError('TOO_MANY_LISTENERS', 'too many'), 503],
  ['a bad request', new TerminalError('INVALID_REQUEST', 'mode is missing'), 400],
  ['a bug', new Error('undefined is not a function'), 500],
  ['a refused connection of another part', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 500],
])('%s is not an outage', async (_, error, expected) => {
  const { status, reported } = await responseTo(error);
  expect([status, reported]).toEqual([expected, []]);
});

const uncounted = { limit: 1, remaining: 1, resetAt: 0, rejection: null };

/** How the console answers a request that failed so, and the codes it reported. */
async function responseTo(error: Error) {
  const lines: { level: number; code: string }[] = [];
  const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const app = fastify({ ...SERVER_OPTIONS, loggerInstance: log as FastifyBaseLogger });
  await guardConsole(app, {
    // Not used without a session cookie.
    accounts: {} as never,
    isOpen: () => true,
    publicUrl: 'https://pay.example.com',
    limiter: { count: async () => uncounted },
  });
  app.get('/fails', async () => {
    throw error;
  });
  const response = await app.inject('/fails');
  await app.close();
  const reported = lines.filter(({ level }) => level === 40).map(({ code }) => code);
  return { status: response.statusCode, body: response.json<{ error: string }>(), reported };
}
