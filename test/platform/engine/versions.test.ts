import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AnyStateMachine, createMachine } from 'xstate';
import { transactionMachine } from '../../../machines/index.ts';
import { createTransactionKind } from '../../../src/payments/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import {
  type ActorKind,
  countVersions,
  createEngine,
  createKindRegistry,
  dryRunOf,
  type KindRegistry,
  moveActors,
  readJournal,
  replay,
} from '../../../src/platform/engine/index.ts';
import { createStepper } from '../../../src/platform/engine/stepper.ts';
import { startActor } from '../../../src/testing/actor.ts';
import { paymentHistories } from '../../../src/testing/index.ts';
import { createPaymentSimulation } from '../../../src/testing/payment-simulation.ts';
import { paymentTerms } from '../../../src/testing/terms.ts';
import { createTestClock, START_MS, type TestClock } from '../../support/clock.ts';
import { describeBothDatabases, describeDatabases } from '../../support/database/test-database.ts';
import { level } from '../../support/run/level.ts';
import { createLedgerKind, createLedgerTable, readTotal } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

/** Payments in every state of the chart, with more active ones than one migration batch. */
const PAYMENTS = level.pick({ quick: 60, full: 240 });
const BATCH_ACTORS = level.pick({ quick: 25, full: 100 });
const ASKED = { kind: 'transaction', from: '1', to: '2' } as const;

describeDatabases('moving actors to another version of their chart', (database) => {
  let end: number;

  // Their histories take much CPU time, so they run once, and each test starts with a copy of their
  // rows.
  beforeAll(async () => {
    end = await deliverHistories(database().db);
    await keepRows(database().db);
  });
  beforeEach(() => restoreRows(database().db));
  afterAll(() => dropKept(database().db));

  const population = () => {
    const { db } = database();
    const kinds = createKindRegistry([PAYMENT, withFreshState()]);
    const clock = createTestClock(end);
    return { kinds, clock, engine: createEngine({ db, kinds, clock, log: silentLog }) };
  };

  test('is previewed by state, from their real journals, and changes nothing', async () => {
    const { db } = database();
    const { kinds, clock } = population();
    const before = await everything(db);
    const look = await dryRunOf({ db, kinds, clock }, ASKED);
    expect(await everything(db)).toEqual(before);

    const active = await db.selectFrom('actor').select('state').where('status', '=', 'active').execute();
    expect(look.states.reduce((sum, each) => sum + each.same + each.differs + each.fails, 0)).toBe(active.length);
    const waiting = active.filter(({ state }) => state === 'open.awaitingPayment').length;
    const [differs] = look.findings;
    expect(look.findings).toEqual([
      {
        what: 'state open.awaitingPayment → open.fresh',
        isFailure: false,
        actors: differs?.actors,
        examples: differs?.examples,
      },
    ]);
    expect(differs?.actors).toBeGreaterThan(0);
    expect(differs?.actors).toBeLessThanOrEqual(waiting);
    expect(differs?.examples).toHaveLength(3);
  });

  test('continues after an interruption, and leaves timers, messages and journal totals unchanged', async () => {
    const { db } = database();
    const { kinds, clock } = population();
    const deps = { db, kinds, clock };
    const options = { batchActors: BATCH_ACTORS };
    const timers = await timersOf(db);
    const outbox = await db.selectFrom('outbox_message').select('id').orderBy('id').execute();
    const { findings, states, fingerprint } = await dryRunOf(deps, ASKED);
    const agreed = findings.map(({ what }) => what);
    const total = states.reduce((sum, each) => sum + each.same + each.differs, 0);

    const power = () => {
      throw new Error('the power went out');
    };
    await expect(moveActors(deps, ASKED, { ...options, agreed, onBatch: power })).rejects.toThrow('the power');
    expect((await dryRunOf(deps, ASKED)).fingerprint).toBe(fingerprint);
    const { moved, left } = await moveActors(deps, ASKED, { ...options, agreed });
    expect([moved, left]).toEqual([total - BATCH_ACTORS, 0]);
    expect(moved).toBeGreaterThan(0);

    expect(await timersOf(db)).toEqual(timers);
    expect(await db.selectFrom('outbox_message').select('id').orderBy('id').execute()).toEqual(outbox);
    const counts = await countVersions(db, kinds);
    expect(counts.filter(({ version, status }) => version === '1' && status === 'active')).toEqual([]);
    expect(counts.find(({ state }) => state === 'open.fresh')).toMatchObject({ version: '2', registered: 'current' });
    await expectSound(db, kinds);
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from journal_entry where event_type = 'engine.migrated' and outcome = 'applied' and version = '2'`.execute(
      db,
    );
    expect(rows[0]?.n).toBe(total);
  });

  test('moves only actors that behave the same, unless differences were accepted', async () => {
    const { db } = database();
    const { kinds, clock } = population();
    const { states } = await dryRunOf({ db, kinds, clock }, ASKED);
    const sum = (pick: 'same' | 'differs') => states.reduce((total, each) => total + each[pick], 0);
    expect(await moveActors({ db, kinds, clock }, ASKED)).toEqual({ moved: sum('same'), left: sum('differs') });
    await expectSound(db, kinds);
  });

  test('loses no event that arrives meanwhile, and the actors continue under the new chart', async () => {
    const { db } = database();
    const { kinds, clock, engine } = population();
    const { findings } = await dryRunOf({ db, kinds, clock }, ASKED);
    const ids = await db.selectFrom('actor').select('id').where('status', '=', 'active').execute();
    const seen = (id: string, index: number) => ({
      actorId: id,
      eventId: `meanwhile:${index}`,
      event: {
        type: 'chain.output_seen',
        outputId: `ff:${index}`,
        order: 1_000 + index,
        txid: 'ff',
        amountBaseUnits: '1',
        firstSeenAt: clock.now(),
      },
    });
    let isMoving = true;
    const delivering = (async () => {
      const outcomes: string[] = [];
      for (let index = 0; isMoving || index < 3; index += 1) {
        clock.advance(1_000);
        const round = await Promise.all(ids.map(({ id }) => engine.deliver(seen(id, index))));
        outcomes.push(...round.map(({ outcome }) => outcome));
      }
      return outcomes;
    })();
    const agreed = findings.map(({ what }) => what);
    const { moved } = await moveActors({ db, kinds, clock }, ASKED, { agreed });
    isMoving = false;
    const outcomes = await delivering;
    expect(moved).toBeGreaterThan(0);
    expect(new Set(outcomes)).toEqual(new Set(['applied']));
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from journal_entry where event_id like 'meanwhile:%' and outcome = 'applied'`.execute(db);
    expect(rows[0]?.n).toBe(outcomes.length);
    await expectSound(db, kinds);
  });

  test('keeps processes of the old version away from them: their events wait for a process with the new one', async () => {
    const { db } = database();
    const { kinds, clock, engine } = population();
    await moveActors({ db, kinds, clock }, ASKED);
    const [actor] = await db.selectFrom('actor').selectAll().where('version', '=', '2').limit(1).execute();
    const old = createEngine({ db, kinds: createKindRegistry([PAYMENT]), clock, log: silentLog });
    const command = { actorId: actor?.id ?? '', eventId: 'late', event: { type: 'merchant.rejected' } };
    await expect(old.deliver(command)).rejects.toMatchObject({ name: 'RetryableError', code: 'CHART_TOO_NEW' });
    expect(await db.selectFrom('dead_letter').selectAll().execute()).toEqual([]);
    expect((await engine.deliver(command)).outcome).toMatch(/applied|ignored/);
  });

  test('is rejected for a missing version', async () => {
    const deps = { db: database().db, kinds: createKindRegistry([PAYMENT]), clock: createTestClock() };
    await expect(dryRunOf(deps, ASKED)).rejects.toThrow('no version 2 in this release, only 1');
    await expect(moveActors(deps, { ...ASKED, kind: 'nonesuch' })).rejects.toThrow('There is no chart "nonesuch"');
    await expect(moveActors(deps, { ...ASKED, to: '1' })).rejects.toThrow('the same');
  });
});

describeBothDatabases('a chart with a migration for its actors', (database) => {
  const ASKED_LEDGER = { kind: 'ledger', from: '1', to: '2' } as const;

  beforeEach(async () => {
    await createLedgerTable(database());
    await empty(database().db);
  });
  afterEach(() => empty(database().db));

  test('maps snapshots, requests its declared effects, and is projected', async () => {
    const { db } = database();
    const [first, second] = [createLedgerKind(), doubled()];
    const kinds = createKindRegistry([first, second]);
    const clock = createTestClock();
    await ledgers(db, clock, first);
    const look = await dryRunOf({ db, kinds, clock }, ASKED_LEDGER);
    expect(look.findings.map(({ what, actors, isFailure }) => [what, actors, isFailure])).toEqual([
      ['context: total differs', 2, false],
      ['requests setReminder', 2, false],
      ['a ledger of 13 is never moved', 1, true],
    ]);
    const agreed = look.findings.map(({ what }) => what);
    expect(await moveActors({ db, kinds, clock }, ASKED_LEDGER, { agreed })).toEqual({ moved: 2, left: 1 });
    expect(await readTotal({ db }, 'ledger-5')).toBe(10);
    expect(await timersOf(db)).toMatchObject([{ actor_id: 'ledger-5' }, { actor_id: 'ledger-8' }]);
    await expectSound(db, kinds);

    const engine = createEngine({ db, kinds, clock, log: silentLog });
    const booked = { actorId: 'ledger-5', eventId: 'after', event: { type: 'book', amount: 1 } };
    expect(await engine.deliver(booked)).toMatchObject({ outcome: 'applied' });
    expect(await readTotal({ db }, 'ledger-5')).toBe(11);
    await expectSound(db, kinds);
    const journal = await readJournal(db, 'ledger-5');
    expect(journal.map(({ event, version }) => [event.type, version])).toEqual([
      ['actor.started', '1'],
      ['book', '1'],
      ['engine.migrated', '2'],
      ['book', '2'],
    ]);
  });

  test('that cannot replay a journal reports it for each actor, and moves none', async () => {
    const { db } = database();
    const first = createLedgerKind();
    const grumpy = versionOf(first, { ...first.machine.config, version: '2', on: {} });
    const kinds = createKindRegistry([first, grumpy]);
    const clock = createTestClock();
    await ledgers(db, clock, first);
    const look = await dryRunOf({ db, kinds, clock }, ASKED_LEDGER);
    expect(look.findings.map(({ what }) => what)).toContain('event book is not handled');
    expect(look.findings.map(({ what }) => what)).toContain('would not have requested announce');
    expect(await moveActors({ db, kinds, clock }, ASKED_LEDGER)).toEqual({ moved: 0, left: 3 });
  });

  test('that requests an effect twice reports it for each actor, and moves none', async () => {
    const { db } = database();
    const first = createLedgerKind();
    const again = { type: 'announce', params: { what: 'booked', amount: 0 } };
    const on = { book: { actions: ['book', again] } };
    const talkative = versionOf(first, { ...first.machine.config, version: '2', on });
    const kinds = createKindRegistry([first, talkative]);
    const clock = createTestClock();
    await ledgers(db, clock, first);
    const look = await dryRunOf({ db, kinds, clock }, ASKED_LEDGER);
    expect(look.findings.map(({ what, actors }) => [what, actors])).toEqual([['would have requested announce', 3]]);
    expect(await moveActors({ db, kinds, clock }, ASKED_LEDGER)).toEqual({ moved: 0, left: 3 });
  });
});

describe('the order of versions', () => {
  test('an actor of a newer version waits, one of an older version that is gone runs the current one', () => {
    const [first, second] = [createLedgerKind(), doubled()];
    const kinds = createKindRegistry([second]);
    expect(kinds.get('ledger', '1')).toBe(second);
    expect(() => createKindRegistry([first]).get('ledger', '2')).toThrow(/version 2.*up to 1/);
    expect(createKindRegistry([first, second]).versions('ledger')).toEqual([first, second]);
  });
});

// Helpers

/** The payment chart with its effect handlers, but without addresses and tables. */
const {
  prepare: _prepare,
  project: _project,
  ...PAYMENT
} = createTransactionKind({ publicUrl: 'https://pay.example.com' });

/** A payment that has received no event gets its own state; everything else is unchanged. */
function withFreshState(): ActorKind {
  const { states, ...config } = transactionMachine.config as {
    states: Record<string, { states: Record<string, object> }>;
  };
  const { open } = states;
  if (open === undefined) throw new Error('the chart has no state "open"');
  const fresh = { ...open.states.awaitingPayment, description: 'Nothing has ever arrived.' };
  const renewed = { ...open, initial: 'fresh', states: { ...open.states, fresh } };
  return versionOf(PAYMENT, { ...config, version: '2', states: { ...states, open: renewed } });
}

function versionOf(kind: ActorKind, config: object): ActorKind {
  const machine: AnyStateMachine = createMachine(config as never, kind.machine.implementations as never);
  return { ...kind, machine, version: machine.version ?? '', stepper: createStepper(machine) };
}

/** Ledgers of version 2 count double, and remind. */
function doubled(): ActorKind {
  const first = createLedgerKind();
  return {
    ...versionOf(first, { ...first.machine.config, version: '2' }),
    migrate: {
      '1': ({ value, context }) => {
        const ledger = context as { total: number };
        if (ledger.total === 13) throw new Error('a ledger of 13 is never moved');
        const params = { dueAt: START_MS + 60_000, gate: null };
        const effects = [{ type: 'setReminder', params }];
        return { value, context: { ...ledger, total: ledger.total * 2 }, effects };
      },
    },
  };
}

async function ledgers(db: Kysely<Database>, clock: TestClock, kind: ActorKind): Promise<void> {
  const engine = createEngine({ db, kinds: createKindRegistry([kind]), clock, log: silentLog });
  for (const amount of [5, 8, 13]) {
    const actorId = `ledger-${amount}`;
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    await engine.deliver({ actorId, eventId: 'first', event: { type: 'book', amount } });
  }
}

/**
 * Runs realistic payments in the engine under version 1, each to the end of its history. Returns
 * the time at which the last one ends, in Unix ms.
 */
async function deliverHistories(db: Kysely<Database>): Promise<number> {
  const clock = createTestClock(Date.UTC(2026, 0, 5, 9));
  const engine = createEngine({ db, kinds: createKindRegistry([PAYMENT]), clock, log: silentLog });
  const histories = fc.sample(fc.tuple(paymentTerms, paymentHistories()), { numRuns: PAYMENTS, seed: 11 });
  const sent = histories.map(([terms, { steps }], index) => {
    const actorId = `txn_version_${String(index).padStart(4, '0')}`;
    return { actorId, ...eventsOf({ ...terms, transactionId: actorId }, steps) };
  });
  await Promise.all(
    sent.map(({ actorId, terms }) =>
      engine.start({ kind: 'transaction', actorId, startKey: null, input: { ...terms } }),
    ),
  );
  // Half of them stop in the middle of their history.
  const shortened = sent.map((each, index) => {
    return { ...each, events: index % 2 === 0 ? each.events : each.events.slice(0, Math.ceil(each.events.length / 3)) };
  });
  const rounds = Math.max(...shortened.map(({ events }) => events.length));
  for (let round = 0; round < rounds; round += 1) {
    const now = shortened.flatMap(({ actorId, events }) => {
      const event = events[round];
      return event === undefined ? [] : [{ actorId, event }];
    });
    const moment = Math.max(clock.now(), ...now.map(({ event }) => Number(event.at)));
    clock.advance(moment - clock.now());
    const settings = await timersOf(db);
    const commands = now.flatMap(({ actorId, event }) => {
      const name = /^timer\.(.+)$/.exec(event.type)?.[1];
      const timer = settings.find((each) => each.actor_id === actorId && each.name === name);
      // A timer that the engine has not set does not fire.
      if (name !== undefined && timer === undefined) return [];
      const eventId = timer === undefined ? `sent:${round}` : `timer:${timer.name}:${timer.set_by_sequence}`;
      return [{ actorId, eventId, event }];
    });
    await Promise.all(commands.map((command) => engine.deliver(command)));
  }
  return clock.now();
}

type PaymentSteps = Parameters<ReturnType<typeof createPaymentSimulation>['take']>[0][];

/** External events of a payment with these terms. */
function eventsOf(terms: Parameters<typeof startActor>[0], steps: Readonly<PaymentSteps>) {
  const events: { readonly type: string; readonly at: number }[] = [];
  const actor = startActor(terms, () => {});
  const simulation = createPaymentSimulation({
    ...actor,
    get context() {
      return actor.context;
    },
    get state() {
      return actor.state;
    },
    get isOver() {
      return actor.isOver;
    },
    send(event) {
      events.push(event);
      actor.send(event);
    },
  });
  for (const step of steps) simulation.take(step);
  return { terms, events };
}

function timersOf(db: Kysely<Database>) {
  return db.selectFrom('timer').selectAll().orderBy('actor_id').orderBy('name').execute();
}

async function everything(db: Kysely<Database>) {
  return {
    actors: await db.selectFrom('actor').selectAll().orderBy('id').execute(),
    timers: await timersOf(db),
    journal: await db
      .selectFrom('journal_entry')
      .select(['actor_id', 'sequence'])
      .orderBy('actor_id')
      .orderBy('sequence')
      .execute(),
  };
}

/** Every journal folds to its snapshot. */
async function expectSound(db: Kysely<Database>, kinds: KindRegistry): Promise<void> {
  const actors = await db.selectFrom('actor').select('id').execute();
  for (const { id } of actors) expect(await replay(db, kinds, id), id).toMatchObject({ equal: true });
}

const TABLES = ['actor', 'journal_entry', 'timer', 'outbox_message', 'dead_letter'];

async function keepRows(db: Kysely<Database>): Promise<void> {
  for (const table of TABLES) await sql`create table ${keptAs(table)} as table ${sql.table(table)}`.execute(db);
}

async function restoreRows(db: Kysely<Database>): Promise<void> {
  await empty(db);
  for (const table of TABLES) {
    await sql`insert into ${sql.table(table)} overriding system value select * from ${keptAs(table)}`.execute(db);
  }
}

async function dropKept(db: Kysely<Database>): Promise<void> {
  for (const table of TABLES) await sql`drop table ${keptAs(table)}`.execute(db);
}

function keptAs(table: string) {
  return sql.table(`kept_${table}`);
}

async function empty(db: Kysely<Database>): Promise<void> {
  for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(db);
}
