import type { Kysely } from 'kysely';
import { createMailWorker, createNotifyActor, createSmtpTransport } from '../mail/index.ts';
import type { Observers } from '../monitoring/index.ts';
import { createDeadLetterWorker, createRunWorker, createStorageWorker } from '../operations/index.ts';
import {
  createOperatorAlertHandler,
  createSimulatedVerifyHandler,
  createSummaryWorker,
  OPERATOR_ALERT_QUEUE,
  SIMULATED_VERIFY_QUEUE,
} from '../payments/index.ts';
import type { Subscription } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import type { Database } from '../platform/db/index.ts';
import { actorQueue, createBusHandler } from '../platform/engine/index.ts';
import type { Log } from '../platform/log.ts';
import type { SecretBox } from '../platform/secrets/index.ts';
import type { Tracer } from '../platform/tracer.ts';
import {
  createHealthWorker,
  createReplayWorker,
  createSender,
  SEND_QUEUE,
  SENDER_LIMITS,
  type WebhookUrlPolicy,
} from '../webhooks/index.ts';
import { type Runtime, settling } from './runtime.ts';

export interface WorkerDeps {
  readonly runtime: Runtime;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  /** Base URL of links in emails, without a trailing slash. */
  readonly publicUrl: string;
  /** Records spans; omit it for none. */
  readonly tracer?: Tracer;
  readonly secretBox: SecretBox;
  readonly webhooks: WebhookUrlPolicy;
  readonly mail: Config['mail'];
  readonly observers?: Pick<Observers, 'sender' | 'mail'> | undefined;
  readonly retention: Config['retention'];
  readonly archiveAfterDays: Config['archiveAfterDays'];
  readonly isEmbedded: boolean;
}

/** Maximum concurrent events of one partition in the engine, enough to fill its batches. */
const EVENTS_IN_FLIGHT = 64;
const HANDLERS_IN_FLIGHT = 16;
/** An attempt may wait seconds for its endpoint, so many more are in flight concurrently. */
const SENDS_IN_FLIGHT = 64;

/**
 * Time limit of running handlers at a stop: webhook handlers wait for endpoints, all others for the
 * database.
 */
const HANDLERS_MS = SENDER_LIMITS.closeGraceMs + 3_000;

/** Processes the messages of every queue. Returns a function that stops it. */
export async function startWorkers(deps: WorkerDeps): Promise<{ stop(): Promise<void> }> {
  const { runtime, db, log } = deps;
  const { bus, engine, relay } = runtime;
  const sender = createSender({ ...deps, engine, observer: deps.observers?.sender });
  const receive = createBusHandler(engine);
  const handlers = [
    [actorQueue('transaction'), EVENTS_IN_FLIGHT, receive],
    [actorQueue('delivery'), EVENTS_IN_FLIGHT, receive],
    [actorQueue('schedule'), EVENTS_IN_FLIGHT, settling(relay, receive)],
    [SEND_QUEUE, SENDS_IN_FLIGHT, sender.handle],
    [SIMULATED_VERIFY_QUEUE, HANDLERS_IN_FLIGHT, createSimulatedVerifyHandler({ db, engine })],
    [OPERATOR_ALERT_QUEUE, HANDLERS_IN_FLIGHT, createOperatorAlertHandler({ log })],
  ] as const;
  const subscriptions: readonly Subscription[] = await Promise.all(
    handlers.map(([queue, maxInFlightPerPartition, handle]) =>
      bus.subscribe({ queue, maxInFlightPerPartition }, handle),
    ),
  );
  const workers = [
    runtime.timers,
    runtime.redelivery,
    createHealthWorker(deps),
    createSummaryWorker(deps),
    createStorageWorker({ ...deps, kinds: runtime.kinds }),
    createReplayWorker({ ...deps, engine }),
    createRunWorker({ ...deps, kinds: runtime.kinds, engine, bus }),
    createDeadLetterWorker({ ...deps, engine, bus }),
    createMailWorker({
      ...deps,
      transport: deps.mail === null ? null : createSmtpTransport(deps.mail),
      notifyActor: createNotifyActor({ engine }),
      observer: deps.observers?.mail,
    }),
  ];
  for (const worker of workers) worker.start();
  return {
    async stop() {
      // Stops in parallel, so that a handler blocked on the database does not keep the others from
      // returning their messages.
      await Promise.all([
        ...workers.map((worker) => worker.stop()),
        // Aborts the attempts that would keep its subscription waiting.
        sender.close(),
        ...subscriptions.map((subscription) => subscription.stop(HANDLERS_MS)),
      ]);
    },
  };
}
