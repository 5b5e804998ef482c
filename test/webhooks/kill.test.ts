import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChildOrder } from '../support/child-webhooks.ts';
import { compile } from '../support/compiled.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database.ts';
import { PATIENCE } from '../support/engine.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { addEndpoint, createMerchant, startWebhookService, type WebhookService } from './harness.ts';

describePostgres('a process killed between its POST and the commit of the answer', () => {
  let database: TestDatabase | undefined;
  let receiver: Receiver | undefined;
  let child: ChildProcess | undefined;
  let successor: WebhookService | undefined;

  afterEach(async () => {
    child?.kill('SIGKILL');
    await successor?.stop();
    await receiver?.close();
    await database?.drop();
  });

  test('is followed by another that sends the same attempt with the same id and bytes', async () => {
    const program = compile('test/support/child-webhooks.ts');
    const connection = await createPostgresDatabase();
    database = connection;
    receiver = await startReceiver();
    receiver.plan({ kind: 'hang' });
    const { requests, url } = receiver;
    const merchantId = await createMerchant(connection);
    const { secret } = await addEndpoint(connection, { merchantId, url });
    receiver.trust(secret);
    const order: ChildOrder = { databaseUrl: connection.url ?? '', merchantId };
    const running = spawn(process.execPath, [program, JSON.stringify(order)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child = running;
    await vi.waitFor(() => expect(requests).toHaveLength(1), PATIENCE);
    running.kill('SIGKILL');
    await once(running, 'exit');
    const before = await connection.db.selectFrom('webhook_delivery').selectAll().executeTakeFirstOrThrow();
    expect(before).toMatchObject({ state: 'sending', attempt: 1 });

    successor = await startWebhookService({ connection });
    await vi.waitFor(async () => {
      const after = await connection.db.selectFrom('webhook_delivery').selectAll().executeTakeFirstOrThrow();
      expect(after).toMatchObject({ state: 'delivered', attempt: 1 });
    }, PATIENCE);
    const [first, second] = requests;
    expect(requests).toHaveLength(2);
    expect(second).toMatchObject({ body: first?.body, isServiceSignatureValid: true, isStandardSignatureValid: true });
    for (const name of ['webhook-id', 'x-service-attempt', 'x-service-signature', 'x-webhook-id']) {
      expect(second?.headers[name]).toBe(first?.headers[name]);
    }
  });
});
