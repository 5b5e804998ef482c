import { randomBytes } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { type Bus, type BusMessage, createNatsBus, partitionOf } from '../../src/platform/bus/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { parseCidr } from '../../src/platform/config/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createRuntime, type Runtime } from '../../src/service/runtime.ts';
import { createEndpoint } from '../../src/webhooks/index.ts';
import { deleteStream, uniquePrefix } from '../../test/support/service/nats.ts';
import { type Child, startChild } from '../support/child.ts';
import { type BenchDatabase, createBenchDatabase } from '../support/database.ts';
import type { ReceiverReport } from '../support/webhook-receiver.ts';
import { createWorkload, type PaymentCommands } from '../support/workload.ts';
import type { WorkerReport, WorkerSettings } from './worker.ts';

/** One database, one stream and the merchants' servers, for any number of worker processes. */
export interface WorkersHarness {
  readonly database: BenchDatabase;
  readonly bus: Bus;
  /** Opens payments that await their coins, spread over the merchants. */
  openPayments(count: number): Promise<PaymentCommands[]>;
  startWorkers(script: WorkerScript, count: number, options?: { readonly apart: boolean }): Promise<Workers>;
  receiverReport(): Promise<ReceiverReport>;
  /** Messages in the broker that are not settled yet. */
  pending(): Promise<number>;
  remove(): Promise<void>;
}

export interface Workers {
  reports(): Promise<WorkerReport[]>;
  stop(): Promise<void>;
}

export type WorkerScript = keyof typeof SCRIPTS;

const SCRIPTS = {
  worker: new URL('./worker.js', import.meta.url),
  bare: new URL('./bare-worker.js', import.meta.url),
} as const;

const MERCHANTS = 50;
/** Per process, so that four and this one stay well below the usual `max_connections` of 100. */
const POOL_SIZE = 10;
const PUBLIC_URL = 'https://pay.example';

export async function createWorkersHarness(natsUrl: string): Promise<WorkersHarness> {
  const prefix = uniquePrefix();
  const key = randomBytes(32);
  const log = createLogger({ level: 'error' });
  const database = await createBenchDatabase(4);
  const { db } = database;
  await sql`create table bench_bare (id text primary key, data jsonb not null)`.execute(db);
  const receiver = await startChild(new URL('../support/webhook-receiver.js', import.meta.url), {});
  const merchantIds = await addMerchants(database, key, `${receiver.url}/taking/timed/`);
  const config = { nats: { url: natsUrl, prefix }, plansEnabled: false, recurringMaxUnconfirmed: 1 };
  const runtime: Runtime = createRuntime({
    config,
    db,
    clock: systemClock,
    log,
    publicUrl: PUBLIC_URL,
    tokens: () => '',
  });
  runtime.relay.start();
  const bus = createNatsBus({ url: natsUrl, prefix, deadLetter: async () => {}, log });
  const connection = await connectNats({ servers: natsUrl.replace('nats://', '') });
  const manager = await jetstreamManager(connection);
  const { next } = await createWorkload(db);
  const children = new Set<Child>();

  return {
    database,
    bus,

    async openPayments(count) {
      const payments = Array.from({ length: count }, (_, index): PaymentCommands => {
        const { start, events } = next();
        const merchantId = merchantIds[index % merchantIds.length];
        return { events, start: { ...start, input: { ...(start.input as object), merchantId } } };
      });
      await Promise.all(payments.map(({ start }) => runtime.engine.start(start)));
      return payments;
    },

    async startWorkers(script, count, { apart } = { apart: false }) {
      const started = await Promise.all(
        Array.from({ length: count }, (_, index) => {
          const settings: WorkerSettings = {
            DATABASE_URL: database.url,
            POOL_SIZE: String(POOL_SIZE),
            SECRETS_KEY: key.toString('hex'),
            NATS_URL: natsUrl,
            NATS_PREFIX: prefix,
            SHARE_OF: String(apart ? count : 1),
            SHARE: String(apart ? index : 0),
          };
          return startChild(SCRIPTS[script], settings);
        }),
      );
      for (const child of started) children.add(child);
      return {
        reports: () => Promise.all(started.map((child) => ask<WorkerReport>(child))),
        async stop() {
          await Promise.all(started.map((child) => child.stop()));
          for (const child of started) children.delete(child);
        },
      };
    },

    receiverReport: () => ask<ReceiverReport>(receiver),

    async pending() {
      const { state } = await manager.streams.info(prefix);
      return state.messages;
    },

    async remove() {
      await Promise.all([...children].map((child) => child.stop()));
      await runtime.relay.stop();
      await Promise.all([runtime.bus.close(), bus.close(), connection.close()]);
      await receiver.stop();
      await database.drop();
      await deleteStream(natsUrl, prefix);
    },
  };
}

/** A message with this key, addressed as the engine addresses it. */
export function messageOf(queue: string, key: string, id: string, data: unknown): BusMessage {
  return { queue, partition: partitionOf(key), id, data };
}

// Helpers

async function ask<T>({ url }: Child): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return (await response.json()) as T;
}

async function addMerchants({ db }: BenchDatabase, key: Uint8Array, url: string): Promise<string[]> {
  const secretBox = createSecretBox(key);
  const loopback = [parseCidr('127.0.0.0/8')].filter((cidr) => cidr !== null);
  const terms = { secretBox, urls: { allowCidrs: loopback, allowHttp: true, allowPorts: [] }, plansEnabled: false };
  return db.transaction().execute(async (trx) => {
    const ids: string[] = [];
    for (let count = 0; count < MERCHANTS; count += 1) {
      const merchantId = newId('mer');
      const merchant = { id: merchantId, name: merchantId, email: `${merchantId}@shop.example`, plan: 'unlimited' };
      await trx
        .insertInto('merchant')
        .values({ ...merchant, settings: '{}' })
        .execute();
      const change = { trx, who: 'bench', now: Date.now() };
      await createEndpoint(change, terms, { merchantId, url, events: ['payment.pending'] });
      ids.push(merchantId);
    }
    return ids;
  });
}
