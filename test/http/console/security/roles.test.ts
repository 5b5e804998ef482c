import { beforeAll, expect, test } from 'vitest';
import type { TestConsole, Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';
import { EVERYBODY, opennessOf, rejectionOf } from './policy.ts';
import { type ConsoleRoute, listConsoleRoutes, nameOf } from './route-table.ts';

/** Ending one's own session would end the test; other tests cover it. */
const NOT_ASKED = ['POST /sign-out'];
const STREAMS = ['GET /live', 'GET /merchant/live'];

describeConsole('every route of the console, requested by every role', { isOwn: true }, async (console) => {
  const routes = await listConsoleRoutes();
  // One after another: an address may not sign in many times at once.
  beforeAll(async () => {
    for (const who of EVERYBODY) if (who !== null) await console.cookieOf(who);
  });

  test('the table lists all existing routes', () => {
    expect(routes.map(nameOf)).toEqual(expect.arrayContaining(['GET /me', 'GET /merchant/payments', 'POST /runs']));
    expect(new Set(routes.map(nameOf)).size).toBe(routes.length);
  });

  test.each(routes.map((route) => [nameOf(route), route] as const))('%s', async (name, route) => {
    const openness = opennessOf(route);
    const asking = NOT_ASKED.includes(name) ? [] : EVERYBODY;
    const responses = await Promise.all(asking.map(async (who) => ({ who, ...(await knock(console, who, route)) })));
    for (const { who, status, error } of responses) {
      const isLetIn = openness === 'anybody' || (who !== null && openness.includes(who));
      const sent = `${who ?? 'nobody'} was answered ${status} ${error ?? ''}`;
      if (isLetIn) expect(['NOT_SIGNED_IN', 'FORBIDDEN'], sent).not.toContain(error);
      else expect({ status, error }, sent).toEqual(rejectionOf(who));
      expect(status, sent).toBeLessThan(500);
    }
  });
});

// Helpers

/** Sends ids that do not exist and no body: an authorised user gets an error about those. */
async function knock(
  console: TestConsole,
  who: Who | null,
  route: ConsoleRoute,
): Promise<{ status: number; error?: string }> {
  const { method } = route;
  const path = route.path.replace(/:\w+/g, 'none');
  if (STREAMS.includes(nameOf(route))) return console.knock(who, path);
  const { status, error } = await console.call(who, { method: method as 'GET', path });
  return { status, ...(error === undefined ? {} : { error }) };
}
