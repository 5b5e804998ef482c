import { randomBytes } from 'node:crypto';
import { parseCidr } from '../../src/platform/config/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createEndpoint } from '../../src/webhooks/index.ts';
import { type Child, startChild } from '../support/child.ts';
import { createMeter, type Meter } from '../support/costs.ts';
import { type BenchDatabase, createBenchDatabase } from '../support/database.ts';
import type { WorkerEnvironment } from '../support/start-worker.ts';
import type { ReceiverReport } from '../support/webhook-receiver.ts';
import type { Raised, WorkerMemory } from './worker.ts';

/** Database connections of the worker. */
const POOL_SIZE = 20;

/** A new database, a worker of the service on it, and the merchants' servers. */
export interface WebhookInstallation {
  readonly database: BenchDatabase;
  readonly receiver: Receiver;
  readonly worker: WebhookWorker;
  /** CPU time and memory of the worker and the database server. */
  readonly meter: Meter;
  /** Adds merchants with one endpoint each, at this path of the receiver. */
  addShops(count: number, path: string): Promise<Shop[]>;
  remove(): Promise<void>;
}

export interface Receiver {
  readonly url: string;
  /** What has arrived since the last report. */
  report(): Promise<ReceiverReport>;
}

export interface WebhookWorker {
  readonly pid: number;
  /** Commits one event for each of these merchants, in one commit. */
  raise(shops: readonly Shop[]): Promise<Raised>;
  memory(): Promise<WorkerMemory>;
}

/** A merchant and its endpoint. */
export interface Shop {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly secret: string;
}

/** The worker's bus: the in-process one, or NATS with streams of this prefix. */
export type BusChoice =
  | { readonly natsUrl: ''; readonly prefix: '' }
  | { readonly natsUrl: string; readonly prefix: string };

export const LOCAL_BUS: BusChoice = { natsUrl: '', prefix: '' };

export async function createWebhookInstallation(bus: BusChoice): Promise<WebhookInstallation> {
  const removals: (() => Promise<unknown>)[] = [];
  let removing: Promise<void> | null = null;
  const removeAll = async () => {
    for (const each of removals.toReversed()) await each();
  };
  const remove = () => {
    removing ??= removeAll();
    return removing;
  };
  try {
    const database = await createBenchDatabase(2);
    removals.push(() => database.drop());
    const key = randomBytes(32);
    const receiver = await startChild(new URL('../support/webhook-receiver.js', import.meta.url), {});
    removals.push(() => receiver.stop());
    const environment: WorkerEnvironment = {
      DATABASE_URL: database.url,
      POOL_SIZE: String(POOL_SIZE),
      SECRETS_KEY: key.toString('hex'),
      NATS_URL: bus.natsUrl,
      NATS_PREFIX: bus.prefix,
    };
    const worker = await startChild(new URL('./worker.js', import.meta.url), environment);
    removals.push(() => worker.stop());
    return {
      database,
      meter: await createMeter(database.db, [worker.pid]),
      receiver: { url: receiver.url, report: () => ask<ReceiverReport>(receiver) },
      worker: {
        pid: worker.pid,
        raise: (shops) => ask<Raised>(worker, '/raise', { merchantIds: shops.map(({ merchantId }) => merchantId) }),
        memory: () => ask<WorkerMemory>(worker, '/memory'),
      },
      addShops: (count, path) => addShops(database, key, count, receiver.url + path),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

// Helpers

async function ask<T>({ url }: Child, path = '/', body?: object): Promise<T> {
  const response = await fetch(url + path, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function addShops({ db }: BenchDatabase, key: Uint8Array, count: number, url: string): Promise<Shop[]> {
  const secretBox = createSecretBox(key);
  const loopback = [parseCidr('127.0.0.0/8')].filter((cidr) => cidr !== null);
  const terms = { secretBox, urls: { allowCidrs: loopback, allowHttp: true, allowPorts: [] }, plansEnabled: false };
  return db.transaction().execute(async (trx) => {
    const change = { trx, who: 'bench', now: Date.now() };
    const shops: Shop[] = [];
    for (let index = 0; index < count; index += 1) {
      const merchantId = newId('mer');
      const merchant = { id: merchantId, name: merchantId, email: `${merchantId}@shop.example`, plan: 'unlimited' };
      await trx
        .insertInto('merchant')
        .values({ ...merchant, settings: '{}' })
        .execute();
      const made = await createEndpoint(change, terms, { merchantId, url, events: null });
      shops.push({ merchantId, endpointId: made.endpoint.id, url, secret: made.secret });
    }
    return shops;
  });
}
