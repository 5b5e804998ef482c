import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { ActorKind, Engine } from '../../../src/platform/engine/index.ts';
import {
  createEngine,
  createKindRegistry,
  insertDeadLetters,
  readJournal,
  replay,
} from '../../../src/platform/engine/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { level } from '../../support/run/level.ts';
import { newActorId, startRuntime } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, POISON, readTotal } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const kinds = createKindRegistry([createLedgerKind()]);
const clock = createTestClock();
/** test/platform/db/connections.test.ts covers that each code counts as an error of the server. */
const SERVER_ERRORS = level.pick({ quick: ['XX000'], full: ['58P01', 'XX000', '26000', '42P05', '0A000'] });

describeDatabases('a bad event', (database) => {
  let engine: Engine;
  const openEngine = (kind: ActorKind = createLedgerKind()) =>
    createEngine({ db: database().db, kinds: createKindRegistry([kind]), clock, log: silentLog });
  beforeAll(async () => {
    await createLedgerTable(database());
    engine = openEngine();
  });
  const startLedger = async () => {
    const actorId = newActorId();
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    return actorId;
  };
  const book = (actorId: string, eventId: string, amount: number) =>
    engine.deliver({ actorId, eventId, event: { type: 'book', amount } });
  const letterOf = (messageId: string) =>
    database().db.selectFrom('dead_letter').selectAll().where('message_id', '=', messageId).executeTakeFirst();

  test.each([
    ['the chart throws', POISON.forChart, 'the chart cannot book 666'],
    ['an effect handler throws', POISON.forHandler, 'the handler cannot announce 667'],
    ['the projection cannot write', POISON.forProjection, 'test_ledger'],
  ])(
    'is dead-lettered when %s: journaled as failed, without effect, and the rest of its batch continues',
    async (_, amount, reason) => {
      const ids = await Promise.all(Array.from({ length: 12 }, startLedger));
      const [bad = ''] = ids;
      const outcomes = await Promise.all([
        ...ids.map((id) => book(id, 'before', 1)),
        book(bad, 'bad', amount),
        ...ids.map((id) => book(id, 'after', 2)),
      ]);
      expect(outcomes.filter(({ outcome }) => outcome === 'failed')).toEqual([{ outcome: 'failed', state: 'open' }]);
      expect(outcomes[ids.length]?.outcome).toBe('failed');
      for (const id of ids) expect(await readTotal(database(), id), id).toBe(3);
      const failed = (await readJournal(database().db, bad)).find((entry) => entry.eventId === 'bad');
      expect(failed).toMatchObject({ outcome: 'failed', error: expect.stringContaining(reason) });
      expect(await letterOf(`${bad}:bad`)).toMatchObject({
        queue: 'engine',
        actor_id: bad,
        data: { actorId: bad, eventId: 'bad', event: { type: 'book', amount } },
        reason: expect.stringContaining(reason),
      });
      for (const id of ids) expect((await replay(database().db, kinds, id))?.equal, id).toBe(true);
    },
  );

  test('that was dead-lettered may be delivered again once its cause is gone', async () => {
    const actorId = await startLedger();
    let broken = true;
    const kind = createLedgerKind();
    const repaired = openEngine({
      ...kind,
      async project(trx, steps) {
        if (broken) throw new Error('not yet');
        await kind.project?.(trx, steps);
      },
    });
    const event = { actorId, eventId: 'e-1', event: { type: 'book', amount: 4 } };
    expect((await repaired.deliver(event)).outcome).toBe('failed');
    broken = false;
    expect((await repaired.deliver(event)).outcome).toBe('applied');
    expect((await repaired.deliver(event)).outcome).toBe('duplicate');
    expect(await readTotal(database(), actorId)).toBe(4);
    expect((await readJournal(database().db, actorId)).map((entry) => entry.outcome)).toEqual([
      'started',
      'failed',
      'applied',
    ]);
  });

  test.each([
    ['a NUL character', { note: 'a\u0000b' }, { note: 'a\ufffdb' }],
    ['half a surrogate pair', { note: '\ud83d!' }, { note: '\ufffd!' }],
    ['a bigint', { amount: 1n }, { notJson: expect.stringContaining('BigInt') }],
  ])('is dead-lettered when it contains %s, which no jsonb column can store', async (_, fields, kept) => {
    const [bad, good] = [await startLedger(), await startLedger()];
    const [first, second] = await Promise.all([
      engine.deliver({ actorId: bad, eventId: 'odd', event: { type: 'book', amount: 1, ...fields } }),
      book(good, 'fine', 1),
    ]);
    expect([first.outcome, second.outcome]).toEqual(['failed', 'applied']);
    expect((await readJournal(database().db, bad)).at(-1)).toMatchObject({ outcome: 'failed', event: kept });
    expect(await readTotal(database(), bad)).toBe(0);
  });

  test('with an id that cannot be stored is rejected permanently, and the rest of its batch continues', async () => {
    const [bad, good] = [await startLedger(), await startLedger()];
    const [first, second] = await Promise.allSettled([book(bad, 'odd\u0000', 1), book(good, 'fine', 1)]);
    expect(first).toMatchObject({ reason: { name: 'TerminalError', code: 'EVENT_NOT_STORABLE' } });
    expect(second).toMatchObject({ value: { outcome: 'applied' } });
    expect(await readTotal(database(), bad)).toBe(0);
  });

  test('for an actor whose snapshot its chart no longer knows becomes a dead letter and fails no other', async () => {
    const [lost, good] = [await startLedger(), await startLedger()];
    await sql`update actor set snapshot = jsonb_set(snapshot::jsonb, '{value}', '"abolished"') where id = ${lost}`.execute(
      database().db,
    );
    const outcomes = await Promise.all([book(lost, 'e-1', 1), book(good, 'e-1', 1)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'applied']);
    const reason = expect.stringContaining('abolished');
    expect(await letterOf(`${lost}:e-1`)).toMatchObject({ reason, retry_at: null });
  });

  test('for an actor of a chart that this process does not run becomes a dead letter and fails no other', async () => {
    const [foreign, good] = [await startLedger(), await startLedger()];
    await sql`update actor set kind = 'foreign' where id = ${foreign}`.execute(database().db);
    const outcomes = await Promise.all([book(foreign, 'e-1', 1), book(good, 'e-1', 1)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'applied']);
    const reason = expect.stringContaining('"foreign"');
    expect(await letterOf(`${foreign}:e-1`)).toMatchObject({ reason, retry_at: null });
  });

  test('is not dead-lettered after a temporary failure: the caller gets a retryable error', async () => {
    const actorId = await startLedger();
    const busy = openEngine({
      ...createLedgerKind(),
      project: () => Promise.reject(new RetryableError('BUSY', 'come back')),
    });
    const delivery = busy.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } });
    await expect(delivery).rejects.toMatchObject({ name: 'RetryableError', code: 'BUSY' });
    expect((await book(actorId, 'e-1', 1)).outcome).toBe('applied');
  });

  test('is retried after a temporary server error, and is applied once', async () => {
    const [shaken, calm] = [await startLedger(), await startLedger()];
    let failures = 0;
    const flaky = openEngine({
      ...createLedgerKind(),
      async project(trx, steps) {
        if (failures < 2 && steps.some(({ actorId }) => actorId === shaken)) {
          failures += 1;
          await failWith('58030').execute(trx);
        }
        await createLedgerKind().project?.(trx, steps);
      },
    });
    const outcomes = await Promise.all(
      [shaken, calm].map((actorId) => flaky.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 4 } })),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
    expect(failures).toBe(2);
    for (const id of [shaken, calm]) expect(await readTotal(database(), id)).toBe(4);
    expect(await letterOf(`${shaken}:e-1`)).toBeUndefined();
  });

  test.each(SERVER_ERRORS)(
    'that server error %s prevents from being written is dead-lettered alone, to be retried automatically',
    async (code) => {
      const [bad, good] = [await startLedger(), await startLedger()];
      const failing = openEngine({
        ...createLedgerKind(),
        async project(trx, steps) {
          if (steps.some(({ actorId }) => actorId === bad)) await failWith(code).execute(trx);
          await createLedgerKind().project?.(trx, steps);
        },
      });
      const send = (actorId: string) =>
        failing.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 4 } });
      const outcomes = await Promise.all([send(bad), send(good)]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'applied']);
      expect(await letterOf(`${bad}:e-1`)).toMatchObject({ retry_at: expect.any(Number), retries: 0 });
    },
  );

  test('is neither lost nor a dead letter when the server cannot even store the failure', async () => {
    const actorId = await startLedger();
    const db = failingToInsert(database().db, 'dead_letter');
    const failing = createEngine({ db, kinds, clock, log: silentLog });
    const delivery = failing.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: POISON.forChart } });
    await expect(delivery).rejects.toMatchObject({ name: 'RetryableError', code: 'DATABASE_UNAVAILABLE' });
    expect((await readJournal(database().db, actorId)).map((entry) => entry.outcome)).toEqual(['started']);
  });

  test('is not dead-lettered when no transaction could be started for it, for an unknown reason', async () => {
    const actorId = await startLedger();
    const db = failingToBegin(database().db, new Error('out of the ordinary'));
    const late = createEngine({ db, kinds, clock, log: silentLog });
    const deliver = () => late.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } });
    await expect(deliver()).rejects.toMatchObject({ name: 'RetryableError', code: 'DATABASE_UNAVAILABLE' });
    expect((await readJournal(database().db, actorId)).map((entry) => entry.outcome)).toEqual(['started']);
    expect(await letterOf(`${actorId}:e-1`)).toBeUndefined();
    expect((await deliver()).outcome).toBe('applied');
  });

  test('start is rejected with its own error, and the other starts continue', async () => {
    const [bad, dear, good] = [newActorId(), newActorId(), newActorId()];
    const rejection = new RetryableError('NO_ADDRESS', 'none left');
    const choosy = openEngine({
      ...createLedgerKind(),
      prepare: async (_trx, drafts) =>
        drafts.map((draft) => (draft.actorId === dear ? { rejection } : { input: { ...draft.input, total: 1 } })),
    });
    const start = (actorId: string, input = {}) => choosy.start({ kind: 'ledger', actorId, startKey: null, input });
    const results = await Promise.allSettled([start(bad, { createdAt: 1n, odd: 1n }), start(dear), start(good)]);
    expect(results).toMatchObject([{ status: 'rejected' }, { reason: rejection }, { value: { outcome: 'started' } }]);
    expect(await readTotal(database(), good)).toBe(1);
    expect(await readJournal(database().db, bad)).toEqual([]);
  });

  test('from the bus, for an unknown actor or malformed, becomes a dead letter', async () => {
    const runtime = await startRuntime({ connection: database(), clock });
    const [unknown, formless] = [newActorId(), newActorId()];
    const data = { actorId: unknown, eventId: 'e-1', event: { type: 'book', amount: 1 } };
    await runtime.bus.publish({ queue: 'actor-ledger', partition: 0, id: unknown, data });
    await runtime.bus.publish({ queue: 'actor-ledger', partition: 0, id: formless, data: { actorId: 7 } });
    await expect
      .poll(() => letterOf(unknown), POLLING)
      .toMatchObject({ reason: expect.stringContaining('UNKNOWN_ACTOR') });
    await expect
      .poll(() => letterOf(formless), POLLING)
      .toMatchObject({ reason: expect.stringContaining('NOT_AN_EVENT') });
    await runtime.stop();
  });

  test('with parts that no column can store still becomes a dead letter', async () => {
    const messageId = newActorId();
    const data = { note: 'a\u0000', big: 1n };
    await insertDeadLetters(database().db, [
      { queue: 'q', messageId: `${messageId}\u0000`, actorId: null, data, reason: 'because\u0000' },
    ]);
    expect(await letterOf(`${messageId}\ufffd`)).toMatchObject({ reason: 'because\ufffd' });
  });
});

// Helpers

/** Makes the server itself fail with an error code. */
function failWith(code: string) {
  return sql.raw(`do $$ begin raise exception 'the server has trouble' using errcode = '${code}'; end $$`);
}

/** The same database, but no statement may write to this table. */
function failingToInsert(db: TestDatabase['db'], table: string): TestDatabase['db'] {
  return db.withPlugin({
    transformQuery: ({ node }) => {
      const isWriting =
        node.kind === 'RawNode' && node.sqlFragments.some((text) => text.includes(`insert into ${table}`));
      return isWriting ? failWith('58030').toOperationNode() : node;
    },
    transformResult: async ({ result }) => result,
  });
}

/** The same database for an engine, but its first transaction fails before it begins. */
function failingToBegin(db: TestDatabase['db'], failure: Error): TestDatabase['db'] {
  let hasFailed = false;
  const broken = { executeQuery: () => Promise.reject(failure) };
  const getExecutor = () => {
    const executor = db.getExecutor();
    if (hasFailed) return executor;
    hasFailed = true;
    return Object.assign(Object.create(executor), {
      provideConnection: (use: (connection: unknown) => unknown) => use(broken),
    });
  };
  return { getExecutor } as unknown as TestDatabase['db'];
}
