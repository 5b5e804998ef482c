import { expect, vi } from 'vitest';
import type { Observation, ObservationSink, Watcher } from '../../../src/chains/index.ts';
import {
  createObservationSink,
  createVerifyHandler,
  createWatcherStore,
  createWatchSet,
  verifyQueue,
} from '../../../src/payments/index.ts';
import { createNatsBus } from '../../../src/platform/bus/index.ts';
import { type Crash, createObservationRedelivery } from '../../../src/platform/engine/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import type { PollLoop } from '../../../src/platform/poll-loop.ts';
import { START_MS } from '../../support/clock.ts';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { createDeadLetterPort, type Runtime, startRuntime } from '../../support/service/engine.ts';
import type { TestNats } from '../../support/service/nats.ts';
import { silentLog } from '../../support/silent-log.ts';
import { newWallet, type StartedPayment, startPayment, transactionKind } from '../watching/sink-support.ts';
import type { PlayedChain, PlayedTransaction } from './chain.ts';
import { createChainClock } from './chain-clock.ts';
import { createRandom } from './random.ts';
import { createSightings } from './sightings.ts';

const WORKERS = 4;
/** A message whose worker died is redelivered after this time. */
const ACK_WAIT_MS = 1_000;
/** Percentages of messages nacked before they are processed, and after their commit. */
const HELD_PERCENT = 25;
const REPEATED_PERCENT = 10;
const MAX_HOLD_MS = 60;
/** Long enough for every redelivery of the broker itself. */
const KEEPER_WAIT_MS = 5_000;
const HANDLERS_IN_FLIGHT = 16;

export type OrderHarness<T extends PlayedTransaction> = Awaited<ReturnType<typeof startOrderHarness<T>>>;

/**
 * The watcher of an in-memory node, four workers with separate engines, timers and relays, one
 * database and one NATS stream. Workers nack messages at random, so messages of one payment are
 * reordered and processed twice.
 */
export async function startOrderHarness<T extends PlayedTransaction>(
  database: TestDatabase,
  nats: Pick<TestNats, 'url' | 'prefix'>,
  chain: PlayedChain<T>,
) {
  const { db } = database;
  const { network, node } = chain;
  node.time.timeSeconds = START_MS / 1_000;
  const clock = createChainClock(node.time);
  const sightings = createSightings(chain);
  let random = createRandom(1);
  let isCalm = false;

  const openBus = () =>
    createNatsBus({ ...nats, deadLetter: createDeadLetterPort(database), log: silentLog, ackWaitMs: ACK_WAIT_MS });

  const handBack: Crash = (point) => {
    if (isCalm) return;
    const share =
      point === 'receive.before_deliver' ? HELD_PERCENT : point === 'receive.after_commit' ? REPEATED_PERCENT : 0;
    if (random(100) >= share) return;
    throw new RetryableError('HANDED_BACK', 'the worker was lost', { retryAfterMs: 1 + random(MAX_HOLD_MS) });
  };

  async function startWorker() {
    const bus = openBus();
    let timeoutMs: number | undefined;
    const runtime: Runtime = await startRuntime({
      connection: database,
      clock,
      kinds: [transactionKind],
      crash: handBack,
      bus: { ...bus, close: () => bus.close(timeoutMs) },
    });
    return {
      runtime,
      /**
       * Stops it. With `isAtOnce`, messages in progress are redelivered to other workers and still
       * processed here.
       */
      stop: (isAtOnce: boolean) => {
        if (isAtOnce) timeoutMs = 0;
        return runtime.stop();
      },
    };
  }

  const watcherBus = openBus();
  const deliver = createObservationSink({ db, bus: watcherBus, log: silentLog, publicUrl: 'https://pay.example' });
  let failure: 'before' | 'after' | null = null;
  const sink: ObservationSink = async (observations: readonly Observation[], options) => {
    failWhen('before');
    await deliver(observations, options);
    sightings.record(observations);
    failWhen('after');
  };

  function failWhen(point: 'before' | 'after'): void {
    if (failure !== point) return;
    failure = null;
    throw new RetryableError('LOST', `the watcher was lost ${point} its observations were accepted`);
  }

  let redelivery: PollLoop | undefined;
  let repeats = 0;

  /** Whether the broker holds messages that it has not delivered, or whose handlers still run. */
  async function holdsMessages(): Promise<boolean> {
    const waiting = await watcherBus.waiting();
    return waiting !== null && [...waiting.values()].some((count) => count > 0);
  }

  /**
   * As in the service, but only after NATS was restarted, and while it holds messages: nats-server
   * (2.9 for certain) may never deliver one. What our own code has lost stays lost. Ids are new, as
   * if its deduplication window were over.
   */
  function startRedelivery(): void {
    if (redelivery !== undefined) return;
    const publish: typeof watcherBus.publish = async (message) => {
      if (!(await holdsMessages())) throw new RetryableError('NOT_WITHHELD', 'the broker holds no message');
      repeats += 1;
      return watcherBus.publish({ ...message, id: `${message.id}:again-${repeats}` });
    };
    const bus = { ...watcherBus, publish };
    redelivery = createObservationRedelivery({
      db,
      bus,
      log: silentLog,
      redeliverAfterMs: KEEPER_WAIT_MS,
      pollEveryMs: 1_000,
    });
    redelivery.start();
  }

  async function stopRedelivery(): Promise<void> {
    await redelivery?.stop();
    redelivery = undefined;
  }

  function startWatcher(): Watcher {
    const store = createWatcherStore({ db, network, onProgress: () => clock.advance(0) });
    return chain.createWatcher({ db, store, watchSet: createWatchSet({ db, network }), sink, clock });
  }

  const workers = await Promise.all(Array.from({ length: WORKERS }, startWorker));
  let watcher = startWatcher();
  const wallet = { derivationKeyId: await newWallet(db, network), network };
  const verifying = { queue: verifyQueue(network), maxInFlightPerPartition: HANDLERS_IN_FLIGHT };
  const subscription = await watcherBus.subscribe(verifying, (message) =>
    createVerifyHandler({ db, watcher })({ ...message }),
  );

  /** One poll of the chain; a failed one is retried by the next. */
  async function poll(fails: 'before' | 'after' | null = null): Promise<boolean> {
    failure = fails;
    const isDone = await watcher.step().then(
      () => true,
      (error: unknown) => {
        if (error instanceof RetryableError) return false;
        throw error;
      },
    );
    failure = null;
    return isDone;
  }

  return {
    clock,
    sightings,
    /** Seeds the random choice of nacked messages; `calm` ends it. */
    stir: async (seed: number): Promise<void> => {
      await stopRedelivery();
      random = createRandom(seed);
      isCalm = false;
      chain.begin();
    },
    calm: () => {
      isCalm = true;
      failure = null;
      chain.calm();
    },
    openPayment: (index: number): Promise<StartedPayment> =>
      startPayment(db, (workers[0] as (typeof workers)[number]).runtime.engine, {
        ...wallet,
        crypto: chain.cryptoOf(index),
      }),
    poll,
    /** A poll in which something happens before one of the watcher's calls. */
    pollWhile: async (call: number, happen: () => void): Promise<void> => {
      let calls = 0;
      node.onCall(() => {
        calls += 1;
        if (calls === call + 1) happen();
      });
      await poll();
      node.onCall(null);
    },
    /**
     * Resolves when NATS can be used again. Until then every poll that finds something fails, and
     * only the next sends it again.
     */
    outlastRestart: async (): Promise<void> => {
      startRedelivery();
      await vi.waitFor(async () => expect(await watcherBus.isHealthy()).toBe(true), POLLING);
    },
    /** Whether NATS was restarted since `stir` and holds messages that it may never deliver. */
    mayWithhold: async () => redelivery !== undefined && (await holdsMessages()),
    restartWatcher: () => {
      watcher = startWatcher();
    },
    restartWorker: async (index: number, isAtOnce: boolean): Promise<void> => {
      const at = index % WORKERS;
      await workers[at]?.stop(isAtOnce);
      workers[at] = await startWorker();
    },
    close: async (): Promise<void> => {
      await stopRedelivery();
      await subscription.stop(0);
      await Promise.all(workers.map((worker) => worker.stop(true)));
      await watcherBus.close(0);
    },
  };
}
