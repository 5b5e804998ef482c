import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMonths, DAY_MS, HOUR_MS, type Mode } from '../../machines/index.ts';
import { GRACE_MS } from '../../src/billing/grace-period.ts';
import { PLAN_TIERS, type PlanTier } from '../../src/merchants/index.ts';
import { chainEventCommand } from '../../src/payments/watching/chain-events.ts';
import { connect } from '../../src/platform/db/index.ts';
import type { CrashPoint, Engine, EventOutcome } from '../../src/platform/engine/index.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { createTestClock } from '../support/clock.ts';
import {
  createPostgresDatabase,
  describeBothDatabases,
  describeDatabases,
  describePostgres,
} from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { addMerchant, createBillingEngine, type Db, passTime, report, startPayment } from './harness.ts';

/** A paid plan is granted once, whatever happens to the process that receives the payment. */

const NOW = Date.parse('2026-11-21T10:00:00Z');
const BUYERS = 2;
/** Rounds in which plans of one buyer complete concurrently. */
const ROUNDS = level.pick({ quick: 3, full: 10 });

interface Bought {
  readonly buyer: number;
  readonly tier: 'business' | 'professional';
  readonly months: number;
  /** How often its completion is delivered; each copy goes to the next process. */
  readonly copies: number;
}

const purchases: fc.Arbitrary<Bought[]> = fc.array(
  fc.record({
    buyer: fc.nat(BUYERS - 1),
    tier: fc.constantFrom('business' as const, 'professional' as const),
    months: fc.integer({ min: 1, max: 14 }),
    copies: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

describePostgres('plans bought in two processes that fail at any point', () => {
  it('rule 68: are granted once for every payment, and a payment without effect is an alert', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    const { db } = database;
    try {
      const clock = createTestClock(NOW);
      const operator = await addMerchant(db, 'enterprise');
      await assertAsyncProperty(
        fc.asyncProperty(purchases, fc.array(fc.boolean(), { maxLength: 6 }), async (bought, crashes) => {
          const crash = failing([...crashes]);
          const engines = [db, other.db].map((each) => createBillingEngine(each, clock, crash.at));
          const buyers = await Promise.all(Array.from({ length: BUYERS }, () => addMerchant(db)));
          const ids: string[] = [];
          for (const each of bought) {
            const buyer = buyers[each.buyer] ?? '';
            ids.push(await order({ db, engine: engineOf(engines, 0) }, { ...each, operator, buyer }));
          }
          crash.arm();
          await Promise.all(
            bought.flatMap(({ copies }, index) =>
              Array.from({ length: copies }, (_, copy) => pay(engineOf(engines, index + copy), ids[index] ?? '')),
            ),
          );
          for (const [index, buyer] of buyers.entries()) {
            await expectPlan(db, buyer, { ids, bought: bought.map((each) => (each.buyer === index ? each : null)) });
          }
        }),
        { numRuns: level.runs(25) },
      );
    } finally {
      await other.close();
      await database.drop();
    }
  });
});

describePostgres('plans of one buyer that complete concurrently in two processes', () => {
  it('are all granted: no process reads the plan while another changes it', async () => {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    const { db } = database;
    try {
      const engines = [db, other.db].map((each) => createBillingEngine(each, createTestClock(NOW)));
      const operator = await addMerchant(db, 'enterprise');
      for (let round = 0; round < ROUNDS; round += 1) {
        const buyer = await addMerchant(db);
        const input = { operator, buyer, tier: 'business', months: 1 } as const;
        const ids = await Promise.all(
          Array.from({ length: 12 }, () => order({ db, engine: engineOf(engines, 0) }, input)),
        );
        await Promise.all(ids.map((id, index) => pay(engineOf(engines, index), id)));
        expect(await planOf(db, buyer)).toMatchObject({
          plan: 'business',
          plan_expires_at: addMonths(NOW, ids.length),
        });
      }
    } finally {
      await other.close();
      await database.drop();
    }
  });
});

describeBothDatabases('a paid plan', (database) => {
  it('is not granted for coins of a test network, nor before the payment completes', async () => {
    const { db } = database();
    const engine = createBillingEngine(db, createTestClock(NOW));
    const [operator, buyer] = [await addMerchant(db, 'enterprise'), await addMerchant(db)];
    const input = { operator, buyer, tier: 'business', months: 1 } as const;
    const onTestnet = await order({ db, engine }, { ...input, mode: 'test' });
    await pay(engine, onTestnet);
    const unpaid = await order({ db, engine }, input);
    await engine.deliver(chainEventCommand(unpaid, report(unpaid, 1, { kind: 'mempool' }, NOW)));
    expect(await planOf(db, buyer)).toEqual({ plan: 'starter', plan_cycle: null, plan_expires_at: null });
    expect(await appliedOf(db, [onTestnet, unpaid])).toEqual([]);
  });
});

describeDatabases('the period of a paid plan', (database) => {
  it('starts when the payment completes, also when the operator accepts it late', async () => {
    const { db } = database();
    const clock = createTestClock(NOW);
    const engine = createBillingEngine(db, clock);
    const [operator, buyer] = [await addMerchant(db, 'enterprise'), await addMerchant(db)];
    const id = await order({ db, engine }, { operator, buyer, tier: 'professional', months: 12 });
    await passTime({ db, engines: [engine], clock, ids: [id] }, HOUR_MS);
    await engine.deliver(chainEventCommand(id, report(id, 1, { kind: 'mempool' }, clock.now())));
    clock.advance(2 * DAY_MS);
    expect(await planOf(db, buyer)).toMatchObject({ plan: 'starter' });
    await engine.deliver({ actorId: id, eventId: 'accepted', event: { type: 'merchant.marked_paid' } });
    const plan_expires_at = addMonths(clock.now(), 12);
    expect(await planOf(db, buyer)).toEqual({ plan: 'professional', plan_cycle: 'yearly', plan_expires_at });
  });

  it('is renewed from its end in the days of grace, and from now on after them', async () => {
    const { db } = database();
    const clock = createTestClock(NOW);
    const engine = createBillingEngine(db, clock);
    const [operator, buyer] = [await addMerchant(db, 'enterprise'), await addMerchant(db)];
    const buy = async () => pay(engine, await order({ db, engine }, { operator, buyer, tier: 'business', months: 1 }));
    await buy();
    const firstEnd = addMonths(NOW, 1);
    clock.advance(firstEnd + GRACE_MS - 1 - clock.now());
    await buy();
    const secondEnd = addMonths(firstEnd, 1);
    expect(await planOf(db, buyer)).toMatchObject({ plan: 'business', plan_expires_at: secondEnd });
    clock.advance(secondEnd + GRACE_MS - clock.now());
    await buy();
    expect(await planOf(db, buyer)).toMatchObject({ plan: 'business', plan_expires_at: addMonths(clock.now(), 1) });
  });
});

// Helpers

interface Order {
  readonly operator: string;
  readonly buyer: string;
  readonly tier: PlanTier;
  readonly months: number;
  readonly mode?: Mode;
}

/** A billing payment as the plan checkout starts it. */
async function order(deps: { db: Db; engine: Engine }, input: Order): Promise<string> {
  const { operator, buyer, tier, months, mode = 'live' } = input;
  return startPayment(deps, operator, {
    type: 'billing',
    mode,
    async onStarted(trx, transaction_id) {
      const row = { transaction_id, merchant_id: buyer, mode, tier, billing_months: months };
      await trx
        .insertInto('plan_purchase')
        .values({ ...row, purchase_type: 'plan_upgrade' })
        .execute();
    },
  });
}

/** Delivers the payment to an engine until it is accepted, as the bus would. */
async function pay(engine: Engine, id: string): Promise<void> {
  const command = chainEventCommand(id, report(id, 1, { kind: 'confirmed', height: 100, blockHash: 'a' }, NOW));
  for (;;) {
    const outcome: EventOutcome | null = await engine.deliver(command).catch(onlyRetryable);
    if (outcome === null) continue;
    expect(outcome.outcome).toMatch(/applied|duplicate/);
    return;
  }
}

function onlyRetryable(error: unknown): null {
  if (error instanceof RetryableError) return null;
  throw error;
}

/** Once armed, fails the engine right before or right after its next commits, as the flags say. */
function failing(flags: boolean[]) {
  let isArmed = false;
  return {
    arm() {
      isArmed = true;
    },
    at(point: CrashPoint) {
      // Statements of a half-written commit are in flight: only a dying process can lose it there.
      if (point === 'engine.half_written') return;
      if (isArmed && flags.shift() === true) throw new RetryableError('CRASHED', 'the process was lost here');
    },
  };
}

/**
 * The clock stands still, so the order of completions cannot matter: the highest tier, with all its
 * months.
 */
async function expectPlan(
  db: Db,
  buyer: string,
  { ids, bought }: { ids: readonly string[]; bought: readonly (Bought | null)[] },
): Promise<void> {
  const own = bought.flatMap((each, index) => (each === null ? [] : [{ ...each, id: ids[index] ?? '' }]));
  const highest = PLAN_TIERS.findLast((tier) => own.some((each) => each.tier === tier)) ?? 'starter';
  const months = own.filter(({ tier }) => tier === highest).reduce((sum, each) => sum + each.months, 0);
  const { plan, plan_expires_at } = await planOf(db, buyer);
  expect([plan, plan_expires_at]).toEqual([highest, months === 0 ? null : addMonths(NOW, months)]);
  const applied = await appliedOf(
    db,
    own.map(({ id }) => id),
  );
  const alerts = await db
    .selectFrom('operator_alert')
    .select('actor_id')
    .where('alert', '=', 'plan_purchase_without_effect')
    .where('actor_id', 'in', ['', ...own.map(({ id }) => id)])
    .execute();
  const messages = await db
    .selectFrom('outbox_message')
    .select('id')
    .where('id', 'in', ['', ...own.map(({ id }) => `alert:plan_purchase_without_effect:${id}`)])
    .execute();
  expect(messages).toHaveLength(alerts.length);
  expect([...applied, ...alerts.map(({ actor_id }) => actor_id ?? '')].sort()).toEqual(own.map(({ id }) => id).sort());
}

function planOf(db: Db, id: string) {
  return db
    .selectFrom('merchant')
    .select(['plan', 'plan_cycle', 'plan_expires_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

async function appliedOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('plan_purchase')
    .select('transaction_id')
    .where('transaction_id', 'in', ['', ...ids])
    .where('applied_at', 'is not', null)
    .execute();
  return rows.map(({ transaction_id }) => transaction_id);
}

function engineOf(engines: readonly Engine[], index: number): Engine {
  const engine = engines[index % engines.length];
  if (engine === undefined) throw new Error('there is no engine');
  return engine;
}
