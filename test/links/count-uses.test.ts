import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { countLinkUses, createLink } from '../../src/links/index.ts';
import { upsertMerchant } from '../../src/merchants/index.ts';
import { type Completion, OPERATOR_ALERT_QUEUE } from '../../src/payments/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { TERMS } from '../machines/transaction/terms.ts';
import { createPaymentRun } from '../payments/support/payment-run.ts';
import { createPostgresDatabase, describeDatabases, describePostgres } from '../support/database/test-database.ts';
import { SINGLE_USE } from './links-app.ts';

describePostgres('counting the uses of a payment link', () => {
  test('a commit waits for the previous one and counts against its remaining uses', async () => {
    const database = await createPostgresDatabase();
    const { db } = database;
    const { id: merchantId } = await db
      .transaction()
      .execute((trx) => upsertMerchant(trx, { name: 'Shop', email: 'a@shop.test', plan: 'starter', settings: {} }));
    const scope = { merchantId, mode: 'live' } as const;
    const { slug } = await db
      .transaction()
      .execute((trx) =>
        createLink({ trx, who: 'test', now: systemClock.now() }, { ...scope, ...SINGLE_USE, slug: null }),
      );
    const ids = ['txn_first', 'txn_second', 'txn_third'];
    const rows = ids.map((id) => ({ transaction_id: id, merchant_id: merchantId, mode: 'live' as const, slug }));
    await db.insertInto('link_payment').values(rows).execute();
    const completionOf = (transactionId: string): Completion => ({
      transactionId,
      ...scope,
      type: 'basic',
      simulated: false,
      completedAt: 0,
    });

    let others: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      await countLinkUses(trx, [completionOf('txn_first')]);
      const inOneBatch = ['txn_third', 'txn_second'].map(completionOf);
      others = db.transaction().execute((second) => countLinkUses(second, inOneBatch));
      // Seen from a third connection: the second commit waits until this one is done.
      await expect.poll(() => waitingFor(db)).toBe(1);
    });
    await others;

    const counted = await db.selectFrom('link_payment').select(['transaction_id', 'counted_as']).execute();
    expect(Object.fromEntries(counted.map((row) => [row.transaction_id, row.counted_as]))).toEqual({
      txn_first: 'use',
      txn_second: 'excess',
      txn_third: 'excess',
    });
    const messages = await db.selectFrom('outbox_message').select(['id', 'queue']).orderBy('id').execute();
    expect(messages).toEqual(
      ['txn_second', 'txn_third'].map((id) => {
        return { id: `alert:payment_link_overused:${id}`, queue: OPERATOR_ALERT_QUEUE };
      }),
    );
    const link = await db.selectFrom('payment_link').select(['uses', 'excess_uses']).executeTakeFirst();
    expect(link).toEqual({ uses: 1, excess_uses: 2 });
    // A repeated completion, which no engine sends, changes nothing.
    await db.transaction().execute((trx) => countLinkUses(trx, ids.map(completionOf)));
    expect(await db.selectFrom('payment_link').select('uses').executeTakeFirst()).toEqual({ uses: 1 });
    await database.drop();
  });
});

describeDatabases('a payment link that is paid too often', (database) => {
  test.each([
    ['a live link that is paid once too often emails the merchant once for each payment', 'live', {}, [1, 2]],
    ['a test link sends no mail', 'test', {}, []],
    ['nor does a live one whose merchant has switched the notice off', 'live', { mailNeedsAttention: false }, []],
  ] as const)('%s', async (_, mode, settings, mailed) => {
    const { db } = database();
    const shop = { name: newId('mer'), email: 'a@shop.test', plan: 'starter', settings };
    const { id: merchantId } = await db.transaction().execute((trx) => upsertMerchant(trx, shop));
    const email = `owner-${merchantId}@shop.test`;
    await db
      .insertInto('merchant_user')
      .values({ id: newId('usr'), merchant_id: merchantId, email, role: 'owner', password_hash: '-' })
      .execute();
    const scope = { merchantId, mode } as const;
    const now = systemClock.now();
    const { slug } = await db
      .transaction()
      .execute((trx) => createLink({ trx, who: 'test', now }, { ...scope, ...SINGLE_USE, slug: null }));
    const ids = [newId('txn'), newId('txn'), newId('txn')].toSorted();
    const rows = ids.map((id) => ({ transaction_id: id, merchant_id: merchantId, mode, slug }));
    await db.insertInto('link_payment').values(rows).execute();
    for (const batch of [ids.slice(0, 2), ids.slice(2)]) {
      const completions = batch.map((transactionId): Completion => {
        return { transactionId, ...scope, type: 'basic', simulated: false, completedAt: now };
      });
      await db.transaction().execute((trx) => countLinkUses(trx, completions));
    }
    const mails = await db
      .selectFrom('mail')
      .select(['recipient', 'subject', 'text'])
      .where('merchant_id', '=', merchantId)
      .execute();
    expect(mails.map(({ text }) => ids.findIndex((id) => text.includes(id))).toSorted((a, b) => a - b)).toEqual(mailed);
    for (const { recipient, subject, text } of mails) {
      expect([recipient, subject]).toEqual([email, 'A payment link was paid more times than allowed']);
      expect(text).toContain(SINGLE_USE.title);
    }
  });
});

describeDatabases('a link that is paid again', (database) => {
  test('after the coins of the counted payment have left the network is not called paid too often alone', async () => {
    const { db } = database();
    const run = await createPaymentRun(database());
    const counted = await run.start();
    const { merchantId, mode } = { merchantId: TERMS.merchantId, mode: 'live' as const };
    await db
      .insertInto('merchant_user')
      .values({ id: newId('usr'), merchant_id: merchantId, email: 'ann@shop.test', role: 'owner', password_hash: '-' })
      .execute();
    const now = systemClock.now();
    const { slug } = await db
      .transaction()
      .execute((trx) => createLink({ trx, who: 'test', now }, { merchantId, mode, ...SINGLE_USE, slug: null }));
    const again = newId('txn');
    const rows = [counted, again].map((id) => ({ transaction_id: id, merchant_id: merchantId, mode, slug }));
    await db.insertInto('link_payment').values(rows).execute();
    const complete = (transactionId: string) => {
      const completion = {
        transactionId,
        merchantId,
        mode,
        type: 'basic',
        simulated: false,
        completedAt: now,
      } as const;
      return db.transaction().execute((trx) => countLinkUses(trx, [completion]));
    };
    await complete(counted);
    await db.updateTable('transaction_status').set({ loss: 'gone' }).where('id', '=', counted).execute();
    await complete(again);
    const mails = await db.selectFrom('mail').select('text').where('merchant_id', '=', merchantId).execute();
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('do not refund it')]);
    expect(mails[0]?.text).toContain(counted);
  });
});

// Helpers

/** Number of connections to this database that wait for a lock. */
async function waitingFor(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
