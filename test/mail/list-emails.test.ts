import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  getEmail,
  getStoredEmail,
  listEmails,
  listStoredEmails,
  type NewEmail,
  queueEmails,
} from '../../src/mail/index.ts';
import { derivedId, newId } from '../../src/platform/ids.ts';
import { START_MS } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';

describeDatabases('the list of emails', (database) => {
  async function write(changes: Partial<NewEmail>): Promise<string> {
    const dedupeKey = randomUUID();
    const mail = { merchantId: null, recipient: 'zoe@customer.example', subject: 'S', text: 'T', html: 'H' };
    const { db } = database();
    await db
      .transaction()
      .execute((trx) => queueEmails(trx, [{ ...mail, dedupeKey, createdAt: START_MS, ...changes }]));
    return derivedId('eml', dedupeKey);
  }
  async function addMerchant(): Promise<string> {
    const id = newId('mer');
    await sql`insert into merchant (id, name, email, plan) values (${id}, ${id}, 'shop@shop.example', 'free')`.execute(
      database().db,
    );
    return id;
  }

  test('returns the newest first, in pages, also within one millisecond, and of one merchant only', async () => {
    const { db } = database();
    const merchantId = await addMerchant();
    await write({ merchantId: await addMerchant(), isHeld: true });
    const sameMoment = await Promise.all([1, 2, 3].map(() => write({ merchantId, isHeld: true })));
    const newest = await write({ merchantId, isHeld: true, createdAt: START_MS + 1 });
    const queued = await write({ merchantId, createdAt: START_MS + 2 });
    const expected = [newest, ...sameMoment.toSorted().toReversed()];
    const seen: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const before = seen.at(-1);
      const page = await listStoredEmails(db, { merchantId, limit: 3, ...(before === undefined ? {} : { before }) });
      expect(page.emails.length).toBeGreaterThan(0);
      seen.push(...page.emails.map(({ id }) => id));
      hasMore = page.hasMore;
    }
    expect(seen).toEqual(expected);
    const all = await listEmails(db, { merchantId, limit: 10 });
    expect(all.emails.map(({ id }) => id)).toEqual([queued, ...expected]);
    expect(all.hasMore).toBe(false);
    expect((await listEmails(db, { merchantId, limit: 10, state: 'queued' })).emails).toMatchObject([
      { id: queued, state: 'queued' },
    ]);
  });

  test.each([newId('eml'), 'eml_', "'; --", '\u0000'])('accepts only mail ids as cursor, not %j', async (before) => {
    const listing = listStoredEmails(database().db, { limit: 1, before });
    await expect(listing).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'before' });
  });

  test('shows the content of an email, and in the inbox only stored ones', async () => {
    const { db } = database();
    const headers = { 'List-Unsubscribe': '<https://pay.example/stop>' };
    const stored = await write({ isHeld: true, fromName: 'Tea & Co.', headers });
    const said = {
      subject: 'S',
      text: 'T',
      html: 'H',
      headers,
      fromName: 'Tea & Co.',
      state: 'stored',
      createdAt: START_MS,
    };
    expect(await getStoredEmail(db, stored)).toMatchObject(said);
    const queued = await write({});
    expect(await getStoredEmail(db, queued)).toBeNull();
    expect(await getEmail(db, queued)).toMatchObject({ text: 'T', nextTryAt: START_MS, sentAt: null });
    for (const id of [newId('eml'), 'x', '\u0000']) expect(await getEmail(db, id)).toBeNull();
  });
});
