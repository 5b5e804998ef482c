import { createNatsBus } from '../../../src/bus/index.ts';
import {
  createUtxoWatcher,
  type Observation,
  type ObservationSink,
  type UtxoChainParams,
  type Watcher,
} from '../../../src/chains/index.ts';
import { BITCOIN_FORMAT } from '../../../src/chains/utxo/raw-format.ts';
import type { Crash } from '../../../src/engine/index.ts';
import { RetryableError } from '../../../src/errors.ts';
import {
  createObservationSink,
  createVerifyHandler,
  createWatcherStore,
  createWatchSet,
  verifyQueue,
} from '../../../src/payments/index.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createDeadLetterPort, type Runtime, START_MS, silentLog, startRuntime } from '../../support/engine.ts';
import { createFakeUtxoNode } from '../../support/fake-utxo-node.ts';
import type { TestNats } from '../../support/nats.ts';
import { LITECOIN, newWallet, type StartedPayment, startPayment, transactionKind } from '../sink-support.ts';
import { createSightings } from './sightings.ts';

const WORKERS = 4;
/** A message whose worker died is handed out again this soon. */
const ACK_WAIT_MS = 1_000;
/** Of hundred messages so many are handed back before they are processed, and so many after their commit. */
const HELD_PERCENT = 25;
const REPEATED_PERCENT = 10;
const MAX_HOLD_MS = 60;
const HANDLERS_IN_FLIGHT = 16;

export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * A node in memory, its watcher, four workers with engines, timers and relays of their own, one database and one NATS stream.
 * Workers hand messages back at random, so messages of one payment overtake each other and are processed twice.
 */
export async function openStage(database: TestDatabase, nats: TestNats) {
  const { db } = database;
  const node = createFakeUtxoNode();
  node.timeSeconds = START_MS / 1_000;
  const clock = createChainClock(node);
  const sightings = createSightings();
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
    let patienceMs: number | undefined;
    const runtime: Runtime = await startRuntime({
      connection: database,
      clock,
      kinds: [transactionKind],
      crash: handBack,
      bus: { ...bus, close: () => bus.close(patienceMs) },
    });
    return {
      runtime,
      /** Ends it. At once, what it has in its hands goes to others and is processed here all the same. */
      stop: (isAtOnce: boolean) => {
        if (isAtOnce) patienceMs = 0;
        return runtime.stop();
      },
    };
  }

  const params: UtxoChainParams = {
    network: LITECOIN,
    asset: 'LTC',
    genesisHash: node.genesisHash,
    format: BITCOIN_FORMAT,
    staleAfterMs: null,
  };
  const watcherBus = openBus();
  const deliver = createObservationSink({ db, bus: watcherBus, log: silentLog });
  let failure: 'before' | 'after' | null = null;
  const sink: ObservationSink = async (observations: readonly Observation[], telling) => {
    failWhen('before');
    await deliver(observations, telling);
    sightings.record(observations);
    failWhen('after');
  };

  function failWhen(point: 'before' | 'after'): void {
    if (failure !== point) return;
    failure = null;
    throw new RetryableError('LOST', `the watcher was lost ${point} its observations were accepted`);
  }

  function startWatcher(): Watcher {
    const store = createWatcherStore({ db, network: LITECOIN, onProgress: () => clock.advance(0) });
    const watchSet = createWatchSet({ db, network: LITECOIN });
    return createUtxoWatcher({ params, rpc: node.rpc, store, watchSet, sink, clock, log: silentLog });
  }

  const workers = await Promise.all(Array.from({ length: WORKERS }, startWorker));
  let watcher = startWatcher();
  const wallet = { derivationKeyId: await newWallet(db, LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
  const verifying = { queue: verifyQueue(LITECOIN), maxInFlightPerPartition: HANDLERS_IN_FLIGHT };
  const subscription = await watcherBus.subscribe(verifying, (message) =>
    createVerifyHandler({ db, watcher })({ ...message }),
  );

  return {
    node,
    clock,
    sightings,
    /** Draws from here decide which messages are handed back; `calm` ends that. */
    stir: (seed: number) => {
      random = createRandom(seed);
      isCalm = false;
    },
    calm: () => {
      isCalm = true;
      failure = null;
    },
    openPayment: (): Promise<StartedPayment> =>
      startPayment(db, (workers[0] as (typeof workers)[number]).runtime.engine, wallet),
    /** One poll of the chain; a failure is retried by the next. */
    look: async (fails: 'before' | 'after' | null = null): Promise<boolean> => {
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
    },
    restartWatcher: () => {
      watcher = startWatcher();
    },
    restartWorker: async (place: number, isAtOnce: boolean): Promise<void> => {
      const at = place % WORKERS;
      await workers[at]?.stop(isAtOnce);
      workers[at] = await startWorker();
    },
    close: async (): Promise<void> => {
      await subscription.stop(0);
      await Promise.all(workers.map((worker) => worker.stop(true)));
      await watcherBus.close(0);
    },
  };
}

// Helpers

/** The clock of service and chain in one, which moves only when it is advanced or a block is mined. */
function createChainClock(node: { timeSeconds: number }) {
  const listeners = new Set<() => void>();
  return {
    now: () => node.timeSeconds * 1_000,
    advance(byMs: number) {
      node.timeSeconds += byMs / 1_000;
      for (const listener of listeners) listener();
    },
    onAdvance(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Whole numbers below a bound, from a linear congruential generator: the same seed draws the same. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
