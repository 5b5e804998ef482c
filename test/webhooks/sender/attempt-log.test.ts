import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import type { Resolve } from '../../../src/webhooks/guard/resolve.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { findFreePort } from '../../support/free-port.ts';
import { createOpened } from '../../support/opened.ts';
import { POLLING } from '../../support/polling.ts';
import { firstAttempt } from '../first-attempt.ts';
import {
  attemptsOf,
  deliveryOf,
  raiseEvent,
  startWebhookService,
  type WebhookService,
  type WebhookServiceOptions,
} from '../harness.ts';
import {
  type HttpReceiver,
  type HttpReceiverOptions,
  startHttpReceiver,
  startTcpReceiver,
  type WriteResponse,
} from './http-receiver.ts';

const HOST = 'hooks.shop.example';
const toLoopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
/** For receivers that never respond. */
const QUICK = { timeoutMs: 300 };
/** For receivers that start to respond, which takes longer to notice on a busy machine. */
const PATIENT = { timeoutMs: 2_000 };

describeDatabases('the attempt log', (database) => {
  const opened = createOpened();

  afterEach(async () => {
    await opened.closeAll();
    await database().db.deleteFrom('timer').execute();
  });

  async function start(options: Partial<WebhookServiceOptions> = {}) {
    const service = await startWebhookService({
      connection: database(),
      random: () => 0.5,
      resolve: toLoopback,
      ...options,
    });
    opened.push(service);
    return service;
  }

  async function receiverThat(answer: WriteResponse, options?: HttpReceiverOptions): Promise<HttpReceiver> {
    const receiver = await startHttpReceiver(answer, options);
    opened.push(receiver);
    return receiver;
  }

  /** One attempt to a receiver with this response, and its row. */
  async function logOf(answer: WriteResponse, service?: WebhookService) {
    const receiver = await receiverThat(answer);
    return { receiver, ...(await firstAttempt(service ?? (await start()), database(), receiver.url)) };
  }

  test('contains the request and the response, the peer and the duration of each phase', async () => {
    const receiver = await receiverThat((response) => response.writeHead(201, { 'x-trace': 'abc' }).end('thanks ✓'));
    const service = await start();
    const url = `http://${HOST}:${receiver.port}/hook?shop=7`;
    const { attempt, event, endpointId } = await firstAttempt(service, database(), url);
    expect(attempt).toMatchObject({
      status: 201,
      failure: null,
      is_probe: false,
      response_body: 'thanks ✓',
      is_response_cut: false,
      peer_address: '127.0.0.1',
      tls_ms: null,
    });
    const { request_headers: sent, response_headers: responded } = attempt;
    // All request headers and no others: a signature of a known body reveals no secret.
    expect(sent).toEqual(receiver.requests[0]);
    expect(sent).toMatchObject({
      host: `${HOST}:${receiver.port}`,
      'content-length': String(Buffer.byteLength(event.body)),
      'webhook-id': event.id,
      'x-webhook-id': endpointId,
      'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
    expect(responded).toMatchObject({ 'x-trace': 'abc' });
    const parts = [attempt.dns_ms, attempt.connect_ms, attempt.first_byte_ms];
    for (const part of parts) expect(part).toBeGreaterThanOrEqual(0);
    // Each part is rounded separately.
    expect(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)).toBeLessThanOrEqual(attempt.duration_ms + 3);
  });

  test('shows that a connection was reused', async () => {
    const receiver = await receiverThat((response) => response.end('ok'));
    const service = await start();
    const { merchantId } = await firstAttempt(service, database(), `http://${HOST}:${receiver.port}/hook`);
    const event = await raiseEvent(service, database(), { merchantId });
    const second = await vi.waitFor(async () => {
      const [row] = await attemptsOf(database(), (await deliveryOf(database(), event.id)).id);
      if (row === undefined) throw new Error('not yet');
      return row;
    }, POLLING);
    expect(receiver.connections).toBe(1);
    expect(second).toMatchObject({ dns_ms: null, connect_ms: null, tls_ms: null, peer_address: '127.0.0.1' });
    expect(second.first_byte_ms).toBeGreaterThanOrEqual(0);
    expect(second.request_headers?.host).toBe(`${HOST}:${receiver.port}`);
  });

  test('hides personal data, joins repeated headers and keeps no more than 64', async () => {
    const { attempt } = await logOf((response) => {
      response.setHeader('set-cookie', ['session=topsecret', 'other=topsecret']);
      response.setHeader('www-authenticate', 'Basic realm="topsecret"');
      response.setHeader('proxy-authenticate', 'topsecret');
      response.setHeader('authorization', 'Bearer topsecret');
      response.setHeader('x-amz-security-token', 'topsecret');
      response.setHeader('x-api-key', 'topsecret');
      response.setHeader('via', ['1.1 one', '1.1 two']);
      response.setHeader('__proto__', 'polluted');
      response.setHeader('x-long', 'y'.repeat(5_000));
      for (let count = 0; count < 100; count += 1) response.setHeader(`x-many-${count}`, 'z');
      response.end();
    });
    const headers = attempt.response_headers ?? {};
    expect(JSON.stringify(headers)).not.toContain('topsecret');
    for (const name of ['set-cookie', 'www-authenticate', 'proxy-authenticate', 'authorization', 'x-api-key']) {
      expect(headers[name]).toBe('[redacted]');
    }
    expect(headers.via).toBe('1.1 one, 1.1 two');
    expect(Object.hasOwn(headers, '__proto__')).toBe(true);
    expect(headers['x-long']).toHaveLength(1_024);
    expect(Object.keys(headers)).toHaveLength(64);
  });

  test('contains the body as text', async () => {
    const service = await start();
    const bodies: readonly [string, readonly Buffer[], OutgoingHttpHeaders, string | null][] = [
      ['nothing', [], {}, null],
      ['an emoji', [Buffer.from('☂ 🎉')], {}, '☂ 🎉'],
      ['NUL, which Postgres refuses', [Buffer.from('a\0b')], {}, 'ab'],
      ['bytes that are no UTF-8', [Buffer.from([0x61, 0xff, 0x62])], {}, 'a\ufffdb'],
      [
        'Latin-1 that says so',
        [Buffer.from('Zoë', 'latin1')],
        { 'content-type': 'text/plain; charset=ISO-8859-1' },
        'Zoë',
      ],
      ['an unknown charset', [Buffer.from('Zoë')], { 'content-type': 'text/plain; charset=klingon' }, 'Zoë'],
      [
        'UTF-16 with half a pair',
        [Buffer.from([0x00, 0xd8])],
        { 'content-type': 'text/plain; charset=utf-16le' },
        null,
      ],
      ['chunks', [Buffer.from('one '), Buffer.from('two')], {}, 'one two'],
    ];
    for (const [what, chunks, headers, expected] of bodies) {
      const answer: WriteResponse = (response) => {
        response.writeHead(200, headers);
        for (const chunk of chunks) response.write(chunk);
        response.end();
      };
      const { attempt, delivery } = await logOf(answer, service);
      expect(delivery.state, what).toBe('delivered');
      expect(attempt.response_body || null, what).toBe(expected);
      expect(attempt.is_response_cut, what).toBe(false);
    }
  });

  test('only records that a body is compressed: a bomb is never unpacked, and none was requested', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const { attempt, delivery, receiver } = await logOf((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(delivery.state).toBe('delivered');
    expect(attempt).toMatchObject({ response_body: `[${bomb.length} bytes of gzip, not unpacked]` });
    expect(receiver.requests[0]).not.toHaveProperty('accept-encoding');
  });

  test('with an endless or broken body has the outcome of the status', async () => {
    const service = await start({ limits: PATIENT });
    const hangs =
      (status: number): WriteResponse =>
      (response) =>
        void response.writeHead(status).write('half');
    const breaksOff =
      (status: number): WriteResponse =>
      (response) => {
        response.writeHead(status, { 'content-length': '100' });
        response.write('half', () => response.socket?.resetAndDestroy());
      };
    const [okHanging, okBroken, failedHanging, failedBroken] = await Promise.all([
      logOf(hangs(200), service),
      logOf(breaksOff(200), service),
      logOf(hangs(500), service),
      logOf(breaksOff(500), service),
    ]);
    for (const { delivery, attempt } of [okHanging, okBroken]) {
      expect(delivery).toMatchObject({ state: 'delivered', last_status: 200, last_failure: null });
      expect(attempt).toMatchObject({ status: 200, is_response_cut: true });
    }
    for (const { delivery, attempt } of [failedHanging, failedBroken]) {
      expect(delivery).toMatchObject({ state: 'waiting', last_status: 500, last_failure: 'status' });
      expect(attempt).toMatchObject({ status: 500, is_response_cut: true });
    }
    for (const { attempt } of [okHanging, failedHanging]) expect(attempt.response_body).toBe('half');
  });

  test('of a connection that breaks in the middle of the headers has the request and no response', async () => {
    const receiver = await startTcpReceiver((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-half: ', () => socket.resetAndDestroy()));
    });
    opened.push(receiver);
    const { delivery, attempt } = await firstAttempt(await start(), database(), receiver.url);
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'connection', last_status: null });
    expect(attempt).toMatchObject({ status: null, response_headers: null, response_body: null, first_byte_ms: null });
    expect(attempt).toMatchObject({ peer_address: '127.0.0.1', request_headers: { 'x-service-attempt': '1' } });
  });

  test('of endless headers has a failure, with bounded memory', async () => {
    const { delivery, attempt } = await logOf((response) => {
      for (let count = 0; count < 40; count += 1) response.setHeader(`x-${count}`, 'y'.repeat(1_000));
      response.end();
    });
    expect(delivery).toMatchObject({ state: 'waiting', last_failure: 'connection' });
    expect(attempt).toMatchObject({ status: null, response_headers: null });
  });

  test('an early hint is not a response', async () => {
    const { attempt } = await logOf((response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(204).end();
    });
    expect(attempt).toMatchObject({ status: 204, failure: null });
  });

  test('states how far an attempt without a response got', async () => {
    const silent = await startTcpReceiver((socket) => void socket.resume());
    opened.push(silent);
    const unknown = await start({ limits: QUICK, resolve: () => new Promise(() => undefined) });
    const { attempt: inDns } = await firstAttempt(unknown, database(), `http://${HOST}:${silent.port}/`);
    // Two running services would share the work.
    await unknown.stop();
    const service = await start({ limits: PATIENT });
    const [{ attempt: inTls }, { attempt: inResponse }] = await Promise.all([
      firstAttempt(service, database(), `https://${HOST}:${silent.port}/`),
      firstAttempt(service, database(), `http://${HOST}:${silent.port}/`),
    ]);
    const nothing = { request_headers: null, response_headers: null, tls_ms: null, first_byte_ms: null };
    expect(inDns).toMatchObject({ ...nothing, failure: 'timeout', dns_ms: null, connect_ms: null, peer_address: null });
    expect(inDns.failure_detail).toContain('during the DNS lookup');
    expect(inTls).toMatchObject({ ...nothing, failure: 'timeout', peer_address: '127.0.0.1' });
    expect(inTls.dns_ms).not.toBeNull();
    expect(inTls.connect_ms).not.toBeNull();
    expect(inTls.failure_detail).toContain('TLS handshake');
    expect(inResponse).toMatchObject({
      failure: 'timeout',
      status: null,
      first_byte_ms: null,
      peer_address: '127.0.0.1',
    });
    expect(inResponse.request_headers).not.toBeNull();
    expect(inResponse.failure_detail).toContain('waiting for the response');
  });

  test('of a refused connection has its address in the failure, and nothing that was sent', async () => {
    const port = await findFreePort();
    const { attempt } = await firstAttempt(await start(), database(), `http://${HOST}:${port}/`);
    expect(attempt).toMatchObject({
      failure: 'connection',
      request_headers: null,
      connect_ms: null,
      peer_address: null,
    });
    expect(attempt.failure_detail).toContain(`ECONNREFUSED 127.0.0.1:${port}`);
  });

  test('of an IPv6-only receiver has its address', async () => {
    const receiver = await receiverThat((response) => response.end(), { host: '::1' });
    const resolve: Resolve = async () => [{ address: '::1', family: 6 }];
    const service = await start({ resolve });
    for (const host of [HOST, '[::1]']) {
      const { delivery, attempt } = await firstAttempt(service, database(), `http://${host}:${receiver.port}/`);
      expect(delivery.state).toBe('delivered');
      expect(attempt.peer_address).toBe('::1');
    }
  });
});
