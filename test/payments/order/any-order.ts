import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publicStateOf } from '../../../machines/index.ts';
import { readJournal } from '../../../src/engine/index.ts';
import { describeWith } from '../../support/components.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database.ts';
import { assertAsyncProperty } from '../../support/fast-check.ts';
import { level } from '../../support/level.ts';
import { provideNats, type TestNats } from '../../support/nats.ts';
import type { StartedPayment } from '../sink-support.ts';
import { expectedOf } from './expected.ts';
import { type Happening, history, PAYMENTS } from './history.ts';
import { untilQuiet } from './quiet.ts';
import { openStage, type Stage } from './stage.ts';
import { createWorld, type World } from './world.ts';

/** Each run is a history of `PAYMENTS` payments at once, so the full level has 180 of them. */
const RUNS = level.pick({ quick: 3, full: 30 });
const TIME_LIMIT_MS = 15 * 60_000;
const DEEP = 6;
const HOUR_MS = 3_600_000;
/** The window closes, then losses settle, then what their end has brought about is processed. */
const LAST_HOURS = 3;

describeWith('postgres', 'natsServer')('Watcher, bus, workers and timers together', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let stage: Stage;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    nats = provideNats();
    stage = await openStage(database, nats);
  });

  afterAll(async () => {
    await stage?.close();
    await nats?.cleanUp();
    await database?.drop();
  });

  it(
    'end where the final chain says, whatever is lost, repeated, overtaken or started anew on the way',
    async () => {
      await assertAsyncProperty(
        fc.asyncProperty(history, fc.nat(), (happenings, seed) => play(happenings, seed)),
        { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS, endOnFailure: true },
      );
    },
    TIME_LIMIT_MS,
  );

  // Helpers

  async function play(happenings: readonly Happening[], seed: number): Promise<void> {
    stage.stir(seed);
    // Where everything that comes is above what the watcher has scanned.
    stage.node.mine([]);
    await stage.look();
    const payments = await Promise.all(Array.from({ length: PAYMENTS }, stage.openPayment));
    const world = createWorld(stage.node, payments);
    for (const each of happenings) await act(world, each);
    await settle(world);
    for (const [place, payment] of payments.entries()) await expectTruth(world, place, payment);
  }

  async function act(world: World, each: Happening): Promise<void> {
    switch (each.kind) {
      case 'look':
        await stage.look(each.fails);
        return;
      case 'look while the chain moves': {
        let calls = 0;
        stage.node.beforeCall = () => {
          calls += 1;
          if (calls === each.call + 1) world.happen({ kind: 'mine', mask: each.mask });
        };
        await stage.look();
        stage.node.beforeCall = null;
        return;
      }
      case 'the watcher starts':
        return stage.restartWatcher();
      case 'a worker starts':
        return stage.restartWorker(each.place, each.isAtOnce);
      case 'everything is processed':
        return untilQuiet(database, stage.clock.now);
      case 'pay':
      case 'replace':
      case 'pay elsewhere':
      case 'evict':
      case 'send again':
      case 'mine':
      case 'reorganise':
      case 'time passes':
        world.happen(each);
        stage.clock.advance(0);
    }
  }

  /** Nothing is lost any more; all that waits is mined, and time passes until every window and loss has ended. */
  async function settle(world: World): Promise<void> {
    stage.calm();
    world.bury(DEEP);
    for (let hour = 0; hour <= LAST_HOURS; hour += 1) {
      if (hour > 0) stage.clock.advance(HOUR_MS);
      await expect.poll(() => stage.look()).toBe(true);
      await untilQuiet(database, stage.clock.now);
    }
  }

  async function expectTruth(world: World, place: number, { transactionId }: StartedPayment): Promise<void> {
    const { db } = database;
    const row = await db
      .selectFrom('transaction')
      .select(['status', 'exception', 'paid_base_units', 'expires_at'])
      .where('id', '=', transactionId)
      .executeTakeFirstOrThrow();
    const outputs = await db
      .selectFrom('payment')
      .select(['txid', 'status'])
      .where('transaction_id', '=', transactionId)
      .execute();
    const expected = expectedOf(world, stage.sightings, place, new Date(row.expires_at).getTime());
    const states = (await readJournal(db, transactionId)).map(({ state }) => publicStateOf(state));
    const path = states.map(({ status, exception }) => `${status} ${exception ?? ''}`.trim());
    const story = `payment ${place}: ${path.join(' → ')}`;
    expect(endOf(row), story).toBe(expected.ends);
    expect(BigInt(row.paid_base_units), story).toBe(expected.paidBaseUnits);
    const shown = outputs.map(({ txid, status }) => [txid, status]);
    const counted = Object.entries(expected.counts).map(([txid, isThere]) => [
      txid,
      isThere ? 'confirmed' : 'replaced',
    ]);
    expect(Object.fromEntries(shown), story).toEqual(Object.fromEntries(counted));
    if (expected.isSteady) expect(path, story).not.toContainEqual(expect.stringMatching(/^(expired|failed)/));
  }
});

// Helpers

/** A payment with nothing left has failed or expired, depending on when its coins were found missing. */
function endOf({ status, exception }: { readonly status: string; readonly exception: string | null }): string {
  if (status === 'completed') return 'completed';
  if (exception === 'paid_late') return 'paid late';
  return ['expired', 'failed'].includes(status) ? 'unpaid' : status;
}
