import type { Kysely } from 'kysely';
import type { Observers } from '../monitoring/index.ts';
import { type Bus, type BusHandler, createLocalBus, createNatsBus, createTracedBus } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import type { Connection, Database } from '../platform/db/index.ts';
import {
  actorQueue,
  createEngine,
  createObservationRedelivery,
  createRelay,
  createTimerService,
  type Engine,
  insertDeadLetters,
  type KindRegistry,
  type Relay,
  type TimerService,
} from '../platform/engine/index.ts';
import type { Log } from '../platform/log.ts';
import type { PollLoop } from '../platform/poll-loop.ts';
import { noTracer, type Tracer } from '../platform/tracer.ts';
import type { Tokens } from '../recurring/index.ts';
import { createKinds } from './kinds.ts';

/** The engine with its bus, outbox relay and timers: wired but not running. */
export interface Runtime {
  readonly bus: Bus;
  readonly engine: Engine;
  /** The charts it runs. */
  readonly kinds: KindRegistry;
  readonly relay: Relay;
  readonly timers: TimerService;
  readonly redelivery: PollLoop;
}

export interface RuntimeDeps {
  readonly config: Pick<Config, 'nats' | 'plansEnabled' | 'recurringMaxUnconfirmed'>;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  /** Records spans; omit it for none. */
  readonly tracer?: Tracer;
  readonly publicUrl: string;
  /** Signs the links in emails to customers. */
  readonly tokens: Tokens;
  /** See `EngineDeps`; 1 if omitted. */
  readonly parallelBatches?: number;
  /** Receive measurements; may be omitted. */
  readonly observers?: Pick<Observers, 'engine' | 'relay' | 'timers' | 'bus'> | undefined;
}

/**
 * Queues whose messages stay in the outbox until a handler has settled them. Messages of other
 * queues that NATS loses are recreated: timers from their leases, attempts from their deliveries,
 * observations from the pending ones in the database, depth checks from the payments.
 */
const RETAINED_QUEUES: ReadonlySet<string> = new Set([actorQueue('schedule')]);

/** Wires bus, engine, outbox relay and timers. */
export function createRuntime(deps: RuntimeDeps): Runtime {
  const { config, db, clock, log, tracer = noTracer, publicUrl, tokens, observers, parallelBatches = 1 } = deps;
  const onDeadLetter = (messageId: string) => relay.settled(messageId);
  const bus = traceIfEnabled(createBus(config, db, log, onDeadLetter, observers?.bus), config, tracer);
  const kinds = createKinds({ config, clock, publicUrl, tokens });
  const relay = createRelay({ db, bus, log, retainedQueues: RETAINED_QUEUES, observer: observers?.relay });
  const timers = createTimerService({ db, bus, clock, log, observer: observers?.timers });
  const redelivery = createObservationRedelivery({ db, bus, log });
  const engine = createEngine({
    db,
    kinds,
    clock,
    log,
    tracer,
    observer: observers?.engine,
    parallelBatches,
    onCommitted(messages, setTimers) {
      relay.publish(messages);
      if (setTimers) timers.wake();
    },
  });
  return { bus, engine, kinds, relay, timers, redelivery };
}

/** With three, `bench:engine` reached most; the rest of the pool is for everything else. */
const MAX_PARALLEL_BATCHES = 3;

/** The embedded database has one connection. */
export function parallelBatchesOf({ kind }: Pick<Connection, 'kind'>, poolSize: number): number {
  return kind === 'embedded' ? 1 : Math.max(1, Math.min(MAX_PARALLEL_BATCHES, Math.floor(poolSize / 2)));
}

/** Removes a message from the outbox once `handle` has settled it. */
export function settling(relay: Pick<Relay, 'settled'>, handle: BusHandler): BusHandler {
  return async (message) => {
    await handle(message);
    relay.settled(message.id);
  };
}

// Helpers

function traceIfEnabled(bus: Bus, { nats }: Pick<Config, 'nats'>, tracer: Tracer): Bus {
  return tracer.isOn ? createTracedBus(bus, { tracer, system: nats.url === null ? 'quittance' : 'nats' }) : bus;
}

function createBus(
  { nats }: Pick<Config, 'nats'>,
  db: Kysely<Database>,
  log: Log,
  onDeadLetter: (messageId: string) => void,
  observer: Observers['bus'] | undefined,
): Bus {
  const deadLetter: Parameters<typeof createLocalBus>[0]['deadLetter'] = async (message, reason) => {
    const { queue, id: messageId, data } = message;
    await insertDeadLetters(db, [{ queue, messageId, actorId: null, data, reason }]);
    onDeadLetter(messageId);
    log.error({ queue, messageId, reason }, 'a message became a dead letter');
  };
  if (nats.url === null) return createLocalBus({ deadLetter, log, observer });
  return createNatsBus({ url: nats.url, prefix: nats.prefix, deadLetter, log, observer });
}
