import { expect, test } from 'vitest';
import { SECOND_MS } from '../../machines/index.ts';
import { SENDER_LIMITS } from '../../src/webhooks/index.ts';
import { useApp } from '../http/api/support.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { PAID_LATE_WINDOW_HOURS } from './tables/limits.ts';
import { PROMISED_RESPONSE_SECONDS } from './tables/webhook.ts';

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

test('an endpoint has at least the documented time to respond', () => {
  expect(SENDER_LIMITS.timeoutMs).toBeGreaterThanOrEqual(PROMISED_RESPONSE_SECONDS * SECOND_MS);
});
