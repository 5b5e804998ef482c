import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { assign, setup } from 'xstate';
import type { Connection } from '../../../src/platform/db/index.ts';
import type { ActorKind, Engine, Step } from '../../../src/platform/engine/index.ts';
import {
  createEngine,
  createKindRegistry,
  defineKind,
  readJournal,
  replay,
} from '../../../src/platform/engine/index.ts';
import { createTestClock, START_MS } from '../../support/clock.ts';
import {
  createPostgresDatabase,
  describeBothDatabases,
  describePostgres,
} from '../../support/database/test-database.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, POISON, readTotal } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const kinds = createKindRegistry([createLedgerKind()]);
const clock = createTestClock();

/** Once it is on, switching it on changes nothing, though the chart handles the event. */
const lampMachine = setup({
  types: {} as { context: { isOn: boolean }; events: { type: 'switched_on' } },
  actions: { switchOn: assign({ isOn: true }) },
}).createMachine({
  id: 'lamp',
  version: '1',
  context: { isOn: false },
  initial: 'fitted',
  states: { fitted: { on: { switched_on: { actions: 'switchOn' } } } },
});

function engineOver({ db }: Pick<Connection, 'db'>): Engine {
  return createEngine({ db, kinds, clock, log: silentLog });
}

async function startLedger(engine: Engine, actorId = newActorId()): Promise<string> {
  await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
  return actorId;
}

describeBothDatabases('event delivery', (database) => {
  let engine: Engine;
  beforeAll(async () => {
    await createLedgerTable(database());
    engine = engineOver(database());
  });
  const book = (actorId: string, eventId: string, amount = 1) =>
    engine.deliver({ actorId, eventId, event: { type: 'book', amount } });

  test('a start journals its input and time, and projects the first step', async () => {
    const actorId = newActorId();
    const outcome = await engine.start({ kind: 'ledger', actorId, startKey: null, input: { total: 5 } });
    expect(outcome).toMatchObject({ outcome: 'started', actorId });
    expect(await readJournal(database().db, actorId)).toMatchObject([
      {
        sequence: 1,
        eventId: 'actor.started',
        event: { type: 'actor.started', input: { total: 5, createdAt: START_MS } },
        outcome: 'started',
        state: 'open',
        version: '1',
        at: START_MS,
      },
    ]);
    expect(await readTotal(database(), actorId)).toBe(5);
  });

  test('an event changes snapshot, journal, projection and outbox in one commit', async () => {
    const actorId = await startLedger(engine);
    expect(await book(actorId, 'e-1', 7)).toEqual({ outcome: 'applied', state: 'open' });
    const [, entry] = await readJournal(database().db, actorId);
    expect(entry).toMatchObject({
      sequence: 2,
      eventId: 'e-1',
      outcome: 'applied',
      event: { amount: 7, at: START_MS },
    });
    const actor = await database()
      .db.selectFrom('actor')
      .select(['snapshot', 'sequence'])
      .where('id', '=', actorId)
      .executeTakeFirstOrThrow();
    expect(actor).toMatchObject({ sequence: 2, snapshot: { value: 'open', status: 'active', context: { total: 7 } } });
    expect(await readTotal(database(), actorId)).toBe(7);
    const outbox = await database()
      .db.selectFrom('outbox_message')
      .selectAll()
      .where('id', '=', `${actorId}:2:0`)
      .execute();
    expect(outbox).toMatchObject([
      { queue: 'announcements', data: { actorId, sequence: 2, what: 'booked', amount: 7 } },
    ]);
  });

  test('the same event id is applied once per actor, however often and concurrently it is delivered', async () => {
    const [actorId, other] = [await startLedger(engine), await startLedger(engine)];
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => book(actorId, 'same')));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
      'applied',
      ...Array.from({ length: 19 }, () => 'duplicate'),
    ]);
    expect((await book(actorId, 'same')).outcome).toBe('duplicate');
    expect((await book(other, 'same')).outcome).toBe('applied');
    expect(await readTotal(database(), actorId)).toBe(1);
  });

  test('events of one actor are processed in submission order', async () => {
    const actorId = await startLedger(engine);
    await Promise.all(Array.from({ length: 50 }, (_, index) => book(actorId, `e-${index}`)));
    const journal = await readJournal(database().db, actorId);
    expect(journal.slice(1).map((entry) => entry.eventId)).toEqual(
      Array.from({ length: 50 }, (_, index) => `e-${index}`),
    );
    expect(journal.map((entry) => entry.sequence)).toEqual(journal.map((_, index) => index + 1));
  });

  test('an event that the chart does not handle is journaled as ignored and changes nothing else', async () => {
    const actorId = await startLedger(engine);
    expect(await engine.deliver({ actorId, eventId: 'e-1', event: { type: 'unheard_of' } })).toEqual({
      outcome: 'ignored',
      state: 'open',
    });
    expect((await readJournal(database().db, actorId)).at(-1)).toMatchObject({ outcome: 'ignored', sequence: 2 });
    expect((await replay(database().db, kinds, actorId))?.equal).toBe(true);
  });

  test('a finished actor never changes again, although its chart handles the event at the root', async () => {
    const actorId = await startLedger(engine);
    await book(actorId, 'e-1', 3);
    await engine.deliver({ actorId, eventId: 'e-2', event: { type: 'remind', inMs: 1_000 } });
    expect(await engine.deliver({ actorId, eventId: 'e-3', event: { type: 'close' } })).toEqual({
      outcome: 'applied',
      state: 'closed',
    });
    expect(await book(actorId, 'e-4', 9)).toEqual({ outcome: 'ignored', state: 'closed' });
    expect(await readTotal(database(), actorId)).toBe(3);
    const { db } = database();
    const actor = await db.selectFrom('actor').select('status').where('id', '=', actorId).executeTakeFirstOrThrow();
    expect(actor.status).toBe('done');
    expect(await db.selectFrom('timer').selectAll().where('actor_id', '=', actorId).execute()).toEqual([]);
    expect((await replay(db, kinds, actorId))?.equal).toBe(true);
  });

  test('an event without news is journaled as ignored and not projected, although its handler ran', async () => {
    const projected: string[] = [];
    const lamp = defineKind<Record<never, never>>()({
      machine: lampMachine,
      effects: {},
      project: async (_, steps) => void projected.push(...steps.map(({ eventId }) => eventId)),
    });
    const own = createEngine({ db: database().db, kinds: createKindRegistry([lamp]), clock, log: silentLog });
    const actorId = newActorId();
    await own.start({ kind: 'lamp', actorId, startKey: null, input: {} });
    const outcomes = [];
    for (const eventId of ['e-1', 'e-2']) {
      outcomes.push((await own.deliver({ actorId, eventId, event: { type: 'switched_on' } })).outcome);
    }
    expect(outcomes).toEqual(['applied', 'ignored']);
    expect(projected).toEqual(['actor.started', 'e-1']);
  });

  test('an event for a finished actor is passed on as missed, and no other ignored event is', async () => {
    const missed: string[] = [];
    const ledger: ActorKind = {
      ...createLedgerKind(),
      recordMissed: async (_, steps: readonly Step[]) => void missed.push(...steps.map(({ eventId }) => eventId)),
    };
    const own = createEngine({ db: database().db, kinds: createKindRegistry([ledger]), clock, log: silentLog });
    const actorId = await startLedger(own);
    const events = ['unheard_of', 'timer.reminder_due', 'close', 'book'];
    for (const type of events) {
      const eventId = type.startsWith('timer.') ? 'timer:reminder_due:1' : type;
      await own.deliver({ actorId, eventId, event: { type, amount: 1 } });
    }
    expect(missed).toEqual(['book']);
  });

  test('an event for an unknown actor returns that and writes nothing', async () => {
    const actorId = newActorId();
    expect(await book(actorId, 'e-1')).toEqual({ outcome: 'unknown_actor', state: null });
    expect(await readJournal(database().db, actorId)).toEqual([]);
  });

  test('starting twice under one key or one id returns the first actor, in one batch and later', async () => {
    const [first, second] = [newActorId(), newActorId()];
    const start = (actorId: string, startKey: string | null) =>
      engine.start({ kind: 'ledger', actorId, startKey, input: {} });
    expect(await Promise.all([start(first, first), start(second, first)])).toMatchObject([
      { outcome: 'started', actorId: first },
      { outcome: 'exists', actorId: first },
    ]);
    expect(await start(second, first)).toEqual({ outcome: 'exists', actorId: first });
    expect(await start(first, null)).toEqual({ outcome: 'exists', actorId: first });
    expect(await readJournal(database().db, second)).toEqual([]);
  });

  test('an actor can be started and receive events in the same batch', async () => {
    const actorId = newActorId();
    const started = engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    const moved = engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 2 } });
    expect((await started).outcome).toBe('started');
    expect((await moved).outcome).toBe('applied');
    expect((await replay(database().db, kinds, actorId))?.equal).toBe(true);
  });

  test('an event may bring the start of its actor: the first one starts it, and every event counts once', async () => {
    const actorId = newActorId();
    const start = { kind: 'ledger', input: { total: 5 } };
    const other = engineOver(database());
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const event = { type: 'book', amount: 1 };
        return (index % 2 === 0 ? engine : other).deliver({ actorId, eventId: `e-${index % 6}`, event, start });
      }),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'applied')).toHaveLength(6);
    expect(outcomes.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(6);
    expect((await readJournal(database().db, actorId)).map(({ outcome }) => outcome)).toEqual([
      'started',
      ...Array.from({ length: 6 }, () => 'applied'),
    ]);
    expect(await readTotal(database(), actorId)).toBe(11);
    expect((await replay(database().db, kinds, actorId))?.equal).toBe(true);
  });

  test('a start that an event brings and that cannot be written is refused, and the events beside it are not', async () => {
    const [bad, good] = [newActorId(), newActorId()];
    const deliver = (actorId: string, amount: number) => {
      const start = { kind: 'ledger', input: {} };
      return engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount }, start });
    };
    const [rejected, taken] = await Promise.allSettled([deliver(bad, POISON.forProjection), deliver(good, 2)]);
    expect(rejected.status).toBe('rejected');
    expect(taken).toMatchObject({ value: { outcome: 'applied' } });
    expect(await readJournal(database().db, bad)).toEqual([]);
    expect(await readTotal(database(), good)).toBe(2);
  });

  test('time never runs backwards in a journal, whatever the wall clock does', async () => {
    const backwards = createTestClock(START_MS + 60_000);
    const own = createEngine({ db: database().db, kinds, clock: backwards, log: silentLog });
    const actorId = await startLedger(own);
    backwards.advance(-30_000);
    await own.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } });
    expect((await readJournal(database().db, actorId)).map((entry) => entry.at)).toEqual([
      START_MS + 60_000,
      START_MS + 60_000,
    ]);
  });

  test('a start of an unregistered chart is rejected with its name', async () => {
    const start = engine.start({ kind: 'nonesuch', actorId: newActorId(), startKey: null, input: {} });
    await expect(start).rejects.toMatchObject({ code: 'CHART_UNKNOWN', message: expect.stringContaining('nonesuch') });
  });
});

describePostgres('group commit', () => {
  test('hundreds of callers share a few transactions, and drain waits for all of them', async () => {
    const database = await createPostgresDatabase();
    await createLedgerTable(database);
    const engine = engineOver(database);
    const ids = await Promise.all(Array.from({ length: 64 }, () => startLedger(engine)));
    const commits = async () => {
      const { rows } = await sql<{ count: number }>`select count(distinct xmin::text)::int8 as count
        from journal_entry where outcome = 'applied'`.execute(database.db);
      return rows[0]?.count ?? 0;
    };
    const deliveries = ids.flatMap((actorId) =>
      Array.from({ length: 4 }, (_, index) =>
        engine.deliver({ actorId, eventId: `e-${index}`, event: { type: 'book', amount: 1 } }),
      ),
    );
    let settled = 0;
    for (const delivery of deliveries) void delivery.then(() => (settled += 1));
    await engine.drain();
    await Promise.resolve();
    expect(settled).toBe(256);
    expect(await commits()).toBeLessThanOrEqual(4);
    await database.drop();
  });

  test('two engines racing to start under the same keys start each actor once, and both return its id', async () => {
    const database = await createPostgresDatabase();
    await createLedgerTable(database);
    const engines = [engineOver(database), engineOver(database)];
    const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);
    const outcomes = await Promise.all(
      engines.flatMap((engine) =>
        keys.map(async (startKey) => {
          const { actorId } = await engine.start({ kind: 'ledger', actorId: newActorId(), startKey, input: {} });
          return { startKey, actorId };
        }),
      ),
    );
    for (const startKey of keys) {
      const ids = new Set(outcomes.filter((each) => each.startKey === startKey).map((each) => each.actorId));
      expect(ids.size, startKey).toBe(1);
    }
    const { rows } = await sql<{ count: number }>`select count(*)::int8 as count from actor`.execute(database.db);
    expect(rows[0]?.count).toBe(40);
    await database.drop();
  });

  test('submissions above the limit are rejected as retryable; the rest is delivered', async () => {
    const database = await createPostgresDatabase();
    const engine = engineOver(database);
    const outcomes = new Map<string, number>();
    const count = (key: string) => outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    for (let index = 0; index < 20_010; index += 1) {
      engine.deliver({ actorId: 'nobody', eventId: `${index}`, event: { type: 'book' } }).then(
        ({ outcome }) => count(outcome),
        (error) => count(error.code),
      );
    }
    await engine.drain();
    await expect.poll(() => Object.fromEntries(outcomes)).toEqual({ unknown_actor: 20_000, ENGINE_BUSY: 10 });
    await database.drop();
  });
});
