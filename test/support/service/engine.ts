import { randomBytes } from 'node:crypto';
import type { Bus, Subscription } from '../../../src/platform/bus/index.ts';
import { createLocalBus } from '../../../src/platform/bus/index.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { Connection } from '../../../src/platform/db/index.ts';
import type { ActorKind, Crash, Engine, Relay, TimerService } from '../../../src/platform/engine/index.ts';
import {
  actorQueue,
  createBusHandler,
  createEngine,
  createKindRegistry,
  createRelay,
  createTimerService,
  insertDeadLetters,
} from '../../../src/platform/engine/index.ts';
import type { Log } from '../../../src/platform/log.ts';
import type { Tracer } from '../../../src/platform/tracer.ts';
import { isTestClock } from '../clock.ts';
import { silentLog } from '../silent-log.ts';
import { ANNOUNCEMENTS, type Announcement, createLedgerKind } from './engine-charts.ts';

/** A whole running engine: relay, timers, receivers and a consumer of announcements. */
export interface Runtime {
  readonly engine: Engine;
  readonly relay: Relay;
  readonly timers: TimerService;
  readonly bus: Bus;
  /** Announcements that an idempotent receiver got, by id; and how often each was delivered. */
  readonly announced: ReadonlyMap<string, Announcement>;
  readonly received: ReadonlyMap<string, number>;
  /** Stops everything in the order in which the service does. */
  stop(): Promise<void>;
}

export interface RuntimeOptions {
  readonly connection: Pick<Connection, 'db'>;
  readonly clock: Clock;
  /** An in-process bus by default. `stop` closes it in either case. */
  readonly bus?: Bus;
  readonly kinds?: readonly ActorKind[];
  readonly crash?: Crash;
  readonly log?: Log;
  readonly tracer?: Tracer;
  readonly unpublishedAfterMs?: number;
  /** Timers of one lane that may be leased but not yet processed. */
  readonly capacityPerLane?: number;
  /** Called for every announcement, after it was recorded by message id. */
  readonly onAnnouncement?: (id: string, announcement: Announcement) => Promise<void>;
}

const QUICK_POLL_MS = 10;
/** A `TestClock` wakes the timer service itself when it advances. */
const RARE_POLL_MS = 50;
const QUICK_SWEEP_MS = 100;
/** A younger message may still be about to be published by the process that wrote it. */
const STRANDED_AFTER_MS = 200;
const MAX_IN_FLIGHT = 64;

/** Starts an engine with all its services, as `main` does. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { clock, log = silentLog, crash } = options;
  const { db } = options.connection;
  const kinds = createKindRegistry(options.kinds ?? [createLedgerKind()]);
  const announced = new Map<string, Announcement>();
  const received = new Map<string, number>();
  const bus = options.bus ?? createTestBus(options.connection);
  const crashing = crash === undefined ? {} : { crash };
  const unpublishedAfterMs = options.unpublishedAfterMs ?? STRANDED_AFTER_MS;
  const relay = createRelay({ db, bus, log, unpublishedAfterMs, sweepEveryMs: QUICK_SWEEP_MS, ...crashing });
  const capacity = options.capacityPerLane === undefined ? {} : { capacityPerLane: options.capacityPerLane };
  // Timers of a full lane wait for the next poll, even when the clock advances.
  const isWoken = isTestClock(clock) && options.capacityPerLane === undefined;
  const pollEveryMs = isWoken ? RARE_POLL_MS : QUICK_POLL_MS;
  const timers = createTimerService({ db, bus, clock, log, pollEveryMs, ...capacity, ...crashing });
  const stopWaking = isTestClock(clock) ? clock.onAdvance(() => timers.wake()) : () => {};
  const engine = createEngine({
    db,
    kinds,
    clock,
    log,
    parallelBatches: 3,
    ...(options.tracer === undefined ? {} : { tracer: options.tracer }),
    onCommitted(messages, setsDueTimers) {
      relay.publish(messages);
      if (setsDueTimers) timers.wake();
    },
    ...crashing,
  });
  const subscriptions: Subscription[] = [];
  for (const kind of options.kinds ?? [createLedgerKind()]) {
    const queue = actorQueue(kind.name);
    const receive = createBusHandler(engine, crash);
    subscriptions.push(await bus.subscribe({ queue, maxInFlightPerPartition: MAX_IN_FLIGHT }, receive));
  }
  const announcements = { queue: ANNOUNCEMENTS, maxInFlightPerPartition: MAX_IN_FLIGHT };
  subscriptions.push(
    await bus.subscribe(announcements, async ({ id, data }) => {
      received.set(id, (received.get(id) ?? 0) + 1);
      announced.set(id, data as Announcement);
      await options.onAnnouncement?.(id, data as Announcement);
    }),
  );
  relay.start();
  timers.start();
  return {
    engine,
    relay,
    timers,
    bus,
    announced,
    received,
    async stop() {
      stopWaking();
      await timers.stop();
      const relayed = relay.stop();
      await bus.close();
      await relayed;
      await engine.drain();
    },
  };
}

/** The in-process bus with dead letters in the database and almost no delay between retries. */
export function createTestBus({ db }: Pick<Connection, 'db'>): Bus {
  return createLocalBus({ deadLetter: createDeadLetterPort({ db }), log: silentLog, failureDelaysMs: [1] });
}

/** Stores dead letters of a bus in the engine's table. */
export function createDeadLetterPort({ db }: Pick<Connection, 'db'>) {
  return (message: { queue: string; id: string; data: unknown }, reason: string) => {
    const { queue, id: messageId, data } = message;
    return insertDeadLetters(db, [{ queue, messageId, actorId: null, data, reason }]);
  };
}

/** An actor id that no other test uses. */
export function newActorId(): string {
  return `actor-${randomBytes(8).toString('hex')}`;
}
