import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { newId } from '../../src/platform/ids.ts';
import { raiseWebhookEvents, webhookEventId } from '../../src/webhooks/index.ts';
import { sampleEventBody } from '../../src/webhooks/sample-event.ts';
import { listenAndPrintUrl } from '../support/child.ts';
import { PUBLIC_URL, startWorker, type WorkerEnvironment } from '../support/start-worker.ts';

/**
 * A worker of the service in its own process, wired by the service's own composition, with two
 * routes for the bench: `POST /raise` commits events as payments do, `GET /memory` returns the
 * memory use of the process.
 */

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

async function main(environment: WorkerEnvironment): Promise<void> {
  const { runtime, db, clock } = await startWorker(environment);

  async function raise({ merchantIds }: RaiseRequest): Promise<Raised> {
    const events = merchantIds.map((merchantId) => {
      const transactionId = newId('txn');
      const [id, at] = [webhookEventId(transactionId, { sequence: 1, event: EVENT }), clock.now()];
      const body = sampleEventBody({ id, event: EVENT, mode: 'live', at, publicUrl: PUBLIC_URL });
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
  listenAndPrintUrl(createServer((request, response) => void answer(request, response)));
}

// Helpers

function memory(): WorkerMemory {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
  return { residentBytes, heapBytes, peakResidentBytes: process.resourceUsage().maxRSS * 1_024 };
}

await main(process.env as unknown as WorkerEnvironment);
