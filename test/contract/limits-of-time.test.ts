import { expect, test } from 'vitest';
import { RETRY_DELAYS_MS, SECOND_MS } from '../../machines/index.ts';
import { createPlanCache, type PlanCache } from '../../src/merchants/index.ts';
import { SENDER_LIMITS } from '../../src/webhooks/index.ts';
import { useApp } from '../http/api/support.ts';
import { createTestClock } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { sendRequest } from './harness.ts';
import { PAID_LATE_WINDOW_HOURS, REQUEST_LIMITS } from './tables/limits.ts';
import { PROMISED_RESPONSE_SECONDS, RETRY_DELAYS_SECONDS, RETRY_HORIZON_SECONDS } from './tables/webhook.ts';

describeDatabases('the window for late coins', (database) => {
  const { app, merchant } = useApp(database);

  test.each([
    ['the last second of the 6 hours', PAID_LATE_WINDOW_HOURS * 3_600 - 1, 'paid_late'],
    ['the second after the 6 hours', PAID_LATE_WINDOW_HOURS * 3_600 + 1, undefined],
  ])('coins in %s after the window', async (_name, seconds, exception) => {
    const { transaction_id: id, created_at, expires_at } = await app().create(merchant().keys.sk_test);
    const windowSeconds = (Date.parse(expires_at) - Date.parse(created_at)) / SECOND_MS;
    await app().simulate(merchant().keys.sk_test, id, 'advance_clock', { seconds: windowSeconds + seconds });
    const late = await app().simulate(merchant().keys.sk_test, id, 'pay_late');
    expect(late.status).toBe('expired');
    expect(late.exception).toBe(exception);
  });
});

describeDatabases('the request limits of the API', (database) => {
  const clock = createTestClock();
  const plans: PlanCache = {
    anonymous: { perMinute: 1, perHour: 1 },
    termsOf: (plan) => createPlanCache({ db: database().db, clock, plansEnabled: true }).termsOf(plan),
  };
  const { app } = useApp(database, { clock, plans });

  test.each(Object.entries(REQUEST_LIMITS))('%s has its requests per minute and hour', async (plan, limits) => {
    const { id, keys } = await app().addMerchant();
    await database().db.updateTable('merchant').set({ plan }).where('id', '=', id).execute();
    const { headers, body } = await sendRequest<{ data: { limits: Record<string, unknown> } }>(app(), 'getAccount', {
      key: keys.sk_test,
    });
    const [perMinute, perHour] = limits;
    expect(headers['x-ratelimit-limit']).toBe(String(perMinute));
    expect(headers['x-ratelimit-remaining']).toBe(String(perMinute - 1));
    expect(body.data.limits).toMatchObject({
      api_rate_limit_per_minute: perMinute,
      api_rate_limit_per_hour: perHour,
    });
    const reset = Number(headers['x-ratelimit-reset']) * SECOND_MS - clock.now();
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60 * SECOND_MS);
  });
});

test('webhooks are retried with the documented delays, up to the documented horizon', () => {
  const delays = RETRY_DELAYS_MS.map((delay) => delay / SECOND_MS);
  expect(delays.slice(0, RETRY_DELAYS_SECONDS.length)).toEqual(RETRY_DELAYS_SECONDS);
  const sum = delays.reduce((seconds, delay) => seconds + delay, 0);
  expect(sum).toBeLessThanOrEqual(RETRY_HORIZON_SECONDS);
  // One more delay of the last length would exceed the horizon, so the schedule fills it.
  expect(sum + (delays.at(-1) ?? 0)).toBeGreaterThan(RETRY_HORIZON_SECONDS);
});

test('an endpoint has at least the documented time to respond', () => {
  expect(SENDER_LIMITS.timeoutMs).toBeGreaterThanOrEqual(PROMISED_RESPONSE_SECONDS * SECOND_MS);
});
