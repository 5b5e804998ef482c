import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MONTHLY } from '../../../recurring/requests.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { startApp, type TestApp, type TestMerchant } from '../../../support/service/app.ts';

describeDatabases('a list with a row that cannot be read', (database) => {
  let app: TestApp;
  let merchant: TestMerchant;
  beforeAll(async () => {
    app = await startApp({ connection: database() });
    merchant = await app.addMerchant();
  });
  afterAll(() => app?.stop());

  const post = async (path: string, body: object) => {
    const key = merchant.keys.sk_test;
    const { body: response } = await app.call<{ data: Readonly<Record<string, string>> }>({
      method: 'POST',
      path,
      key,
      body,
    });
    return response.data;
  };
  const createPayment = async () => (await app.create(merchant.keys.sk_test)).transaction_id;
  const createSchedule = async () => (await post('/recurring/create', MONTHLY)).schedule_id ?? '';

  test.each([
    {
      tables: ['transaction_terms', 'transaction_status'],
      path: '/transactions/list',
      id: 'transaction_id',
      make: createPayment,
    },
    { tables: ['schedule'], path: '/recurring/list', id: 'schedule_id', make: createSchedule },
  ])('returns the other rows of $path, and alerts operators once', async ({ tables, path, id, make }) => {
    const [sound, broken, another] = [await make(), await make(), await make()];
    for (const each of tables)
      await sql`update ${sql.table(each)} set created_at = '290000-01-01T00:00:00Z' where id = ${broken}`.execute(
        database().db,
      );
    for (let times = 0; times < 2; times += 1) {
      const response = await app.call<{ data: Record<string, { [name: string]: unknown }[]> }>({
        path,
        key: merchant.keys.sk_test,
      });
      expect(response.status).toBe(200);
      const [listed = []] = Object.values(response.body.data).filter(Array.isArray);
      expect(listed.map((each) => String(each[id])).sort()).toEqual([sound, another].sort());
    }
    const alerts = await database()
      .db.selectFrom('operator_alert')
      .select(['alert', 'detail'])
      .where('actor_id', '=', broken)
      .execute();
    expect(alerts).toEqual([{ alert: 'row_unreadable', detail: expect.stringContaining('created_at: 290000-01-01') }]);
  });
});
