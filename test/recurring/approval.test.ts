import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Schedule } from '../../src/client/index.ts';
import { approveMerchant } from '../../src/merchants/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { NO_SERVER_RESPONDS } from '../support/outside/smtp.ts';
import { startApp, type TestApp } from '../support/service/app.ts';
import { errorOf, MONTHLY } from './requests.ts';

describeDatabases('a merchant that signed up', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({
      connection: database(),
      liveRates: { LTC: '80', EUR: '1.08' },
      mail: NO_SERVER_RESPONDS,
    });
  });
  afterAll(() => app?.stop());

  async function signedUp() {
    const merchant = await app.addMerchant();
    await app.addLiveWallet(merchant);
    await setPending(merchant.id);
    return merchant;
  }
  const setPending = (id: string) =>
    database()
      .db.updateTable('merchant')
      .set({ approval_pending_since: new Date(app.clock.now()) })
      .where('id', '=', id)
      .execute();
  const approve = (id: string) =>
    database()
      .db.transaction()
      .execute((trx) => approveMerchant({ trx, who: 'a test', now: app.clock.now() }, id));
  const create = (key: string, customer_email: string, headers = {}) =>
    app.call<{ data: Schedule }>({
      method: 'POST',
      path: '/recurring/create',
      key,
      body: { ...MONTHLY, customer_email },
      headers,
    });
  const kept = async (merchantId: string) => {
    const { db } = database();
    const schedules = await db.selectFrom('schedule').select('mode').where('merchant_id', '=', merchantId).execute();
    const mails = await db.selectFrom('mail').select('state').where('merchant_id', '=', merchantId).execute();
    return { schedules: schedules.map(({ mode }) => mode), mails: mails.map(({ state }) => state) };
  };

  test('sends no mail to customers until an operator approves it: nothing is stored, and test keys work as usual', async () => {
    const { id, keys } = await signedUp();
    const headers = { 'x-idempotency-key': 'member 1' };
    for (let times = 0; times < 2; times += 1) {
      const rejected = await create(keys.sk_live, 'a-customer@example.com', headers);
      expect(errorOf(rejected)).toEqual([403, 'MERCHANT_NOT_APPROVED']);
      expect(rejected.text).toContain('operator');
    }
    expect(await kept(id)).toEqual({ schedules: [], mails: [] });
    expect((await create(keys.sk_test, 'a-customer@example.com')).status).toBe(201);
    expect(await kept(id)).toEqual({ schedules: ['test'], mails: ['stored'] });

    expect(await Promise.all([approve(id), approve(id)])).toContain(true);
    expect((await create(keys.sk_live, 'a-customer@example.com', headers)).status).toBe(201);
    expect((await kept(id)).mails.sort()).toEqual(['queued', 'stored']);
    const entries = await database()
      .db.selectFrom('audit_entry')
      .select(['who', 'subject_id'])
      .where('merchant_id', '=', id)
      .where('what', '=', 'merchant.approved')
      .execute();
    expect(entries).toEqual([{ who: 'a test', subject_id: id }]);
  });

  test('gets the emails it had already created held while it awaits approval', async () => {
    const { id, keys } = await signedUp();
    await approve(id);
    const { schedule_id } = (await create(keys.sk_live, 'b-customer@example.com')).body.data;
    await setPending(id);
    const again = await app.call({
      method: 'POST',
      path: `/recurring/${schedule_id}/resend-confirmation`,
      key: keys.sk_live,
    });
    expect(again.status).toBe(200);
    expect((await kept(id)).mails.sort()).toEqual(['queued', 'stored']);
  });
});
