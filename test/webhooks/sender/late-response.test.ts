import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { firstAttempt } from '../first-attempt.ts';
import { startWebhookService } from '../harness.ts';

const TIMEOUT_MS = 1_000;
const SENT = 'undici:client:sendHeaders';

describePostgres('a response that arrived while the process was suspended', () => {
  test('is accepted, although its time is up when the process resumes', async () => {
    const responded = new Int32Array(new SharedArrayBuffer(4));
    const receiver = new Worker(RECEIVER, { eval: true, workerData: responded });
    const [port] = (await once(receiver, 'message')) as [number];
    const database = await createPostgresDatabase();
    const service = await startWebhookService({ connection: database, limits: { timeoutMs: TIMEOUT_MS } });
    const standStill = () => {
      unsubscribe(SENT, standStill);
      setImmediate(() => {
        Atomics.wait(responded, 0, 0, 20 * TIMEOUT_MS);
        Atomics.wait(responded, 0, 1, 2 * TIMEOUT_MS);
      });
    };
    subscribe(SENT, standStill);
    try {
      const { delivery, attempt } = await firstAttempt(service, database, `http://127.0.0.1:${port}/hook`);
      expect(delivery).toMatchObject({ state: 'delivered', attempt: 1 });
      expect(attempt.duration_ms).toBeGreaterThan(TIMEOUT_MS);
    } finally {
      unsubscribe(SENT, standStill);
      await service.stop();
      await database.drop();
      await receiver.terminate();
    }
  });
});

// Helpers

/**
 * A receiver in its own thread, which runs while the sender is blocked, and signals when it has
 * responded.
 */
const RECEIVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData: answered } = require('node:worker_threads');
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end(() => {
        Atomics.store(answered, 0, 1);
        Atomics.notify(answered, 0);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
