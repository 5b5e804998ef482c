import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { emailUser } from '../../src/accounts/emails/notify-user.ts';
import { type NewEmail, notifyMerchantUsers, queueEmails } from '../../src/mail/index.ts';
import { derivedId, newId } from '../../src/platform/ids.ts';
import { demoEmailsOf, SHOWN_EMAILS } from '../../src/service/demo/demo-inbox.ts';
import { createAccountsHarness } from '../accounts/harness.ts';
import { START_MS } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';

const LETTER = { subject: 'S', blocks: [{ kind: 'paragraph', text: 'T' }] } as const;

describeDatabases('the stored emails of a demo', (database) => {
  async function writeToCustomer(merchantId: string, changes: Partial<NewEmail> = {}): Promise<string> {
    const dedupeKey = randomUUID();
    const mail = { merchantId, recipient: 'zoe@customer.example', subject: 'S', text: 'T', html: 'H', dedupeKey };
    const origin = { actorId: newId('req'), isHeld: true, createdAt: START_MS };
    await database()
      .db.transaction()
      .execute((trx) => queueEmails(trx, [{ ...mail, ...origin, ...changes }]));
    return derivedId('eml', dedupeKey);
  }
  /** The state after a worker without a mail server has processed them. */
  const keepAll = () => database().db.updateTable('mail').set({ state: 'stored', next_try_at: null }).execute();
  const idsOf = (merchantId: string) =>
    database().db.selectFrom('mail').select('id').where('merchant_id', '=', merchantId).execute();

  test('are those to its customers, however many newer ones were sent to its logins', async () => {
    const { db } = database();
    const deps = createAccountsHarness(database());
    const owner = await deps.add('owner');
    const merchantId = owner.merchantId ?? '';
    const expected = await writeToCustomer(merchantId);
    const now = START_MS + 1;
    await db.transaction().execute(async (trx) => {
      for (let number = 0; number < SHOWN_EMAILS; number += 1) await emailUser({ trx, now }, owner, LETTER);
      const setting = 'mailFailingWebhook' as const;
      await notifyMerchantUsers(trx, [{ id: newId('ntc'), merchantId, setting, content: LETTER, at: now }]);
    });
    await keepAll();
    const inbox = demoEmailsOf(db);
    expect((await inbox.list(merchantId)).map(({ id }) => id)).toEqual([expected]);
    const all = await idsOf(merchantId);
    expect(all).toHaveLength(SHOWN_EMAILS + 2);
    const shown = await Promise.all(
      all.map(async ({ id }) => ((await inbox.get(merchantId, id)) === null ? [] : [id])),
    );
    expect(shown.flat()).toEqual([expected]);
  });

  test('are its own only, and none that is sent out', async () => {
    const deps = createAccountsHarness(database());
    const [merchantId, neighbour] = [await deps.addMerchant(), await deps.addMerchant()];
    const inbox = demoEmailsOf(database().db);
    const own = await writeToCustomer(merchantId);
    const others = [await writeToCustomer(neighbour), await writeToCustomer(merchantId, { isHeld: false })];
    expect(await inbox.get(merchantId, own)).toMatchObject({ id: own, text: 'T', html: 'H' });
    for (const id of [...others, newId('eml'), 'x', '\u0000']) expect(await inbox.get(merchantId, id)).toBeNull();
    expect((await inbox.list(merchantId)).map(({ id }) => id)).toEqual([own]);
  });
});
