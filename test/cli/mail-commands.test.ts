import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NewEmail, queueEmails } from '../../src/mail/index.ts';
import { claimDueEmails, settleEmail } from '../../src/mail/mail-queue.ts';
import { derivedId, newId } from '../../src/platform/ids.ts';
import { runInProcess } from '../e2e/run-to-end.ts';
import { START_MS } from '../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { createMerchant } from '../webhooks/harness.ts';

describePostgres('quittance mail list and show', () => {
  let database: TestDatabase;
  let folder: string;
  let merchant: { readonly id: string; readonly name: string };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-mails-'));
    database = await createPostgresDatabase();
    const id = await createMerchant(database);
    const { name } = await database.db
      .selectFrom('merchant')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    merchant = { id, name };
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  function quittance(...args: readonly string[]) {
    const env = { DATABASE_URL: database.url ?? '', DATA_DIR: folder };
    return runInProcess(['mail', ...args], { cwd: folder, env });
  }
  async function asJson(...args: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await quittance(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }
  async function write(changes: Partial<NewEmail>): Promise<string> {
    const dedupeKey = newId('req');
    const mail = {
      merchantId: null,
      recipient: 'zoe@customer.example',
      subject: 'Please confirm',
      text: 'Hello,\n\nyes?\n',
      html: '<p>',
    };
    await database.db
      .transaction()
      .execute((trx) => queueEmails(trx, [{ ...mail, dedupeKey, createdAt: START_MS, ...changes }]));
    return derivedId('eml', dedupeKey);
  }

  test('list all emails or those of one merchant, and show the content of a stored one', async () => {
    const stored = await write({
      merchantId: merchant.id,
      isHeld: true,
      fromName: 'Tea\u001b[2J',
      headers: { 'X-Link': '<1>' },
    });
    const sent = await write({ createdAt: START_MS + 1_000 });
    const [taken] = await claimDueEmails(database.db, { now: START_MS + 1_000, leaseMs: 1_000, limit: 1 });
    await settleEmail(database.db, { id: sent, tries: taken?.tries ?? 0 }, { state: 'sent' }, START_MS + 2_000);

    expect(await asJson('list')).toMatchObject({
      mails: [
        { mail_id: sent, state: 'sent', subject: '', tries: 1, sent_at: '2026-11-21T10:00:02Z' },
        { mail_id: stored, state: 'stored', subject: 'Please confirm', recipient: 'zoe@customer.example' },
      ],
      has_more: false,
    });
    expect(await asJson('list', '--merchant', merchant.name)).toMatchObject({ mails: [{ mail_id: stored }] });
    expect(await asJson('list', '--state', 'sent', '--merchant', merchant.name)).toEqual({
      mails: [],
      has_more: false,
    });
    expect((await quittance('list', '--state', 'queued')).stdout).toBe('No emails found.\n');
    const table = (await quittance('list', '--limit', '1')).stdout;
    expect(table).toMatch(new RegExp(`^${sent}  2026-11-21T10:00:01Z  sent   1 +- +zoe@customer\\.example  - `, 'm'));
    expect(table).toContain('There are older emails; raise --limit.');

    expect(await asJson('show', stored)).toMatchObject({
      text: 'Hello,\n\nyes?\n',
      html: '<p>',
      headers: { 'X-Link': '<1>' },
    });
    const shown = (await quittance('show', stored)).stdout;
    expect(shown).toContain(
      'From: Tea�[2J\nTo: zoe@customer.example\nSubject: Please confirm\nX-Link: <1>\n\nHello,\n\nyes?\n',
    );
    const over = (await quittance('show', sent)).stdout;
    expect(over).toContain('Content deleted after delivery ended.');
    expect(over).not.toContain('Subject');
  });

  test.each<[string, readonly string[], RegExp]>([
    ['an email there is not', ['show', newId('eml')], /There is no such email; list them with "quittance mail list"/],
    ['what is no id', ['show', "'"], /There is no such email/],
    ['no id', ['show'], /mail show: ID is missing/],
    ['a state there is not', ['list', '--state', 'lost'], /must be one of queued, stored, sent, failed/],
    ['a merchant there is not', ['list', '--merchant', 'nobody'], /There is no merchant "nobody"/],
    ['too much', ['list', '--limit', '1001'], /must be a whole number from 1 to 1000/],
  ])('%s is a named error', async (_, args, problem) => {
    const result = await quittance(...args);
    expect(result.stderr).toMatch(problem);
    expect([result.code, result.stdout]).toEqual([1, '']);
  });
});
