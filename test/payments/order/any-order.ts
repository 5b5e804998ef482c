import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { publicStateOf } from '../../../machines/index.ts';
import { readJournal } from '../../../src/platform/engine/index.ts';
import { createPostgresDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { describeWith } from '../../support/run/components.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { createNatsServer, type OwnNatsServer, uniquePrefix } from '../../support/service/nats.ts';
import type { StartedPayment } from '../watching/sink-support.ts';
import type { PlayedChain, PlayedTransaction } from './chain.ts';
import { type ChainSimulation, createChainSimulation } from './chain-simulation.ts';
import { expectEnd } from './expect-end.ts';
import { expectedOf } from './expected.ts';
import { type OrderHarness, startOrderHarness } from './harness.ts';
import { PAYMENTS } from './history.ts';
import type { HistoryEvent } from './history-event.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

/**
 * Each run is a history of `PAYMENTS` concurrent payments: 18 at the quick level, 180 at the full.
 */
const RUNS = level.pick({ quick: 3, full: 30 });
const TIME_LIMIT_MS = 15 * 60_000;
const DEEP = 6;
const HOUR_MS = 3_600_000;
/** The window closes, then losses settle, then the resulting messages are processed. */
const LAST_HOURS = 3;

/** Any history, interleaving and restart must end where reading the final chain in order ends. */
export function describeAnyOrder<T extends PlayedTransaction>(title: string, createChain: () => PlayedChain<T>): void {
  describeWith('postgres', 'natsServer')(`watcher, bus, workers and timers together on ${title}`, () => {
    let database: TestDatabase;
    let nats: OwnNatsServer;
    let harness: OrderHarness<T>;
    const chain = createChain();

    beforeAll(async () => {
      database = await createPostgresDatabase();
      nats = await createNatsServer();
      await nats.start();
      harness = await startOrderHarness(database, { url: nats.url, prefix: uniquePrefix() }, chain);
    });

    afterAll(async () => {
      await harness?.close();
      await nats?.remove();
      await database?.drop();
    });

    it(
      'end as the final chain says, whatever is lost, repeated, overtaken or restarted on the way',
      async () => {
        await assertAsyncProperty(
          fc.asyncProperty(fc.noBias(chain.histories), fc.nat(), (events, seed) => play(events, seed)),
          { numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS, endOnFailure: true },
        );
      },
      TIME_LIMIT_MS,
    );

    // Helpers

    async function play(events: readonly HistoryEvent[], seed: number): Promise<void> {
      await harness.stir(seed);
      // Every later block is then above what the watcher has scanned.
      chain.node.mine([]);
      await harness.poll();
      const payments = await Promise.all(Array.from({ length: PAYMENTS }, (_, index) => harness.openPayment(index)));
      const simulation = createChainSimulation(chain, payments);
      for (const each of events) await act(simulation, each);
      await settle(simulation);
      for (const [index, payment] of payments.entries()) await expectTruth(simulation, index, payment);
    }

    async function act(simulation: ChainSimulation, each: HistoryEvent): Promise<void> {
      switch (each.kind) {
        case 'poll':
          await harness.poll(each.fails);
          return;
        case 'poll while the chain moves':
          await harness.pollWhile(each.call, () => simulation.apply(each.moves));
          return;
        case 'the watcher starts':
          return harness.restartWatcher();
        case 'a worker starts':
          return harness.restartWorker(each.worker, each.isAtOnce);
        case 'the database ends its connections':
          return endConnections();
        case 'NATS restarts':
          await (each.isKilled ? nats.kill() : nats.stop());
          await nats.start();
          return harness.outlastRestart();
        case 'every account is due':
          return makeAccountsDue();
        case 'everything is processed':
          if (chain.canVerify()) await waitUntilIdle(database, harness);
          return;
        case 'pay':
        case 'replace':
        case 'pay elsewhere':
        case 'evict':
        case 'send again':
        case 'mine':
        case 'reorganise':
        case 'time passes':
        case 'tracing changes':
        case 'logs lag':
        case 'the mempool loads':
          simulation.apply(each);
          harness.clock.advance(0);
      }
    }

    /** All of them, idle or in a transaction, as an administrator or a failover does. */
    async function endConnections(): Promise<void> {
      const end = sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      await vi.waitFor(() => end.execute(database.db), POLLING);
    }

    /** The balance check goes by the clock of the database, not by that of the chain. */
    async function makeAccountsDue(): Promise<void> {
      const due = sql`update account_balance set due_at = now() where network = ${chain.network}`;
      // Connections may just have been ended.
      await vi.waitFor(() => due.execute(database.db), POLLING);
    }

    /** Ends all failures, mines everything, and advances until every window and loss has ended. */
    async function settle(simulation: ChainSimulation): Promise<void> {
      harness.calm();
      simulation.mineToDepth(DEEP);
      for (let hour = 0; hour <= LAST_HOURS; hour += 1) {
        if (hour > 0) harness.clock.advance(HOUR_MS);
        // Where a network counts as synced up to its newest block, time passes only with blocks.
        chain.node.mine([]);
        await makeAccountsDue();
        await expect.poll(() => harness.poll()).toBe(true);
        await waitUntilIdle(database, harness);
      }
    }

    async function expectTruth(
      simulation: ChainSimulation,
      index: number,
      { transactionId }: StartedPayment,
    ): Promise<void> {
      const { db } = database;
      const row = await db
        .selectFrom('transaction')
        .select(['status', 'exception', 'paid_base_units', 'expires_at'])
        .where('id', '=', transactionId)
        .executeTakeFirstOrThrow();
      const outputs = await db
        .selectFrom('payment')
        .select(['output_id', 'txid', 'status', 'amount_base_units'])
        .where('transaction_id', '=', transactionId)
        .execute();
      const expected = expectedOf(simulation, harness.sightings, index, {
        expiresAt: new Date(row.expires_at).getTime(),
        isSeenInBlocksOnly: chain.isSeenInBlocksOnly,
      });
      const path = (await readJournal(db, transactionId)).map(({ state }) => publicStateOf(state));
      expectEnd(`payment ${index}`, expected, { ...row, outputs, path });
      if (!chain.isSeenInBlocksOnly) return;
      for (const { txid, own } of expected.found)
        expect([...simulation.timeline.blockTimes(txid)], txid).toContain(own.at);
    }
  });
}
