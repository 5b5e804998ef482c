import { systemClock } from '../../src/clock.ts';
import { parallelBatchesOf } from '../../src/commands/serve/runtime.ts';
import {
  type ActorKind,
  createEngine,
  createKindRegistry,
  createRelay,
  type Engine,
  type KindRegistry,
  type OutgoingMessage,
} from '../../src/engine/index.ts';
import { createLogger } from '../../src/log.ts';
import { createTransactionKind } from '../../src/payments/index.ts';
import { createDeliveryKind } from '../../src/webhooks/index.ts';
import { type BenchDatabase, createBenchDatabase } from '../support/database.ts';
import { createWorkload, type PaymentCommands, type Workload } from '../support/workload.ts';

/** An engine with the charts of a service, on a database of its own. */
export interface EngineBench extends Workload {
  readonly engine: Engine;
  readonly database: BenchDatabase;
  readonly kind: ActorKind;
  readonly kinds: KindRegistry;
  publish(messages: readonly OutgoingMessage[]): void;
  /** Creates one payment and delivers its events, each after the commit of the one before. */
  pay(payment: PaymentCommands): Promise<void>;
  stop(): Promise<void>;
}

export async function openEngineBench(connections: number): Promise<EngineBench> {
  const database = await createBenchDatabase(connections);
  const { db } = database;
  const log = createLogger({ level: 'error' });
  const kind = createTransactionKind({ publicUrl: 'http://127.0.0.1' });
  const kinds = createKindRegistry([kind, createDeliveryKind()]);
  // The bus is not measured: it accepts every message at once. Rows still pass through the outbox.
  const bus = { publish: async () => {}, subscribe: neverUsed, isHealthy: async () => true, close: async () => {} };
  const relay = createRelay({ db, bus, log });
  const publish = (messages: readonly OutgoingMessage[]) => relay.publish(messages);
  const parallelBatches = parallelBatchesOf(database, connections);
  const engine = createEngine({ db, kinds, clock: systemClock, log, parallelBatches, onCommitted: publish });
  return {
    ...(await createWorkload(db)),
    engine,
    database,
    kind,
    kinds,
    publish,
    async pay({ start, events }) {
      await engine.start(start);
      for (const event of events) await engine.deliver(event);
    },
    async stop() {
      await engine.drain();
      await relay.stop();
      await database.drop();
    },
  };
}

// Helpers

async function neverUsed(): Promise<never> {
  throw new Error('the bench subscribes to nothing');
}
