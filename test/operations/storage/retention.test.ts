import { type Kysely, sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import { saveImage } from '../../../src/images/index.ts';
import { createStorageWorker } from '../../../src/operations/index.ts';
import { applyRetention } from '../../../src/operations/storage/apply-retention.ts';
import { RETENTION_RULES } from '../../../src/operations/storage/deletion-rules.ts';
import { makePartitions } from '../../../src/operations/storage/month-partitions.ts';
import type { RetentionDays } from '../../../src/platform/config/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { createKindRegistry } from '../../../src/platform/engine/index.ts';
import { createLogger } from '../../../src/platform/log.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { silentLog } from '../../support/silent-log.ts';
import { KEEP_FOREVER } from './keep-forever.ts';
import { KEPT_TABLES } from './kept-tables.ts';

const ONE_MS = 1 / DAY_MS;

describeDatabases('retention', (database) => {
  const clock = createTestClock();
  const ago = (days: number) => new Date(clock.now() - days * DAY_MS);
  const apply = (retention: Partial<RetentionDays>, more: { batchRows?: number; signal?: AbortSignal } = {}) =>
    applyRetention({ db: database().db, clock, log: silentLog, retention: { ...KEEP_FOREVER, ...retention } }, more);

  beforeEach(async () => {
    const { db } = database();
    await sql`
      truncate webhook_attempt, webhook_replay, webhook_delivery, webhook_event, webhook_endpoint, mail,
        dead_letter, operation_item, operation_run, session, account_token, sign_up, audit_entry, operator_action,
        merchant_user, payment_link, image, merchant, actor_archive, archived_actor cascade`.execute(db);
    await sql`insert into merchant (id, name, email, plan) values ('mer_1', 'Shop', 'shop@example.com', 'business')`.execute(
      db,
    );
  });

  test('every table has a rule to delete its rows, or a reason to keep them, and none has both', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
        and relname not like 'test\\_%' order by relname`.execute(database().db);
    const ruled = RETENTION_RULES.flatMap(({ tables }) => tables);
    expect([...ruled, ...Object.keys(KEPT_TABLES)].sort()).toEqual(rows.map(({ name }) => name));
    for (const [name, reason] of Object.entries(KEPT_TABLES)) expect(reason, name).toMatch(/\w+ \w+/);
  });

  test('keeps attempts for 60 days to the millisecond, inside and outside partitions', async () => {
    const { db } = database();
    await makePartitions(db, 'webhook_attempt', clock.now());
    const log = (days: readonly number[]) =>
      db
        .insertInto('webhook_attempt')
        .values(days.map((age) => ({ delivery_id: `dlv_${age}`, attempt: 1, started_at: ago(age), duration_ms: 5 })))
        .execute();
    const ages = async () => {
      const rows = await db.selectFrom('webhook_attempt').select('started_at').orderBy('started_at').execute();
      return rows.map((row) => (clock.now() - row.started_at) / DAY_MS);
    };
    // Some of these months have a partition, others have none yet.
    await log([0, 59.99, 60, 60 + ONE_MS, 61, 150, 400]);
    await apply({ webhookAttempts: 60 });
    expect(await ages()).toEqual([60, 59.99, 0]);
    await makePartitions(db, 'webhook_attempt', clock.now());
    await log([61, 400]);
    await makePartitions(db, 'webhook_attempt', clock.now());
    await apply({ webhookAttempts: 60 });
    expect(await ages()).toEqual([60, 59.99, 0]);
    const { rows } = await sql<{ name: string }>`
      select relid::regclass::text as name from pg_partition_tree('webhook_attempt') where isleaf
      and relid::regclass::text < 'webhook_attempt_2026_09'`.execute(db);
    expect(rows).toEqual([]);
    expect(await apply({})).toEqual(new Map());
    expect(await ages()).toHaveLength(3);
  });

  test('deletes in batches with several workers at once, each row by one of them, and stops with the service', async () => {
    const { db } = database();
    const [old, young] = [1_200, 50];
    const rows = Array.from({ length: old + young }, (_, index) => ({
      id: `eml_${index}`,
      recipient: 'a@b.example',
      subject: '',
      text: '',
      html: '',
      headers: '{}',
      dedupe_key: `k${index}`,
      state: 'stored' as const,
      created_at: ago(index < old ? 181 + index / 1_000 : 1),
    }));
    for (let from = 0; from < rows.length; from += 250) {
      await db
        .insertInto('mail')
        .values(rows.slice(from, from + 250))
        .execute();
    }
    expect(await apply({ mails: 180 }, { signal: AbortSignal.abort() })).toEqual(new Map());
    const counts = await Promise.all([1, 2, 3].map(() => apply({ mails: 180 }, { batchRows: 100 })));
    // A round that found every old row locked has skipped them.
    await apply({ mails: 180 });
    expect(await countOf(db, 'mail')).toBe(young);
    expect(counts.reduce((sum, count) => sum + (count.get('mails') ?? 0), 0)).toBeLessThanOrEqual(old);
  });

  test('keeps waiting emails however old, and other emails for their time', async () => {
    const { db } = database();
    const mail = { recipient: 'a@b.example', subject: '', text: '', html: '', headers: '{}' };
    await db
      .insertInto('mail')
      .values([
        { ...mail, id: 'queued', dedupe_key: '1', state: 'queued', next_try_at: ago(0), created_at: ago(900) },
        { ...mail, id: 'sent', dedupe_key: '2', state: 'sent', sent_at: ago(181), created_at: ago(181) },
        { ...mail, id: 'young', dedupe_key: '3', state: 'sent', sent_at: ago(180), created_at: ago(180) },
        { ...mail, id: 'failed', dedupe_key: '4', state: 'failed', failed_because: 'refused', created_at: ago(400) },
      ])
      .execute();
    expect(await apply({ mails: 180 })).toEqual(new Map([['mails', 2]]));
    expect(await idsOf(db, 'mail')).toEqual(['queued', 'young']);
  });

  test('keeps images that a link or a merchant shows, and others until long after their last upload', async () => {
    const { db } = database();
    const save = (content: string, days: number) =>
      db.transaction().execute((trx) => {
        const image = { contentType: 'image/png' as const, bytes: Buffer.from(content) };
        return saveImage(trx, image, clock.now() - days * DAY_MS);
      });
    const linked = await save('on a link', 900);
    const logo = await save('a logo', 900);
    await save('unused', 181);
    const young = await save('unused, and young', 180);
    await save('uploaded again', 900);
    const again = await save('uploaded again', 1);
    await sql`
      insert into payment_link (merchant_id, mode, slug, code, title, image_id, currency_fiat, cryptos, created_at)
      values ('mer_1', 'test', 'tea', 'c1', 'Tea', ${linked}, 'EUR', '{LTC}', now())`.execute(db);
    await sql`update merchant set settings = jsonb_build_object('logo', ${logo}::text)`.execute(db);
    expect(await apply({ mails: 180 })).toEqual(new Map([['unused images', 1]]));
    expect(await idsOf(db, 'image')).toEqual([linked, logo, young, again].toSorted());
  });

  test('keeps events until all of their deliveries have ended, and during a replay that will reach them', async () => {
    const { db } = database();
    await sql`
      insert into webhook_endpoint (id, merchant_id, url, events, sealed_secret)
      values ('whk_1', 'mer_1', 'https://a.example', '[]', 'x'), ('whk_2', 'mer_1', 'https://b.example', '[]', 'x')`.execute(
      db,
    );
    const event = { merchant_id: 'mer_1', event: 'payment.completed', mode: 'live', body: '{}' } as const;
    await db
      .insertInto('webhook_event')
      .values([
        { ...event, id: 'ended', created_at: ago(401) },
        { ...event, id: 'never_sent', created_at: ago(500) },
        { ...event, id: 'goes_on', created_at: ago(402) },
        { ...event, id: 'young', created_at: ago(400) },
      ])
      .execute();
    const delivery = { event: 'payment.completed', attempt: 1, created_at: ago(401) };
    await db
      .insertInto('webhook_delivery')
      .values([
        { ...delivery, id: 'd1', webhook_event_id: 'ended', endpoint_id: 'whk_1', state: 'failed', ended_at: ago(400) },
        {
          ...delivery,
          id: 'd2',
          webhook_event_id: 'ended',
          endpoint_id: 'whk_2',
          state: 'delivered',
          ended_at: ago(9),
        },
        { ...delivery, id: 'd3', webhook_event_id: 'goes_on', endpoint_id: 'whk_1', state: 'failed', ended_at: ago(9) },
        { ...delivery, id: 'd4', webhook_event_id: 'goes_on', endpoint_id: 'whk_2', state: 'waiting', ended_at: null },
        { ...delivery, id: 'd5', webhook_event_id: 'young', endpoint_id: 'whk_1', state: 'failed', ended_at: ago(399) },
      ])
      .execute();
    const replay = { merchant_id: 'mer_1', endpoint_id: 'whk_1', since: ago(450), until: ago(0), created_at: ago(0) };
    await db
      .insertInto('webhook_replay')
      .values([
        { ...replay, id: 'wrp_1', state: 'running', ended_at: null },
        { ...replay, id: 'wrp_2', state: 'done', ended_at: ago(401) },
      ])
      .execute();
    expect(await apply({ webhookEvents: 400 })).toEqual(
      new Map([
        ['webhook events with their deliveries', 1],
        ['webhook replays', 1],
      ]),
    );
    expect(await idsOf(db, 'webhook_event')).toEqual(['ended', 'goes_on', 'young']);
    await sql`update webhook_replay set state = 'done', ended_at = ${ago(0)}`.execute(db);
    await apply({ webhookEvents: 400 });
    expect(await idsOf(db, 'webhook_event')).toEqual(['goes_on', 'young']);
    expect(await idsOf(db, 'webhook_delivery')).toEqual(['d3', 'd4', 'd5']);
  });

  test('keeps dead letters, runs and sessions that are not finished', async () => {
    const { db } = database();
    await sql`
      insert into dead_letter (queue, message_id, reason, created_at, resolved_at) values
        ('q', 'open', 'r', ${ago(900)}, null), ('q', 'old', 'r', ${ago(900)}, ${ago(91)}),
        ('q', 'young', 'r', ${ago(900)}, ${ago(89)})`.execute(db);
    await sql`
      insert into operation_run (id, request_id, who, task, filter, reason, state, total, created_at, ended_at) values
        ('old', '1', 'u', '{}', '{}', 'r', 'done', 2, ${ago(181)}, ${ago(181)}),
        ('paused', '2', 'u', '{}', '{}', 'r', 'paused', 1, ${ago(500)}, null),
        ('young', '3', 'u', '{}', '{}', 'r', 'cancelled', 1, ${ago(500)}, ${ago(179)})`.execute(db);
    await sql`
      insert into operation_item (run_id, position, subject_id)
      values ('old', 1, 'a'), ('old', 2, 'b'), ('paused', 1, 'a'), ('young', 1, 'a')`.execute(db);
    await sql`
      insert into merchant_user (id, merchant_id, email, password_hash, role)
      values ('usr_1', 'mer_1', 'u@example.com', 'x', 'owner')`.execute(db);
    await sql`
      insert into session (id, token_hash, user_id, user_agent, network_hash, created_at, last_seen_at, expires_at, revoked_at) values
        ('over', '1', 'usr_1', '', 'n', ${ago(90)}, ${ago(90)}, ${ago(31)}, null),
        ('revoked', '2', 'usr_1', '', 'n', ${ago(90)}, ${ago(90)}, ${ago(-9)}, ${ago(31)}),
        ('valid', '3', 'usr_1', '', 'n', ${ago(90)}, ${ago(90)}, ${ago(-1)}, null)`.execute(db);
    expect(await apply({ deadLetters: 90, runs: 180, sessions: 30 })).toEqual(
      new Map([
        ['resolved dead letters', 1],
        ['items of bulk runs', 2],
        ['bulk runs', 1],
        ['sessions', 2],
      ]),
    );
    const deadLetters = await db.selectFrom('dead_letter').select('message_id').orderBy('message_id').execute();
    expect(deadLetters.map((deadLetter) => deadLetter.message_id)).toEqual(['open', 'young']);
    expect(await idsOf(db, 'operation_run')).toEqual(['paused', 'young']);
    expect(await idsOf(db, 'session')).toEqual(['valid']);
  });

  test('keeps everything when no retention is set', async () => {
    const { db } = database();
    await sql`
      insert into audit_entry (merchant_id, who, what, subject_id, occurred_at)
      values ('mer_1', 'user u', 'api_key.revoked', 'key_1', ${ago(9_000)})`.execute(db);
    expect(await apply({})).toEqual(new Map());
    expect(await countOf(db, 'audit_entry')).toBe(1);
    expect(await apply({ audit: 365 })).toEqual(new Map([['merchant audit log entries', 1]]));
  });

  test('keeps only what a failing rule could not delete', async () => {
    const { db } = database();
    const lines: object[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    await db
      .insertInto('webhook_attempt')
      .values({ delivery_id: 'd', attempt: 1, started_at: ago(61), duration_ms: 5 })
      .execute();
    await sql`
      insert into mail (id, recipient, subject, text, html, headers, dedupe_key, state, created_at)
      values ('old', 'a@b.example', '', '', '', '{}', '1', 'stored', ${ago(181)})`.execute(db);
    await sql`
      insert into dead_letter (queue, message_id, reason, created_at, resolved_at)
      values ('q', 'old', 'r', ${ago(900)}, ${ago(91)})`.execute(db);
    const retention = { ...KEEP_FOREVER, webhookAttempts: 60, mails: 180, deadLetters: 90 };
    const applying = () => applyRetention({ db, clock, log, retention });
    await rejectDeletions(db, 'mail');
    try {
      await expect(applying()).rejects.toThrow('retention failed for mails');
    } finally {
      await allowDeletions(db, 'mail');
    }
    const left = async () => [
      await countOf(db, 'webhook_attempt'),
      await countOf(db, 'mail'),
      await countOf(db, 'dead_letter'),
    ];
    expect(await left()).toEqual([0, 1, 0]);
    expect(lines).toContainEqual(expect.objectContaining({ what: 'mails', reason: 'nothing goes' }));
    expect(lines).toContainEqual(expect.objectContaining({ what: 'resolved dead letters', deleted: 1 }));
    expect(await applying()).toEqual(new Map([['mails', 1]]));
    expect(await left()).toEqual([0, 0, 0]);
  });

  test('is run by the worker from its start', async () => {
    const { db } = database();
    await db
      .insertInto('webhook_attempt')
      .values([1, 61].map((age) => ({ delivery_id: 'd', attempt: age, started_at: ago(age), duration_ms: 5 })))
      .execute();
    const retention = { ...KEEP_FOREVER, webhookAttempts: 60 };
    const deps = {
      db,
      clock,
      log: silentLog,
      kinds: createKindRegistry([]),
      retention,
      archiveAfterDays: 90,
      isEmbedded: database().kind === 'embedded',
    };
    const worker = createStorageWorker(deps);
    worker.start();
    try {
      await vi.waitFor(async () => expect(await countOf(db, 'webhook_attempt')).toBe(1), POLLING);
    } finally {
      await worker.stop();
    }
  });
});

// Helpers

/** Makes deletions fail, as if they timed out. */
async function rejectDeletions(db: Kysely<Database>, table: string): Promise<void> {
  await sql`
    create function refuse_deletion() returns trigger language plpgsql as $refuse$
    begin
      raise exception 'nothing goes';
    end $refuse$`.execute(db);
  await sql`
    create trigger refuse_deletion before delete on ${sql.table(table)}
    for each statement execute function refuse_deletion()`.execute(db);
}

async function allowDeletions(db: Kysely<Database>, table: string): Promise<void> {
  await sql`drop trigger refuse_deletion on ${sql.table(table)}`.execute(db);
  await sql`drop function refuse_deletion`.execute(db);
}

async function countOf(db: Kysely<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int8 as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function idsOf(db: Kysely<Database>, table: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} order by id`.execute(db);
  return rows.map(({ id }) => id);
}
