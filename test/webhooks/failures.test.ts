import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DELIVERY_HORIZON_MS, MAX_ATTEMPTS, RETRY_DELAYS_MS } from '../../machines/index.ts';
import { parseCidr } from '../../src/platform/config/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import type { Resolve } from '../../src/webhooks/guard/resolve.ts';
import { BREAKER_RULES } from '../../src/webhooks/sender/breaker.ts';
import { START_MS } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createOpened } from '../support/opened.ts';
import { type Receiver, type ReceiverResponse, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { firstAttempt } from './first-attempt.ts';
import {
  addEndpoint,
  attemptsOf,
  createMerchant,
  deliveryOf,
  fixedSlots,
  raiseEvent,
  startWebhookService,
  type WebhookService,
  type WebhookServiceOptions,
} from './harness.ts';
import { startHttpReceiver, type WriteResponse } from './sender/http-receiver.ts';

const QUICK = { timeoutMs: 300 };

describeDatabases('webhook attempt failures', (database) => {
  const opened = createOpened();

  afterEach(async () => {
    await opened.closeAll();
    running = null;
    // Otherwise the service of a later test would retry the waiting deliveries.
    await database().db.deleteFrom('timer').execute();
  });

  let running: WebhookService | null = null;

  /**
   * One at a time: each has its own bus, and would publish the other's outbox messages while that
   * one is busy.
   */
  async function start(options: Partial<WebhookServiceOptions> = {}): Promise<WebhookService> {
    await running?.stop();
    const service = await startWebhookService({ connection: database(), random: () => 0.5, ...options });
    running = service;
    opened.push(service);
    return service;
  }

  async function receiverWith(...responses: ReceiverResponse[]): Promise<Receiver> {
    const receiver = await startReceiver();
    opened.push(receiver);
    receiver.plan(...responses);
    return receiver;
  }

  /** One attempt per status, each to its own receiver, with `location` as its header. */
  async function attemptsWith(statuses: readonly number[], location = 'unused') {
    const service = await start();
    const attempts = statuses.map(async (status) => {
      const receiver = await receiverWith({ kind: 'redirect', status, to: location });
      return { status, ...(await firstAttempt(service, database(), receiver.url)) };
    });
    return Promise.all(attempts);
  }

  /** Sends one event to the URL and waits for the result of the first attempt. */
  async function attemptTo(url: string, options: Partial<WebhookServiceOptions> = {}) {
    const service = await start(options);
    return { service, ...(await firstAttempt(service, database(), url)) };
  }

  test('rule 55: a status from 301 to 308 is a redirect, and its target is never contacted', async () => {
    const target = await receiverWith();
    for (const { delivery, attempt, status } of await attemptsWith([301, 302, 303, 307, 308], target.url)) {
      expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'redirect', last_status: status });
      expect(attempt.failure_detail).toContain('set the final URL');
    }
    expect(target.connections).toBe(0);
  });

  test('rule 55: any other status than 2xx is retried', async () => {
    for (const { delivery, status } of await attemptsWith([400, 404, 410, 429, 500, 503])) {
      expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'status', last_status: status });
    }
  });

  test.each([
    ['seconds within twice the delay', 429, '17', 17_000],
    ['seconds beyond it', 503, '3600', 20_000],
    ['a date within it', 410, new Date(START_MS + 15_000).toUTCString(), 15_000],
    ['a date that has passed', 429, new Date(START_MS - 15_000).toUTCString(), 10_000],
    ['nonsense', 429, 'soon', 10_000],
  ])(
    'a failure with Retry-After as %s is retried when the receiver wants it, within limits',
    async (_, status, value, pauseMs) => {
      const receiver = await startHttpReceiver((response) =>
        response.writeHead(status, { 'retry-after': value }).end(),
      );
      opened.push(receiver);
      const { delivery, attempt } = await attemptTo(receiver.url);
      expect(attempt.response_headers?.['retry-after']).toBe(value);
      const timers = await database()
        .db.selectFrom('timer')
        .select('due_at')
        .where('actor_id', '=', delivery.id)
        .execute();
      expect(timers).toEqual([{ due_at: START_MS + pauseMs }]);
    },
  );

  test('a 2xx with Retry-After is a success', async () => {
    for (const { delivery, status } of await attemptsWith([200, 201, 202, 204, 299])) {
      expect(delivery).toMatchObject({ state: 'delivered', last_status: status });
    }
  });

  test('rule 55: a missing response is a timeout', async () => {
    const receiver = await receiverWith({ kind: 'hang' });
    const { delivery, attempt } = await attemptTo(receiver.url, { limits: QUICK });
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'timeout', last_status: null });
    expect(attempt?.failure_detail).toContain('0.3 s');
  });

  test('an attempt interrupted by a stop does not count: its message is returned', async () => {
    const receiver = await receiverWith({ kind: 'hang' });
    const merchantId = await createMerchant(database());
    await addEndpoint(database(), { merchantId, url: receiver.url });
    const service = await start({ limits: { closeGraceMs: 10 } });
    const event = await raiseEvent(service, database(), { merchantId });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
    await service.stop();
    const delivery = await deliveryOf(database(), event.id);
    expect(delivery).toMatchObject({ state: 'sending', attempt: 1, last_failure: null });
    expect(await attemptsOf(database(), delivery.id)).toEqual([]);
    const message = { queue: 'webhook-send', partition: 0, id: 'late', attempt: 1 };
    const data = { deliveryId: delivery.id, endpointId: delivery.endpoint_id, attempt: 1 };
    await expect(service.sender.handle({ ...message, data })).rejects.toMatchObject({ code: 'SENDER_CLOSED' });
    expect(receiver.requests).toHaveLength(1);
  });

  test('an attempt that waits for a slot of its endpoint at a stop is sent as soon as another process sends', async () => {
    const receiver = await receiverWith({ kind: 'hang' });
    const merchantId = await createMerchant(database());
    await addEndpoint(database(), { merchantId, url: receiver.url });
    const service = await start({ limits: { closeGraceMs: 10, ...fixedSlots(1) } });
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await raiseEvent(service, database(), { merchantId })).id);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), POLLING);
    await service.stop();
    receiver.release();
    await start({});
    // The test's clock stands still, so the repeat after five minutes cannot happen.
    await vi.waitFor(async () => {
      for (const id of ids) expect(await deliveryOf(database(), id)).toMatchObject({ state: 'delivered', attempt: 1 });
    }, POLLING);
  });

  test('a broken or missing connection is a connection failure', async () => {
    const receiver = await receiverWith({ kind: 'reset' });
    expect((await attemptTo(receiver.url)).delivery).toMatchObject({ last_failure: 'connection', last_status: null });
    const { url } = receiver;
    await receiver.close();
    const { delivery, attempt } = await attemptTo(url);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'connection' });
    expect(attempt?.failure_detail).toContain('ECONNREFUSED');
  });

  test('a response that is not HTTP is a connection failure', async () => {
    const server = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('SSH-2.0-OpenSSH_9.2\r\n'),
    );
    const url = await listenOn(server);
    opened.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    expect((await attemptTo(url)).delivery).toMatchObject({ state: 'waiting', last_failure: 'connection' });
  });

  test('an unknown name is a DNS failure', async () => {
    const resolve: Resolve = () => Promise.reject(dnsError('ENOTFOUND', 'queryA'));
    const { delivery, attempt } = await attemptTo('http://shop.example/hook', { resolve });
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'dns' });
    expect(attempt?.failure_detail).toContain('ENOTFOUND');
  });

  test('a slow response that arrives in time is a success', async () => {
    const receiver = await receiverWith({ kind: 'slow', byMs: 100 });
    expect((await attemptTo(receiver.url)).delivery).toMatchObject({ state: 'delivered', attempt: 1 });
  });

  test('an attempt never connects to an address that is not public', async () => {
    const receiver = await receiverWith();
    const webhooks = { allowCidrs: [], allowHttp: true, allowPorts: [] };
    const { delivery, attempt } = await attemptTo(receiver.url, { webhooks });
    expect(delivery).toMatchObject({ state: 'failed', last_failure: 'blocked' });
    expect(attempt?.failure_detail).toContain('WEBHOOK_ALLOW_CIDRS');
    expect(receiver.connections).toBe(0);
  });

  test.each([['a private address among public ones', ['1.1.1.1', '127.0.0.1']]])(
    'an attempt never connects to a name with %s',
    async (_, addresses) => {
      const receiver = await receiverWith();
      const resolve: Resolve = async () =>
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const url = `http://shop.example:${receiver.port}/hook`;
      const { delivery } = await attemptTo(url, {
        resolve,
        webhooks: { allowCidrs: [], allowHttp: true, allowPorts: [] },
      });
      expect(delivery).toMatchObject({ state: 'failed', last_failure: 'blocked' });
      expect(receiver.connections).toBe(0);
    },
  );

  test('an attempt connects to the checked address: the name is resolved once', async () => {
    const receiver = await receiverWith();
    let questions = 0;
    const resolve: Resolve = async () => {
      questions += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const url = `http://shop.example:${receiver.port}/hook`;
    expect((await attemptTo(url, { resolve })).delivery).toMatchObject({ state: 'delivered' });
    expect(questions).toBe(1);
    expect(receiver.requests[0]?.headers.host).toBe(`shop.example:${receiver.port}`);
  });

  test('an attempt does not follow a name to another, unchecked address: DNS rebinding', async () => {
    const reject: WriteResponse = (response) => response.writeHead(500, { connection: 'close' }).end();
    const receiver = await startHttpReceiver(reject);
    const { port } = receiver;
    const inside = await startHttpReceiver((response) => response.end('credentials'), { host: '127.0.0.2', port });
    opened.push(receiver, inside);
    const responses = ['127.0.0.1', '127.0.0.2'];
    const resolve: Resolve = async () => [{ address: responses.shift() ?? '127.0.0.2', family: 4 }];
    const webhooks = {
      allowCidrs: [parseCidr('127.0.0.1/32')].filter((cidr) => cidr !== null),
      allowHttp: true,
      allowPorts: [],
    };
    const url = `http://shop.example:${port}/hook`;
    const { service, event, delivery } = await attemptTo(url, { resolve, webhooks });
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'status' });
    service.clock.advance(10_000);
    await vi.waitFor(async () => {
      expect(await deliveryOf(database(), event.id)).toMatchObject({ state: 'failed', last_failure: 'blocked' });
    }, POLLING);
    const [, second] = await attemptsOf(database(), delivery.id);
    expect(second).toMatchObject({
      failure: 'blocked',
      peer_address: null,
      request_headers: null,
      response_body: null,
    });
    expect([receiver.connections, inside.connections]).toEqual([1, 0]);
  });

  test('an attempt does not count while this machine has no network, and is made as soon as it has', async () => {
    const receiver = await receiverWith();
    const codes = ['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN'];
    const resolve: Resolve = async () => {
      const code = codes.shift();
      if (code !== undefined) throw dnsError(code, 'getaddrinfo');
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const url = `http://shop.example:${receiver.port}/hook`;
    const { delivery } = await attemptTo(url, { resolve, limits: { localFaultPauseMs: 1 } });
    expect(delivery).toMatchObject({ state: 'delivered', attempt: 1, last_failure: null });
    expect(codes).toEqual([]);
    expect(receiver.requests).toHaveLength(1);
  });

  test('an apparent local failure counts in the end, so that it cannot wait forever', async () => {
    let questions = 0;
    const resolve: Resolve = () => {
      questions += 1;
      return Promise.reject(dnsError('EAI_AGAIN', 'getaddrinfo'));
    };
    const limits = { localFaultPauseMs: 1, maxLocalFaults: 5 };
    const { delivery } = await attemptTo('http://shop.example/hook', { resolve, limits });
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'dns', attempt: 1 });
    expect(questions).toBe(6);
  });

  test('a failure leaves no secret, query of the URL or body in the log', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
    const receiver = await receiverWith(
      { kind: 'status', status: 500, body: 'stack trace of the merchant' },
      { kind: 'reset' },
    );
    const { service, event, secret } = await attemptTo(receiver.url, { log });
    service.clock.advance(10_000);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(2), POLLING);
    await service.stop();
    const text = lines.join('');
    expect(text).toContain('webhook attempt made');
    for (const hidden of [secret, secret.slice(6), 'shop=7', 'Zoë', 'stack trace', 'sha256=', event.body]) {
      expect(text).not.toContain(hidden);
    }
  });

  describe('a secret that cannot be decrypted', () => {
    const wrongBox = () => createSecretBox(new Uint8Array(32).fill(9));
    const deadLetters = () =>
      database().db.selectFrom('dead_letter').selectAll().where('queue', '=', 'webhook-send').execute();

    test('sends nothing, reports the remedy to the operator, and the attempt is made again with the right key', async () => {
      const lines: string[] = [];
      const log = createLogger({ level: 'error', destination: { write: (line) => void lines.push(line) } });
      const receiver = await receiverWith();
      const before = await deadLetters();
      const { service, endpointId, secret, event, delivery, attempt } = await attemptTo(receiver.url, {
        secretBox: wrongBox(),
        log,
      });
      expect(delivery).toMatchObject({ state: 'waiting', attempt: 1, last_failure: 'secret_unreadable' });
      expect(attempt).toMatchObject({ status: null, request_headers: null, peer_address: null });
      expect(receiver.connections).toBe(0);
      expect(await deadLetters()).toEqual(before);
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { endpointId, deliveryId: delivery.id, attempt: 1, reason: expect.stringContaining('SECRETS_KEY') },
      ]);

      await start({ clock: service.clock });
      receiver.trust(secret);
      service.clock.advance(10_000);
      await vi.waitFor(async () => {
        expect(await deliveryOf(database(), event.id)).toMatchObject({ state: 'delivered', attempt: 2 });
      }, POLLING);
      expect(receiver.requests).toMatchObject([
        {
          body: event.body,
          headers: { 'webhook-id': event.id, 'x-service-attempt': '2' },
          isServiceSignatureValid: true,
          isStandardSignatureValid: true,
        },
      ]);
    });

    test('does not count against the endpoint, however many there are', async () => {
      const receiver = await receiverWith();
      const merchantId = await createMerchant(database());
      const { id } = await addEndpoint(database(), { merchantId, url: receiver.url });
      const service = await start({ secretBox: wrongBox() });
      // One more than the breaker needs to hold the endpoint back.
      for (let count = 0; count <= BREAKER_RULES.minDeliveries; count += 1) {
        const event = await raiseEvent(service, database(), { merchantId });
        await vi.waitFor(async () => {
          const ended = { state: 'waiting', attempt: 1, last_failure: 'secret_unreadable' };
          expect(await deliveryOf(database(), event.id)).toMatchObject(ended);
        }, POLLING);
      }
      const endpoint = database().db.selectFrom('webhook_endpoint').select('failing_since').where('id', '=', id);
      expect(await endpoint.executeTakeFirst()).toEqual({ failing_since: null });
      expect(receiver.connections).toBe(0);
    });

    test('ends its delivery within the day when the right key never comes, and without a dead letter', async () => {
      const receiver = await receiverWith();
      const before = await deadLetters();
      const { service, event } = await attemptTo(receiver.url, { secretBox: wrongBox() });
      for (const [made, delay] of RETRY_DELAYS_MS.entries()) {
        await vi.waitFor(async () => {
          expect(await deliveryOf(database(), event.id)).toMatchObject({ state: 'waiting', attempt: made + 1 });
        }, POLLING);
        service.clock.advance(delay);
      }
      const delivery = await vi.waitFor(async () => {
        const found = await deliveryOf(database(), event.id);
        expect(found).toMatchObject({ state: 'failed', attempt: MAX_ATTEMPTS, last_failure: 'secret_unreadable' });
        return found;
      }, POLLING);
      expect((delivery.ended_at ?? Infinity) - delivery.created_at).toBeLessThanOrEqual(DELIVERY_HORIZON_MS);
      expect(await attemptsOf(database(), delivery.id)).toHaveLength(MAX_ATTEMPTS);
      expect(await deadLetters()).toEqual(before);
      expect(receiver.connections).toBe(0);
    });
  });

  test.each([
    ['webhook-send', { deliveryId: 'dlv_1' }, 'NOT_AN_ATTEMPT'],
    ['webhook-send', null, 'NOT_AN_ATTEMPT'],
  ])('a malformed message on %s becomes a dead letter: %j', async (queue, data, code) => {
    const { runtime } = await start();
    const id = `strange:${queue}:${JSON.stringify(data).length}`;
    await runtime.bus.publish({ queue, partition: 0, id, data });
    const letter = await database()
      .db.selectFrom('dead_letter')
      .selectAll()
      .where('message_id', '=', id)
      .executeTakeFirst();
    expect(letter?.reason).toContain(code);
  });
});

// Helpers

function dnsError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code} shop.example`), { code, syscall });
}

async function listenOn(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook`;
}
