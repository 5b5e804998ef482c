import { createTransactionKind } from '../../src/payments/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import {
  type ActorKind,
  createEngine,
  createKindRegistry,
  createRelay,
  type Engine,
  type KindRegistry,
  type OutgoingMessage,
} from '../../src/platform/engine/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { parallelBatchesOf } from '../../src/service/runtime.ts';
import { createDeliveryKind } from '../../src/webhooks/index.ts';
import type { Meter, RoundFigures } from '../support/costs.ts';
import { type BenchDatabase, createBenchDatabase } from '../support/database.ts';
import { IDLE_BUS } from '../support/idle-bus.ts';
import { runCallers } from '../support/measure.ts';
import type { RoundRequest } from '../support/rounds.ts';
import { createWorkload, EVENTS_PER_PAYMENT, type PaymentCommands, type Workload } from '../support/workload.ts';

/** Carries out all commands of a payment, each after the commit of the one before. */
export type Pay = (payment: PaymentCommands) => Promise<void>;

/** An engine with the charts of a service, on a separate database. */
export interface EngineBench extends Workload {
  readonly engine: Engine;
  readonly database: BenchDatabase;
  readonly kind: ActorKind;
  readonly kinds: KindRegistry;
  publish(messages: readonly OutgoingMessage[]): void;
  readonly pay: Pay;
  /** Whole payments for so long, with enough free addresses. */
  round(meter: Meter, pay: Pay, request: RoundRequest): Promise<RoundFigures>;
  stop(): Promise<void>;
}

export const CONNECTIONS = 20;
/** More than any engine measured so far starts in a second. */
const PAYMENTS_PER_SECOND = 4_000;

export async function openEngineBench(): Promise<EngineBench> {
  const database = await createBenchDatabase(CONNECTIONS);
  const { db } = database;
  const log = createLogger({ level: 'error' });
  const kind = createTransactionKind({ publicUrl: 'http://127.0.0.1' });
  const kinds = createKindRegistry([kind, createDeliveryKind()]);
  const relay = createRelay({ db, bus: IDLE_BUS, log });
  const publish = (messages: readonly OutgoingMessage[]) => relay.publish(messages);
  const parallelBatches = parallelBatchesOf(database, CONNECTIONS);
  const engine = createEngine({ db, kinds, clock: systemClock, log, parallelBatches, onCommitted: publish });
  const workload = await createWorkload(db);
  return {
    ...workload,
    engine,
    database,
    kind,
    kinds,
    publish,
    async pay({ start, events }) {
      await engine.start(start);
      for (const event of events) await engine.deliver(event);
    },
    async round(meter, pay, { callers, durationMs, countRows }) {
      await workload.stock((PAYMENTS_PER_SECOND * durationMs) / 1_000);
      const payAll = async () => {
        await pay(workload.next());
        return EVENTS_PER_PAYMENT;
      };
      return meter(() => runCallers({ callers, durationMs }, payAll), { countRows });
    },
    async stop() {
      await engine.drain();
      await relay.stop();
      await database.drop();
    },
  };
}
