import { expect, test } from 'vitest';
import { INTERFACE_TERMS } from '../../../../src/merchants/index.ts';
import type { Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

const { perMinute } = INTERFACE_TERMS.professional.requests;

describeConsole('a user who changes something again and again', {}, async (console) => {
  test('is refused beyond the limit of a minute, may read on, and stops no other user', async () => {
    const change = (who: Who) => console.call(who, { method: 'POST', path: '/merchant/wallets/preview', body: {} });
    let rejected = await change('owner');
    // The minute may end once meanwhile.
    for (let calls = 1; calls <= 2 * perMinute + 1 && rejected.status !== 429; calls += 1)
      rejected = await change('owner');
    expect(rejected).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' });
    expect((await console.call('owner', { path: '/merchant/wallets' })).status).toBe(200);
    expect((await change('staff')).status).toBe(403);
  });
});
