import { expect, test } from 'vitest';
import type { Schedule, SchedulePeriod } from '../../src/client/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { startApp, type TestApp } from '../support/service/app.ts';
import { MONTHLY } from './requests.ts';

describeDatabases('after the service key was changed', (database) => {
  test('links of earlier emails stay valid, alongside new ones', async () => {
    const connection = database();
    const before = await startApp({ connection });
    const { keys } = await before.addMerchant();
    const path = '/recurring/create';
    const created = await before.call<{ data: Schedule }>({
      method: 'POST',
      path,
      key: keys.sk_test,
      body: MONTHLY,
    });
    const { schedule_id: id } = created.body.data;
    await before.call({
      method: 'POST',
      path: `/recurring/${id}/simulate`,
      key: keys.sk_test,
      body: { action: 'confirm' },
    });
    const mailed = await payUrlOf(before, id, keys.sk_test);
    await before.stop();

    const after = await startApp({ connection, secretKey: new Uint8Array(32).fill(7) });
    try {
      const shown = await payUrlOf(after, id, keys.sk_test);
      expect(shown).not.toBe(mailed);
      for (const url of [mailed, shown]) expect((await after.open(url)).status).toBe(200);
      const [first, second] = [await after.post(mailed, { crypto: 'LTC' }), await after.post(shown, { crypto: 'LTC' })];
      expect(first.status).toBe(303);
      expect(second.location).toBe(first.location);
    } finally {
      await after.stop();
    }
  });
});

// Helpers

async function payUrlOf(app: TestApp, id: string, key: string): Promise<string> {
  const { body } = await app.call<{ data: { periods: SchedulePeriod[] } }>({ path: `/recurring/${id}/periods`, key });
  return body.data.periods[0]?.payment_url ?? '';
}
