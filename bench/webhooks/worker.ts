import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../src/platform/clock.ts';
import { loadConfig, parseCidr } from '../../src/platform/config/index.ts';
import { connect } from '../../src/platform/db/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createRuntime } from '../../src/service/runtime.ts';
import { startWorkers } from '../../src/service/workers.ts';
import { raiseWebhookEvents, webhookEventId } from '../../src/webhooks/index.ts';
import { sampleEventBody } from '../../src/webhooks/sample-event.ts';

/**
 * A worker of the service in its own process, wired by the service's own composition, with two
 * routes for the bench: `POST /raise` commits events as payments do, `GET /memory` returns the
 * memory use of the process.
 */

/** Environment of the process. */
export interface WorkerSettings extends Readonly<Record<string, string>> {
  readonly DATABASE_URL: string;
  readonly POOL_SIZE: string;
  /** 32 bytes in hex. */
  readonly SECRETS_KEY: string;
  /** Empty: the in-process bus. */
  readonly NATS_URL: string;
  readonly NATS_PREFIX: string;
}

export interface RaiseRequest {
  /** One event is raised for each of them, all in one commit. */
  readonly merchantIds: readonly string[];
}

export interface Raised {
  readonly webhookEventIds: readonly string[];
  /** When the commit had returned, as Unix time in ms with fractions. */
  readonly committedAt: number;
}

export interface WorkerMemory {
  /** Resident now, after a full collection, in bytes. */
  readonly residentBytes: number;
  /** Live JavaScript objects, in bytes. */
  readonly heapBytes: number;
  /** Peak resident size, in bytes. */
  readonly peakResidentBytes: number;
}

const EVENT = 'payment.completed';
/** Where the bench's receiver listens. */
const LOOPBACK_ALLOWED = {
  allowCidrs: [parseCidr('127.0.0.0/8')].filter((cidr) => cidr !== null),
  allowHttp: true,
  allowPorts: [],
};

async function main(settings: WorkerSettings): Promise<void> {
  const log = createLogger({ level: 'error' });
  const { db } = await connect({ url: settings.DATABASE_URL, dataDir: null, poolSize: Number(settings.POOL_SIZE) });
  const nats = { url: settings.NATS_URL === '' ? null : settings.NATS_URL, prefix: settings.NATS_PREFIX };
  const publicUrl = 'https://pay.example';
  const clock = systemClock;
  const runtime = createRuntime({
    config: { nats, plansEnabled: false, recurringMaxUnconfirmed: 1 },
    db,
    clock,
    log,
    publicUrl,
    tokens: () => '',
  });
  const secretBox = createSecretBox(Buffer.from(settings.SECRETS_KEY, 'hex'));
  runtime.relay.start();
  const { retention, archiveAfterDays } = loadConfig({});
  const kept = { retention, archiveAfterDays, isEmbedded: false };
  await startWorkers({
    runtime,
    db,
    clock,
    log,
    publicUrl: 'http://127.0.0.1',
    secretBox,
    webhooks: LOOPBACK_ALLOWED,
    mail: null,
    ...kept,
  });

  async function raise({ merchantIds }: RaiseRequest): Promise<Raised> {
    const events = merchantIds.map((merchantId) => {
      const transactionId = newId('txn');
      const [id, at] = [webhookEventId(transactionId, { sequence: 1, event: EVENT }), clock.now()];
      const body = sampleEventBody({ id, event: EVENT, mode: 'live', at, publicUrl });
      return {
        id,
        actorId: transactionId,
        merchantId,
        transactionId,
        event: EVENT,
        mode: 'live' as const,
        body,
        createdAt: at,
      };
    });
    const hints = await db.transaction().execute((trx) => raiseWebhookEvents(trx, events));
    const committedAt = performance.timeOrigin + performance.now();
    runtime.relay.publish(hints);
    return { webhookEventIds: events.map(({ id }) => id), committedAt };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const report = request.method === 'POST' ? await raise((await json(request)) as RaiseRequest) : memory();
    response.end(JSON.stringify(report));
  }

  // A failure ends the process, and the bench with it.
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ publicUrl: `http://127.0.0.1:${port}` })}\n`);
  });
}

// Helpers

function memory(): WorkerMemory {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
  return { residentBytes, heapBytes, peakResidentBytes: process.resourceUsage().maxRSS * 1_024 };
}

await main(process.env as unknown as WorkerSettings);
