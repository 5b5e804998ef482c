import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { type BounceReport, holdEmails, processBounces, queueEmails } from '../../src/mail/index.ts';
import { claimDueEmails, settleEmail } from '../../src/mail/mail-queue.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { derivedId, newId } from '../../src/platform/ids.ts';
import { START_MS } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { exchangeReport, eximReport, postfixReport } from './reports.ts';

const LEASE = { now: START_MS, leaseMs: 60_000, limit: 100 };

describeDatabases('processBounces', (database) => {
  let sent: string[];
  beforeEach(() => {
    sent = [];
  });

  const notifyActor = async (actorId: string, emailId: string) => {
    sent.push(`${actorId} ${emailId}`);
  };
  const take = (report: BounceReport) => processBounces({ db: database().db, notifyActor }, report);

  /** Inserts an email in the given state; returns its id. */
  async function mailIn(state: 'sent' | 'leased' | 'queued' | 'stored' | 'refused', actorId?: string): Promise<string> {
    const { db } = database();
    const dedupeKey = randomUUID();
    const id = derivedId('eml', dedupeKey);
    const mail = {
      merchantId: null,
      recipient: 'zoe@customer.example',
      subject: 'S',
      text: 'T',
      html: 'H',
      createdAt: START_MS,
    };
    const more = { dedupeKey, isHeld: state === 'stored', ...(actorId === undefined ? {} : { actorId }) };
    await db.transaction().execute((trx) => queueEmails(trx, [{ ...mail, ...more }]));
    if (state === 'queued' || state === 'stored') return id;
    const taken = (await claimDueEmails(db, LEASE)).find((each) => each.id === id);
    if (taken === undefined) throw new Error('the mail was not due');
    if (state === 'sent') await settleEmail(db, taken, { state: 'sent' }, START_MS);
    if (state === 'refused')
      await settleEmail(db, taken, { state: 'failed', because: 'refused', reason: 'no' }, START_MS);
    return id;
  }
  const rowOf = (id: string) =>
    database().db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const listOf = (...mails: readonly (readonly [messageId: string, status: string])[]): BounceReport => ({
    kind: 'list',
    bounces: mails.map(([messageId, status]) => ({ messageId, status })),
  });
  const onWire = (id: string) => `<${id}@shop.example>`;

  test.each([
    ['Postfix', postfixReport],
    ['Exim', eximReport],
    ['Exchange', exchangeReport],
  ])('marks the mail that a report of %s is about, and notifies its actor once', async (_name, write) => {
    const id = await mailIn('sent', 'actor');
    const report: BounceReport = { kind: 'message', raw: new TextEncoder().encode(write({ messageId: onWire(id) })) };
    for (const _again of [1, 2]) expect(await take(report)).toEqual({ matched: 1 });
    expect(await rowOf(id)).toMatchObject({
      state: 'failed',
      failed_because: 'bounced',
      sent_at: START_MS,
      next_try_at: null,
      last_error: expect.stringMatching(/^5\.1\.\d+: bounced after/),
    });
    expect(sent).toEqual([`actor ${id}`]);
  });

  test('accepts a list, with and without angle brackets, also of emails without an actor', async () => {
    const [first, second, harmless] = [await mailIn('sent', 'a'), await mailIn('sent'), await mailIn('sent', 'c')];
    const report = listOf(
      [onWire(first), '5.1.1'],
      [`${second}@other.example`, '5.4.4'],
      [onWire(harmless), '4.2.2'],
      [onWire(harmless), '5.7.1'],
    );
    expect(await take(report)).toEqual({ matched: 2 });
    expect(sent).toEqual([`a ${first}`]);
    expect(await rowOf(second)).toMatchObject({ state: 'failed', failed_because: 'bounced' });
    expect(await rowOf(harmless)).toMatchObject({ state: 'sent' });
  });

  test('ignores unknown emails and emails that were not sent, and counts the known ones', async () => {
    // The waiting ones last: making the others leases every due mail.
    const [rejected, stored, queued] = [
      await mailIn('refused', 'c'),
      await mailIn('stored', 'b'),
      await mailIn('queued', 'a'),
    ];
    const unknownIds = [
      onWire(newId('eml')),
      '<20261121@mx.example>',
      onWire("eml_'; drop table mail; --"),
      '',
      '<@>',
      `${'x'.repeat(900)}@y.example`,
    ];
    const report = listOf(
      ...[...unknownIds, ...[queued, stored, rejected].map(onWire)].map((id) => [id, '5.1.1'] as const),
    );
    expect(await take(report)).toEqual({ matched: 3 });
    expect(await rowOf(queued)).toMatchObject({ state: 'queued', text: 'T' });
    expect(await rowOf(stored)).toMatchObject({ state: 'stored', text: 'T' });
    expect(await rowOf(rejected)).toMatchObject({ state: 'failed', failed_because: 'refused' });
    expect(sent).toEqual([]);
  });

  test('accepts a report that arrives before the worker has marked the mail as sent', async () => {
    const id = await mailIn('leased', 'actor');
    expect(await take(listOf([onWire(id), '5.1.1']))).toEqual({ matched: 1 });
    expect(await settleEmail(database().db, { id, tries: 1 }, { state: 'sent' }, START_MS)).toBe(false);
    expect(await rowOf(id)).toMatchObject({
      state: 'failed',
      failed_because: 'bounced',
      text: '',
      is_leased: false,
      sent_at: null,
    });
    expect(sent).toEqual([`actor ${id}`]);
  });

  test('records the bounce of an email that its actor holds because of it', async () => {
    const { db } = database();
    const id = await mailIn('leased', 'actor');
    const { dedupe_key: key } = await rowOf(id);
    const hold = () => db.transaction().execute((trx) => holdEmails(trx, [key]));
    expect(await processBounces({ db, notifyActor: hold }, listOf([onWire(id), '5.1.1']))).toEqual({ matched: 1 });
    expect(await rowOf(id)).toMatchObject({ state: 'failed', failed_because: 'bounced', text: '' });
  });

  test('changes nothing when an actor cannot be notified, and does the rest the next time', async () => {
    const [first, second] = [await mailIn('sent', 'first'), await mailIn('sent', 'second')];
    const report = listOf([onWire(first), '5.1.1'], [onWire(second), '5.1.1']);
    const busy = new RetryableError('ENGINE_BUSY', 'busy');
    const failing = processBounces(
      {
        db: database().db,
        async notifyActor(actorId, emailId) {
          if (sent.length > 0) throw busy;
          await notifyActor(actorId, emailId);
        },
      },
      report,
    );
    await expect(failing).rejects.toBe(busy);
    const states = async () => (await Promise.all([first, second].map(rowOf))).map(({ state }) => state).sort();
    expect(await states()).toEqual(['failed', 'sent']);
    expect(await take(report)).toEqual({ matched: 2 });
    expect(await states()).toEqual(['failed', 'failed']);
    expect(sent.toSorted()).toEqual([`first ${first}`, `second ${second}`]);
  });

  test('stores bounces when there is no engine to notify', async () => {
    const id = await mailIn('sent', 'actor');
    const { db } = database();
    expect(await processBounces({ db, notifyActor: null }, listOf([onWire(id), '5.1.1']))).toEqual({ matched: 1 });
    expect(await rowOf(id)).toMatchObject({ state: 'failed', failed_because: 'bounced' });
  });
});
