import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import { DATABASE_CHECKS } from '../../../src/cli/doctor/checks/database.ts';
import { addDone, settleAction } from '../../../src/operations/actions/action-log.ts';
import { applyRetention } from '../../../src/operations/storage/apply-retention.ts';
import { archiveActors } from '../../../src/operations/storage/archive-actors.ts';
import { MONTHLY_TABLES, makePartitions } from '../../../src/operations/storage/month-partitions.ts';
import { type Connection, connect } from '../../../src/platform/db/index.ts';
import { createEngine, createKindRegistry, replay } from '../../../src/platform/engine/index.ts';
import { messageOf } from '../../../src/platform/errors.ts';
import { look } from '../../cli/doctor/installation.ts';
import { KEEP_FOREVER } from '../../operations/storage/keep-forever.ts';
import { createTestClock } from '../../support/clock.ts';
import { runSqlFile } from '../../support/database/pg-tools.ts';
import { createPostgresDatabase, dropRoles, type TestDatabase } from '../../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { POLLING } from '../../support/polling.ts';
import { describeWith } from '../../support/run/components.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';
import { createMerchantApi } from '../../support/service/merchant-api.ts';
import { createTestService, type RunningService } from '../../support/service/service.ts';
import { silentLog } from '../../support/silent-log.ts';

const FILE = resolve(import.meta.dirname, '../../../deploy/postgres/roles.sql');
const REJECTED = 'permission denied|must be owner|must be superuser|read-only';

const describeRoles = describeWith('postgres', 'postgresPrograms');

describeRoles('the roles of deploy/postgres/roles.sql', () => {
  const mark = `${process.pid}_${randomBytes(4).toString('hex')}`;
  const roles = {
    owner: `quittance_owner_${mark}`,
    service: `quittance_service_${mark}`,
    reader: `quittance_reader_${mark}`,
  };
  let database: TestDatabase;
  let receiver: Receiver;
  let service: RunningService;
  const connections: Partial<Record<keyof typeof roles, Connection>> = {};

  beforeAll(async () => {
    database = await createPostgresDatabase();
    await runSqlFile(database.url ?? '', FILE, roles);
    receiver = await startReceiver();
    service = await createTestService({
      env: {
        DATABASE_URL: urlOf('service'),
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      },
      provisioning: {
        merchants: [{ name: 'A shop', email: 'a@shop.example', plan: 'enterprise', webhooks: [{ url: receiver.url }] }],
      },
    });
    await service.start();
    for (const role of ['owner', 'service', 'reader'] as const) {
      connections[role] = await connect({ url: urlOf(role), dataDir: null, poolSize: 2 });
    }
  }, 60_000);
  afterAll(async () => {
    await service?.remove();
    await receiver?.close();
    for (const connection of Object.values(connections)) await connection.close();
    await database?.drop();
    await dropRoles(Object.values(roles));
  });

  function urlOf(role: keyof typeof roles): string {
    const url = new URL(database.url ?? '');
    url.username = roles[role];
    return url.href;
  }
  function connectionOf(role: keyof typeof roles): Connection {
    const connection = connections[role];
    if (connection === undefined) throw new Error('there is no connection');
    return connection;
  }
  async function run(role: keyof typeof roles, statement: string): Promise<string> {
    try {
      await sql.raw(statement).execute(connectionOf(role).db);
      return 'done';
    } catch (error) {
      return messageOf(error);
    }
  }

  test('satisfy the doctor', async () => {
    const found = await look(DATABASE_CHECKS, { DATABASE_URL: urlOf('service'), MIGRATE: 'off' });
    expect(found.filter((line) => !line.startsWith('ok '))).toEqual([]);
    expect(found).not.toEqual([]);
  });

  test('let the whole service work: payments, webhooks, the console', async () => {
    const [shop] = await service.secrets();
    const api = createMerchantApi(() => service.url, shop?.keys?.sk_test ?? '');
    const made = await api.expect<{ transaction_id: string }>(201, 'POST', '/transactions/create', {
      crypto: 'LTC',
      amount: 25,
    });
    const path = `/transactions/${made.transaction_id}`;
    for (const action of ['pay', 'confirm']) await api.expect(200, 'POST', `${path}/simulate`, { action });
    expect(await api.expect(200, 'GET', path)).toMatchObject({ status: 'completed' });
    await vi.waitFor(
      () => expect(receiver.requests.map(({ body }) => JSON.parse(body).event)).toContain('payment.completed'),
      POLLING,
    );
    const requested = (path_: string, body?: unknown, cookie?: string) =>
      fetch(`${service.url}/console/api${path_}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          origin: service.url,
          'x-quittance-console': '1',
          ...(cookie === undefined ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const signIn = await requested('/sign-in', { email: 'a@shop.example', password: shop?.password });
    expect(signIn.status).toBe(200);
    const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const link = { mode: 'test', title: 'A mug', amount: '12.50', currency: 'EUR' };
    expect((await requested('/merchant/links', link, cookie)).status).toBe(201);
    expect((await requested('/merchant/payments?mode=test', undefined, cookie)).status).toBe(200);
    const rejections = service.logLines.filter((line) => /permission denied|must be owner/.test(JSON.stringify(line)));
    expect(rejections).toEqual([]);
  });

  test('let the service archive finished actors, and delete data past its retention', async () => {
    const { db } = connectionOf('service');
    const clock = createTestClock(Date.UTC(2020, 0, 15));
    const kinds = createKindRegistry([createLedgerKind()]);
    await createLedgerTable(connectionOf('owner'));
    await makePartitions(db, 'journal_entry', clock.now());
    await makePartitions(db, 'actor_archive', clock.now());
    const engine = createEngine({ db, kinds, clock, log: silentLog });
    const actorId = newActorId();
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    await engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } });
    await engine.deliver({ actorId, eventId: 'e-2', event: { type: 'close' } });
    clock.advance(120 * DAY_MS);
    const archiving = { db, kinds, clock, log: silentLog, archiveAfterDays: 90 };
    expect(await archiveActors(archiving, { rejected: new Set() })).toBe(1);
    expect(await replay(db, kinds, actorId)).toMatchObject({ equal: true, entries: 3 });
    const { rows } = await sql`select to_regclass('journal_entry_2020_01') as month`.execute(db);
    expect(rows).toEqual([{ month: null }]);

    const merchant = await db.selectFrom('merchant').select('id').executeTakeFirstOrThrow();
    await sql`
      insert into audit_entry (merchant_id, who, what, subject_id, occurred_at)
      values (${merchant.id}, 'user u', 'api_key.revoked', 'key_1', ${new Date(clock.now())})`.execute(db);
    await sql`
      insert into operator_action (request_id, who, what, subject_id, details, reason, asked_at)
      values ('r-1', 'usr_1', 'event.sent', ${actorId}, '{}', 'asked', ${new Date(clock.now())})`.execute(db);
    await addDone(db, 'r-1', 1);
    await settleAction(db, 'r-1', { outcome: 'done', now: clock.now() });
    clock.advance(401 * DAY_MS);
    const retention = { ...KEEP_FOREVER, audit: 365, archive: 400 };
    expect(await applyRetention({ db, clock, log: silentLog, retention })).toEqual(
      new Map([
        ['merchant audit log entries', 1],
        ['operator actions', 1],
        ['archived actors', 1],
      ]),
    );
  });

  test.each([
    'drop table payment',
    'alter table payment add column stolen text',
    'create table stolen (id text)',
    'create index stolen on payment (id)',
    'truncate payment',
    'truncate journal_entry',
    'update journal_entry set event = event',
    'delete from journal_entry',
    'delete from journal_entry_default',
    'insert into journal_entry_default select * from journal_entry',
    'delete from actor',
    "insert into actor_archive select * from actor_archive where id = ''",
    'update actor_archive set journal = journal',
    'delete from actor_archive',
    'delete from actor_archive_default',
    'update archived_actor set start_key = null',
    'delete from archived_actor',
    'update audit_entry set who = who',
    'delete from audit_entry',
    'select * from audit_entry for update',
    'update webhook_event set body = body',
    'update operator_action set asked_at = asked_at',
    'delete from operator_action',
    'delete from kysely_migration',
    'select * from pg_authid',
    "select pg_read_file('/etc/passwd')",
    "copy merchant to program 'cat'",
    'create role stolen',
    'alter role current_user superuser',
    'alter table journal_entry disable trigger all',
    `create function stolen() returns int8 language sql security definer as 'select 1::int8'`,
  ])('prevent the service from: %s', async (statement) => {
    expect(await run('service', statement)).toMatch(new RegExp(REJECTED));
  });

  test.each([
    ['select count(*) from transaction', true],
    ['select count(*) from journal_entry', true],
    ['select id, email, role from merchant_user', true],
    ['select id, url from webhook_endpoint', true],
    ['select password_hash from merchant_user', false],
    ['select sealed_totp_secret from merchant_user', false],
    ['select sealed_secret from webhook_endpoint', false],
    ['select previous_sealed_secret from webhook_endpoint', false],
    ['select extended_public_key from derivation_key', false],
    ['select key_hash from api_key', false],
    ['select * from session', false],
    ['select * from mail', false],
    ["update merchant set plan = 'enterprise'", false],
    ["insert into audit_entry (who, what) values ('x', 'y')", false],
    ["select archive_actors('{}', '{}', now())", false],
    ["select expire_audit_entries('2000-01-01', 1)", false],
    ["select drop_month_partitions('journal_entry', '2000-01-01', true)", false],
  ] as const)('let the reader read and nothing more: %s', async (statement, mayDo) => {
    const outcome = await run('reader', statement);
    if (mayDo) expect(outcome).toBe('done');
    else expect(outcome).toMatch(new RegExp(REJECTED));
  });

  test('apply to objects that the owner creates later, except for what the reader may see', async () => {
    expect(await run('owner', 'create table later (id text primary key)')).toBe('done');
    expect(await run('owner', 'alter table payment add column later text')).toBe('done');
    for (const statement of ["insert into later values ('a')", "update later set id = 'b'", 'delete from later']) {
      expect(await run('service', statement)).toBe('done');
    }
    expect(await run('service', 'truncate later')).toMatch(/permission denied/);
    expect(await run('reader', 'select * from later')).toMatch(/permission denied/);
    await runSqlFile(database.url ?? '', FILE, roles);
    expect(await run('service', 'delete from later')).toBe('done');
    expect(await run('reader', 'select * from later')).toBe('done');
  });

  test('give no role rights to a later month partition, except through its table', async () => {
    const month = "'2019-01-01', '2019-01-31'";
    for (const table of MONTHLY_TABLES) {
      expect(await run('service', `select make_month_partitions('${table}', ${month})`)).toBe('done');
      for (const verb of ['select * from', 'delete from', 'truncate']) {
        for (const role of ['service', 'reader'] as const) {
          expect(await run(role, `${verb} ${table}_2019_01`)).toMatch(new RegExp(REJECTED));
        }
      }
    }
    expect(await run('service', 'delete from journal_entry')).toMatch(/permission denied/);
    expect(await run('service', "delete from webhook_attempt where delivery_id = 'none'")).toBe('done');
    expect(await run('reader', 'select count(*) from webhook_attempt')).toBe('done');
  });
});
