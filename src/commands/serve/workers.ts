import type { Kysely } from 'kysely';
import type { Subscription } from '../../bus/index.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import { actorQueue, createReceiver } from '../../engine/index.ts';
import type { Log } from '../../log.ts';
import { createMailWorker, createSmtpTransport, createTellActor } from '../../mail/index.ts';
import { createRunWorker } from '../../operations/index.ts';
import {
  createOperatorAlertHandler,
  createSimulatedVerifyHandler,
  OPERATOR_ALERT_QUEUE,
  SIMULATED_VERIFY_QUEUE,
} from '../../payments/index.ts';
import type { SecretBox } from '../../secrets/index.ts';
import {
  createAttemptRetention,
  createFanOut,
  createHealthWorker,
  createReplayWorker,
  createSender,
  FAN_OUT_QUEUE,
  SEND_QUEUE,
} from '../../webhooks/index.ts';
import type { Runtime } from './runtime.ts';

export interface WorkerDeps {
  readonly runtime: Runtime;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  readonly secretBox: SecretBox;
  readonly webhooks: Config['webhooks'];
  readonly mail: Config['mail'];
}

/** Events of one partition that may be in the engine at once; together they fill its batches. */
const EVENTS_IN_FLIGHT = 64;
const HANDLERS_IN_FLIGHT = 16;
/** An attempt may wait seconds for its endpoint, so many more are out at once. */
const SENDS_IN_FLIGHT = 64;

/** Takes the work of every queue. Returns what ends it. */
export async function startWorkers(deps: WorkerDeps): Promise<{ stop(): Promise<void> }> {
  const { runtime, db, log } = deps;
  const { bus, engine } = runtime;
  const sender = createSender({ ...deps, engine });
  const receive = createReceiver(engine);
  const handlers = [
    [actorQueue('transaction'), EVENTS_IN_FLIGHT, receive],
    [actorQueue('delivery'), EVENTS_IN_FLIGHT, receive],
    [actorQueue('schedule'), EVENTS_IN_FLIGHT, receive],
    [FAN_OUT_QUEUE, HANDLERS_IN_FLIGHT, createFanOut({ db, engine })],
    [SEND_QUEUE, SENDS_IN_FLIGHT, sender.handle],
    [SIMULATED_VERIFY_QUEUE, HANDLERS_IN_FLIGHT, createSimulatedVerifyHandler({ db, engine })],
    [OPERATOR_ALERT_QUEUE, HANDLERS_IN_FLIGHT, createOperatorAlertHandler({ log })],
  ] as const;
  const subscriptions: Subscription[] = [];
  for (const [queue, maxInFlightPerPartition, handle] of handlers) {
    subscriptions.push(await bus.subscribe({ queue, maxInFlightPerPartition }, handle));
  }
  const mails = createMailWorker({
    ...deps,
    transport: deps.mail === null ? null : createSmtpTransport(deps.mail),
    tellActor: createTellActor({ engine }),
  });
  const health = createHealthWorker(deps);
  const retention = createAttemptRetention(deps);
  const replays = createReplayWorker({ ...deps, engine });
  const runs = createRunWorker({ ...deps, kinds: runtime.kinds, engine, bus });
  runtime.timers.start();
  health.start();
  mails.start();
  retention.start();
  replays.start();
  runs.start();
  return {
    async stop() {
      await runtime.timers.stop();
      await Promise.all([health.stop(), retention.stop(), replays.stop(), runs.stop()]);
      // The sender first: it cuts short the pauses that subscriptions would wait for.
      await Promise.all([sender.close(), mails.stop()]);
      await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    },
  };
}
