import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { guardConsole } from '../../../src/http/console/session/guard.ts';
import { RetryableError, TerminalError } from '../../../src/platform/errors.ts';
import { silentLog } from '../../support/service/engine.ts';

test.each([
  ['a refused connection', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'DATABASE_UNAVAILABLE'],
  ['rates that are too old', new RetryableError('RATE_UNAVAILABLE', 'no rate'), 'RATE_UNAVAILABLE'],
])('%s is reported as an outage with status 503', async (_, error, code) => {
  const { status, body, reported } = await answerTo(error);
  expect([status, body.error, reported]).toEqual([503, code, [code]]);
});

test.each([
  ['a service that starts', new RetryableError('STARTING', 'starting'), 503],
  ['too many listeners', new RetryableError('TOO_MANY_LISTENERS', 'too many'), 503],
  ['a bad request', new TerminalError('INVALID_REQUEST', 'mode is missing'), 400],
  ['a bug', new Error('undefined is not a function'), 500],
])('%s is not an outage', async (_, error, expected) => {
  const { status, reported } = await answerTo(error);
  expect([status, reported]).toEqual([expected, []]);
});

/** How the console answers a request that failed so, and the codes it reported. */
async function answerTo(error: Error) {
  const reported: unknown[] = [];
  const app = fastify();
  await guardConsole(app, {
    // Not used without a session cookie.
    accounts: {} as never,
    isOpen: () => true,
    publicUrl: 'https://pay.example.com',
    log: silentLog,
    outages: {
      watch: (work) => work(),
      report: (outage) => reported.push(outage instanceof RetryableError ? outage.code : outage),
    },
  });
  app.get('/fails', async () => {
    throw error;
  });
  const answer = await app.inject('/fails');
  await app.close();
  return { status: answer.statusCode, body: answer.json<{ error: string }>(), reported };
}
