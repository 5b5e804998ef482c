import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { dwellLimitMs } from '../../src/operations/actors/dwell-limits.ts';
import { EXACT_UP_TO } from '../../src/operations/actors/population.ts';
import { LATE_AFTER_MS } from '../../src/operations/health/late-timers.ts';
import { type ActorFilter, getActor, listActors, readActorIssues, readPopulation } from '../../src/operations/index.ts';
import { insertPayments, PLAIN, removePayments } from '../payments/search/rows.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { newActorId } from '../support/service/engine.ts';
import { createInstallation, type Installation } from './installation.ts';

const HOUR_MS = 3_600_000;

interface Placed {
  readonly kind: 'transaction' | 'delivery' | 'schedule';
  readonly state: string;
  readonly restingMs: number;
  readonly isLate: boolean;
  readonly hasFailed: boolean;
  readonly merchantId: string;
  readonly mode: 'live' | 'test';
}

const STATES = {
  transaction: ['open.awaitingPayment', 'open.inReview', 'confirming', 'expired.paidLate', 'closedCompleted'],
  delivery: ['sending', 'waiting', 'delivered'],
  schedule: ['active.waiting', 'paused', 'ended.bounced'],
} as const;

const placed: fc.Arbitrary<Placed> = fc
  .constantFrom(...(Object.keys(STATES) as (keyof typeof STATES)[]))
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      state: fc.constantFrom<string>(...STATES[kind]),
      restingMs: fc.oneof(
        fc.constantFrom(0, 1, HOUR_MS),
        fc.integer({ min: 0, max: 100 * 24 * HOUR_MS }),
        fc.constantFrom(...STATES[kind].map((state) => dwellLimitMs(kind, state) ?? 0)),
      ),
      isLate: fc.boolean(),
      hasFailed: fc.boolean(),
      merchantId: fc.constantFrom('mer_1', 'mer_2'),
      mode: fc.constantFrom('live' as const, 'test' as const),
    }),
  );

describeDatabases('populations and actor lists', (database) => {
  test('the count of a state equals the total of its list, which contains exactly those actors', async () => {
    const all = createInstallation(database());
    await assertAsyncProperty(
      fc.asyncProperty(
        fc.array(placed, { maxLength: 40 }),
        fc.array(fc.nat({ max: 39 }), { maxLength: 8 }),
        async (actors, movers) => {
          await empty(all);
          const rows = await fill(all, actors);
          // Some actors move on and some end, so the counts must follow.
          for (const index of new Set(movers)) {
            const row = rows[index];
            if (row === undefined) continue;
            if (index % 3 === 0) await all.db.deleteFrom('actor').where('id', '=', row.id).execute();
            else
              await all.db.updateTable('actor').set({ state: STATES[row.kind][1] }).where('id', '=', row.id).execute();
            rows[index] =
              index % 3 === 0 ? { ...row, kind: 'transaction', id: '' } : { ...row, state: STATES[row.kind][1] };
          }
          const there = rows.filter(({ id }) => id !== '');
          const issues = await readActorIssues(all);
          expect(sorted(issues.map(({ filter }) => filter))).toEqual(sorted(issueFilters(there)));
          for (const { filter, count, oldestAt } of issues) {
            const expected = there.filter((row) => isIssue(row, filter));
            expect(await idsOf(all, filter, count), JSON.stringify(filter)).toEqual(
              expected.map(({ id }) => id).sort(),
            );
            const longest = Math.max(...expected.map(({ restingMs }) => restingMs));
            expect(oldestAt).toBe(all.clock.now() - (filter.isLate === true ? LATE_AFTER_MS : longest));
          }
          for (const kind of ['transaction', 'delivery', 'schedule'] as const) {
            const { leaves } = await readPopulation(all, kind);
            expect(leaves.map(({ state }) => state).sort()).toEqual(
              [...new Set(there.filter((each) => each.kind === kind).map(({ state }) => state))].sort(),
            );
            for (const leaf of leaves) {
              const expected = there.filter((each) => each.kind === kind && each.state === leaf.state);
              expect(await idsOf(all, { kind, state: leaf.state }, leaf.count)).toEqual(
                expected.map(({ id }) => id).sort(),
              );
              expect(leaf.oldestAt).toBe(all.clock.now() - Math.max(...expected.map(({ restingMs }) => restingMs)));
              const limitMs = dwellLimitMs(kind, leaf.state);
              if (limitMs === null) expect(leaf.overdue).toBeNull();
              else {
                const overdue = expected.filter(({ restingMs }) => restingMs >= limitMs).map(({ id }) => id);
                const filter = { kind, state: leaf.state, restingMs: limitMs };
                expect(await idsOf(all, filter, leaf.overdue ?? -1)).toEqual(overdue.sort());
              }
            }
          }
        },
      ),
      { numRuns: level.runs(12) },
    );
  });

  test('the stored counts equal the rows, even after concurrent work in several processes', async () => {
    const all = createInstallation(database());
    const other = createInstallation(database());
    await empty(all);
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [mine, theirs] = index % 2 === 0 ? [all, other] : [other, all];
        const actorId = await mine.startSchedule();
        await theirs.engine.deliver({ actorId, eventId: 'customer.confirmed', event: { type: 'customer.confirmed' } });
        if (index % 3 === 0) await mine.engine.deliver({ actorId, eventId: 'm', event: { type: 'merchant.paused' } });
      }),
    );
    const { leaves } = await readPopulation(all, 'schedule');
    expect(leaves.map(({ state, count }) => [state, count])).toEqual([
      ['active.awaiting', 40],
      ['paused', 20],
    ]);
    for (const { state, count } of leaves)
      expect(await idsOf(all, { kind: 'schedule', state }, count)).toHaveLength(count);
  });

  test('an actor itself has the limit of its state, once it is listed as overdue, and its open alerts', async () => {
    const all = createInstallation(database());
    const id = await all.startTransaction();
    const raised = all.db.insertInto('operator_alert');
    await raised
      .values([
        { actor_id: id, alert: 'mine', detail: '' },
        { alert: 'of none', detail: '' },
      ])
      .execute();
    const limitMs = dwellLimitMs('transaction', 'open.awaitingPayment') ?? 0;
    for (const [restingMs, exceededLimitMs] of [
      [limitMs - 1, null],
      [limitMs, limitMs],
    ] as const) {
      const since = new Date(all.clock.now() - restingMs);
      await all.db.updateTable('actor').set({ state_entered_at: since }).where('id', '=', id).execute();
      const found = await getActor(all, id);
      expect(found).toMatchObject({ exceededLimitMs, alerts: [{ actorId: id, alert: 'mine' }] });
      const { actors } = await listActors(all, {
        filter: { kind: 'transaction', isOverdue: true, search: id },
        cursor: null,
        limit: 1,
      });
      expect(actors).toHaveLength(exceededLimitMs === null ? 0 : 1);
    }
  });

  test('every filter works, alone and combined', async () => {
    const all = createInstallation(database());
    await empty(all);
    const actors = fc.sample(placed, { seed: 7, numRuns: 120 });
    const rows = await fill(all, actors);
    const filters: readonly Omit<ActorFilter, 'kind'>[] = [
      { isLate: true },
      { isLate: false },
      { isOverdue: true },
      { isOverdue: false, hasFailed: true },
      { hasTimer: true },
      { hasTimer: false },
      { isRetrying: true },
      { isRetrying: false },
      { mode: 'live' },
      { mode: 'test', hasFailed: false },
      { hasFailed: true },
      { hasFailed: false, isLate: true },
      { restingMs: HOUR_MS, hasFailed: true },
      { search: 'actor-0' },
      { search: rows[3]?.id ?? '' },
    ];
    for (const filter of filters) {
      for (const kind of ['transaction', 'delivery'] as const) {
        const expected = rows.filter(
          (row) =>
            row.kind === kind &&
            (filter.isLate === undefined || row.isLate === filter.isLate) &&
            (filter.hasFailed === undefined || row.hasFailed === filter.hasFailed) &&
            (filter.isOverdue === undefined || isOverdue(row) === filter.isOverdue) &&
            (filter.hasTimer === undefined || (row.isLate || row.hasFailed) === filter.hasTimer) &&
            (filter.isRetrying === undefined || isRetrying(row) === filter.isRetrying) &&
            // Deliveries have no rows here that say their mode.
            (filter.mode === undefined || (kind === 'transaction' && row.mode === filter.mode)) &&
            row.restingMs >= (filter.restingMs ?? 0) &&
            row.id.startsWith(filter.search ?? ''),
        );
        expect(await idsOf(all, { kind, ...filter }), JSON.stringify(filter)).toEqual(
          expected.map(({ id }) => id).sort(),
        );
      }
    }
    const inOpen = rows.filter(({ kind, state }) => kind === 'transaction' && state.startsWith('open.'));
    expect(await idsOf(all, { kind: 'transaction', state: 'open' })).toEqual(inOpen.map(({ id }) => id).sort());
  });

  test('a payment is found by its order id, address or on-chain transaction, in all shops and only by the whole', async () => {
    const all = createInstallation(database());
    await empty(all);
    const shape = { kind: 'transaction', state: 'confirming', restingMs: 5, isLate: false, hasFailed: false } as const;
    const [ofAnn, ofBob, other, named] = await fill(all, [
      { ...shape, mode: 'live', merchantId: 'mer_1' },
      { ...shape, mode: 'test', merchantId: 'mer_2' },
      { ...shape, mode: 'live', merchantId: 'mer_2' },
      { ...shape, mode: 'test', merchantId: 'mer_1' },
    ]);
    if (ofAnn === undefined || ofBob === undefined || other === undefined || named === undefined)
      throw new Error('four were filled in');
    await all.db
      .insertInto('merchant')
      .values(['mer_1', 'mer_2'].map((id) => ({ id, name: id, email: 'a@shop.test', plan: 'starter', settings: '{}' })))
      .execute();
    await removePayments(all.db);
    await insertPayments(all.db, [
      { ...PLAIN, id: ofAnn.id, merchantId: 'mer_1', orderId: 'order-7', depositAddress: 'ltc1qann' },
      { ...PLAIN, id: ofBob.id, merchantId: 'mer_2', mode: 'test', orderId: 'order-7', txids: ['ab'.repeat(32)] },
      { ...PLAIN, id: other.id, merchantId: 'mer_2', orderId: 'order-77', metadata: { order: '2003' } },
      { ...PLAIN, id: named.id, merchantId: 'mer_1', mode: 'test', metadata: { order: 2003, cart: 'cart-5' } },
    ]);
    const found = (search: string, kind = 'transaction') => idsOf(all, { kind, search });
    expect(await found('order-7')).toEqual([ofAnn.id, ofBob.id].sort());
    expect(await found('LTC1QANN')).toEqual([ofAnn.id]);
    expect(await found('AB'.repeat(32))).toEqual([ofBob.id]);
    // The order id, where a payment has both; other metadata is not searched.
    expect(await found('2003')).toEqual([named.id]);
    expect(await found('cart-5')).toEqual([]);
    expect(await found('order-')).toEqual([]);
    expect(await found('order-7', 'delivery')).toEqual([]);
    expect(await idsOf(all, { kind: 'transaction', search: 'order-7', merchantId: 'mer_2' })).toEqual([ofBob.id]);
  });

  test('a list is sorted by the longest time in state, with the next timer, dead letters and the merchant', async () => {
    const all = createInstallation(database());
    await empty(all);
    const shape = { kind: 'transaction', mode: 'live' } as const;
    const [newer, older] = await fill(all, [
      { ...shape, state: 'confirming', restingMs: 5, isLate: false, hasFailed: false, merchantId: 'mer_1' },
      { ...shape, state: 'failed', restingMs: 9, isLate: true, hasFailed: true, merchantId: 'mer_2' },
    ]);
    const { actors } = await listActors(all, { filter: { kind: 'transaction' }, cursor: null, limit: 10 });
    expect(actors).toMatchObject([
      {
        id: older?.id,
        merchantId: 'mer_2',
        deadLetters: 1,
        since: all.clock.now() - 9,
        nextTimer: { name: 'a', gate: null },
      },
      { id: newer?.id, merchantId: 'mer_1', deadLetters: 0, nextTimer: null },
    ]);
    expect(actors[0]?.nextTimer?.firesAt).toBe(all.clock.now() - LATE_AFTER_MS);
  });

  test('an unknown filter is rejected by name', async () => {
    const all = createInstallation(database());
    const list = (filter: ActorFilter, cursor: string | null = null) => listActors(all, { filter, cursor, limit: 5 });
    await expect(list({ kind: 'nothing' })).rejects.toMatchObject({ code: 'UNKNOWN_KIND', field: 'kind' });
    await expect(list({ kind: 'delivery', state: 'sen' })).rejects.toMatchObject({ code: 'UNKNOWN_STATE' });
    await expect(list({ kind: 'delivery' }, 'x')).rejects.toMatchObject({ code: 'INVALID_CURSOR', field: 'cursor' });
    const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
    for (const key of [['0', 'a\0'], ['0', '\ud800'], ['0', 'a'.repeat(101)], [0, 'a'], ['9'.repeat(19), 'a'], ['0']]) {
      await expect(list({ kind: 'delivery' }, cursorOf(key))).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
    }
    await expect(readPopulation(all, 'constructor')).rejects.toMatchObject({ code: 'UNKNOWN_KIND' });
  });

  test('percentiles are exact for few actors, and close for very many', async () => {
    const all = createInstallation(database());
    await empty(all);
    await fillEvenly(all, 'delivery', 'sending', 1_000);
    await fillEvenly(all, 'delivery', 'waiting', EXACT_UP_TO * 4);
    const { leaves } = await readPopulation(all, 'delivery');
    const [few, many] = leaves;
    // In this state for 1, 2, 3 … seconds.
    expect(few).toMatchObject({ state: 'sending', count: 1_000, p50Ms: 501_000, p95Ms: 951_000 });
    expect(many).toMatchObject({ state: 'waiting', count: EXACT_UP_TO * 4 });
    // About 312 in the sample: the standard deviation of a rank is 3 % (p50) or 1.3 % (p95); ids
    // are fixed, so the result is too.
    expect((many?.p50Ms ?? 0) / 1_000 / (EXACT_UP_TO * 4)).toBeCloseTo(0.5, 0.9);
    expect((many?.p95Ms ?? 0) / 1_000 / (EXACT_UP_TO * 4)).toBeGreaterThan(0.89);
    expect((many?.p95Ms ?? 0) / 1_000 / (EXACT_UP_TO * 4)).toBeLessThan(0.99);
  });
});

/** A dead letter of this merchant is redelivered. */
const REDELIVERED = 'mer_1';

function isOverdue({ kind, state, restingMs }: Placed): boolean {
  const limitMs = dwellLimitMs(kind, state);
  return limitMs !== null && restingMs >= limitMs;
}

function isRetrying({ kind, state, hasFailed, merchantId }: Placed): boolean {
  return (kind === 'delivery' && state === 'waiting') || (hasFailed && merchantId === REDELIVERED);
}

/** The filters of all issues that some of these rows raise. */
function issueFilters(rows: readonly Row[]): ActorFilter[] {
  const kinds = Object.keys(STATES).flatMap((kind) => [
    { kind, isOverdue: true },
    { kind, isLate: true },
  ]);
  const undecided = ['expired.paidLate', 'open.inReview'].flatMap((state) =>
    (['live', 'test'] as const).map((mode) => ({ kind: 'transaction', state, mode })),
  );
  return [...kinds, ...undecided].filter((filter) => rows.some((row) => isIssue(row, filter)));
}

function isIssue(row: Row, filter: ActorFilter): boolean {
  if (row.kind !== filter.kind) return false;
  if (filter.isOverdue === true) return isOverdue(row);
  return filter.isLate === true ? row.isLate : row.state === filter.state && row.mode === filter.mode;
}

function sorted(filters: readonly ActorFilter[]): string[] {
  return filters.map((filter) => JSON.stringify(filter)).sort();
}

type Row = Placed & { readonly id: string };

async function empty({ db }: Installation): Promise<void> {
  await removePayments(db);
  for (const table of ['actor', 'timer', 'dead_letter']) await sql`delete from ${sql.table(table)}`.execute(db);
}

async function fill({ db, clock }: Installation, actors: readonly Placed[]): Promise<Row[]> {
  const now = clock.now();
  const rows = actors.map((actor) => ({ ...actor, id: newActorId() }));
  if (rows.length === 0) return rows;
  await db
    .insertInto('actor')
    .values(
      rows.map(({ id, kind, state, restingMs, merchantId }) => ({
        id,
        kind,
        version: '1',
        state,
        status: 'active' as const,
        snapshot: JSON.stringify({ value: state, context: { merchantId }, status: 'active' }),
        sequence: 1,
        start_key: null,
        created_at: new Date(now - restingMs),
        updated_at: new Date(now),
        state_entered_at: new Date(now - restingMs),
      })),
    )
    .execute();
  const payments = rows.filter(({ kind }) => kind === 'transaction');
  await insertPayments(
    db,
    payments.map(({ id, merchantId, mode }) => ({ ...PLAIN, id, merchantId, mode })),
  );
  for (const { id, isLate, hasFailed, merchantId } of rows) {
    if (isLate) await insertTimer(db, id, new Date(now - LATE_AFTER_MS));
    if (!isLate && hasFailed) await insertTimer(db, id, new Date(now - LATE_AFTER_MS + 1_000));
    if (hasFailed) {
      const retryAt = merchantId === REDELIVERED ? new Date(now) : null;
      await sql`insert into dead_letter (queue, message_id, actor_id, reason, retry_at)
        values ('engine', ${id}, ${id}, 'x', ${retryAt})`.execute(db);
    }
  }
  return rows;
}

async function insertTimer(db: Installation['db'], actorId: string, dueAt: Date): Promise<void> {
  await db
    .insertInto('timer')
    .values({
      actor_id: actorId,
      name: 'a',
      set_by_sequence: 1,
      due_at: dueAt,
      fires_at: dueAt,
      gate: null,
      height: null,
      queue: 'q',
      partition: 0,
    })
    .execute();
}

/** All ids of a list, page by page, sorted. With `total`, checks that the list reports it. */
async function idsOf(all: Installation, filter: ActorFilter, total?: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listActors(all, { filter, cursor, limit: 7 });
    if (total !== undefined) expect(page.total).toBe(total);
    ids.push(...page.actors.map(({ id }) => id));
    if (page.cursor === null) expect(page.total).toBe(ids.length);
    cursor = page.cursor;
  } while (cursor !== null);
  return ids.sort();
}

async function fillEvenly({ db, clock }: Installation, kind: string, state: string, count: number): Promise<void> {
  const now = new Date(clock.now());
  await sql`
    insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
    select 'even-' || md5(${state}::text || number), ${kind}, '1', ${state}, 'active', '{}', 1, ${now}, ${now},
      ${now}::timestamptz - number * interval '1 second'
    from generate_series(1, ${count}::int4) as series (number)`.execute(db);
}
