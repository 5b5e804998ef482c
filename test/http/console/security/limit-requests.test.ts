import { expect, test } from 'vitest';
import { CHANGE_LIMITS, READ_LIMITS, STRANGER_LIMITS } from '../../../../src/http/console/session/limit-request.ts';
import { INTERFACE_TERMS, type RateLimiter, type RequestLimits } from '../../../../src/merchants/index.ts';
import { startConsole } from '../../../accounts/console-app.ts';
import { createAccountsHarness, uniqueAddress } from '../../../accounts/harness.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import type { Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

const { perMinute } = INTERFACE_TERMS.professional.requests;

describeConsole('a user who changes something again and again', {}, async (console) => {
  test('is refused beyond the limit of a minute, may read on, and stops no other user', async () => {
    const change = (who: Who) => console.call(who, { method: 'POST', path: '/merchant/wallets/preview', body: {} });
    await console.cookieOf('owner');
    // The minute may end once meanwhile.
    const answers = await Promise.all(Array.from({ length: 2 * perMinute + 2 }, () => change('owner')));
    const rejected = answers.find(({ status }) => status === 429);
    expect(rejected).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' });
    expect((await console.call('owner', { path: '/merchant/wallets' })).status).toBe(200);
    expect((await change('staff')).status).toBe(403);
  });

  test('without a session is refused per address, with a sentence, and stops no other address or user', async () => {
    const address = uniqueAddress();
    const paths = ['/setup', '/sign-up', '/mail-info', '/me', '/merchant/overview?mode=test'];
    const ask = async (index: number) =>
      index % 2 === 0
        ? console.call(null, { path: paths[(index / 2) % paths.length] ?? '', address })
        : console.call(null, {
            method: 'POST',
            path: '/password-reset/link',
            body: { token: 'A'.repeat(43) },
            address,
          });
    const answers = await Promise.all(
      Array.from({ length: 2 * STRANGER_LIMITS.perMinute + 10 }, (_, index) => ask(index)),
    );
    const rejected = answers.find(({ status }) => status === 429);
    expect(rejected).toMatchObject({ error: 'TOO_MANY_ATTEMPTS' });
    expect(rejected?.retryAfter).toBeGreaterThan(0);
    expect(rejected?.message).toMatch(/^Too many requests: wait \d+ s and try again\.$/);
    expect((await console.call(null, { path: '/setup' })).status).toBe(200);
    expect((await console.call('staff', { path: '/me', address })).status).toBe(200);
  });

  test('of the API reference is refused per address, before its script of megabytes is sent', async () => {
    const get = (path: string, address: string) =>
      fetch(console.url + path, { headers: { 'x-forwarded-for': address }, redirect: 'manual' });
    const address = uniqueAddress();
    const answers = await Promise.all(Array.from({ length: 2 * perMinute + 2 }, () => get('/docs', address)));
    const rejected = answers.find(({ status }) => status === 429);
    expect(Number(rejected?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get('/docs/js/scalar.js', uniqueAddress())).status).toBe(200);
  });
});

describeDatabases('the console', (database) => {
  test('counts every request: without a session, reads and changes, of the user or of the session', async () => {
    const deps = createAccountsHarness(database());
    const counted: { subject: string; limits: RequestLimits }[] = [];
    const limiter: Pick<RateLimiter, 'count'> = {
      async count(subject, limits) {
        counted.push({ subject, limits });
        return { limit: 1, remaining: 1, resetAt: 0, rejection: null };
      },
    };
    const console = await startConsole(deps, { limiter });
    const person = await deps.add('owner');
    const { token, signedIn } = await deps.enter(person);
    const cookie = `__Host-quittance=${token}`;
    const { userId, sessionId } = signedIn;
    const [reads, changes] = [{ limits: READ_LIMITS }, { limits: CHANGE_LIMITS }];
    const ofStranger = { subject: 'console from 192.0.2.1', limits: STRANGER_LIMITS };
    const cases = [
      [
        { path: '/users', cookie },
        { subject: `console reads ${userId}`, ...reads },
      ],
      [
        { path: '/users', method: 'HEAD', cookie },
        { subject: `console reads ${userId}`, ...reads },
      ],
      [
        { path: '/setup', cookie },
        { subject: `console reads ${userId}`, ...reads },
      ],
      [
        { path: '/reauthenticate', method: 'POST', cookie },
        { subject: `console ${userId}`, ...changes },
      ],
      [
        { path: '/sign-in', method: 'POST', cookie },
        { subject: `console ${userId}`, ...changes },
      ],
      [
        { path: '/sessions', cookie },
        { subject: `console reads ${sessionId}`, ...reads },
      ],
      [
        { path: '/sessions/ses_1', method: 'DELETE', cookie },
        { subject: `console ${sessionId}`, ...changes },
      ],
      [
        { path: '/sign-out', method: 'POST', cookie },
        { subject: `console ${sessionId}`, ...changes },
      ],
      [{ path: '/setup' }, ofStranger],
      [{ path: '/users' }, ofStranger],
      [{ path: '/sign-in', method: 'POST' }, ofStranger],
      [{ path: '/sessions', cookie }, ofStranger],
    ] as const;
    for (const [request, expected] of cases) {
      counted.length = 0;
      await console.call({ address: '192.0.2.1', ...request });
      expect(counted, JSON.stringify(request)).toEqual([expected]);
    }
    await console.stop();
  });
});
