import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPostgresDatabase,
  describePostgres,
  type TestDatabase,
} from '../../../support/database/test-database.ts';
import { POLLING } from '../../../support/polling.ts';
import { startApp } from '../../../support/service/app.ts';
import { countWritten, useApp } from '../support.ts';

describePostgres('over a real connection', () => {
  let database: TestDatabase;
  let origin: URL;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  const { app, merchant } = useApp(() => database);
  beforeAll(async () => {
    origin = new URL(await app().listen());
  });
  afterAll(() => database.drop());

  /** Sends bytes and reads until the server disconnects. */
  function exchange(...parts: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      let response = '';
      const socket: Socket = connect(Number(origin.port), origin.hostname, () => {
        for (const part of parts) socket.write(part, 'latin1');
      });
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        response += chunk;
      });
      socket.on('close', () => resolve(response));
      // A server that has responded may disconnect while data is still being sent.
      socket.on('error', (error) => (response === '' ? reject(error) : resolve(response)));
    });
  }

  function expectEnvelope(response: string): void {
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toMatch(/^x-request-id: req_[0-9a-z]{26}\r?$/im);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: 'INVALID_REQUEST' });
  }

  test('a connection without progress is closed, but not between the heartbeats of a stream', async () => {
    const server = app().httpServer;
    const idleMs = server.timeout;
    expect(idleMs).toBe(90_000);
    server.setTimeout(200);
    const socket = connect(Number(origin.port), origin.hostname);
    socket.on('error', () => {});
    await once(socket, 'close');
    server.setTimeout(idleMs);
  });

  test('a transaction is created and read', async () => {
    const authorization = `Bearer ${merchant().keys.sk_test}`;
    const created = await fetch(new URL('/v1/transactions/create', origin), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ crypto: 'LTC', amount: 5 }),
    });
    expect(created.status).toBe(201);
    const { data } = (await created.json()) as { data: { transaction_id: string } };
    const got = await fetch(new URL(`/v1/transactions/${data.transaction_id}`, origin), { headers: { authorization } });
    expect(await got.json()).toEqual({ success: true, data });
  });

  test('a body of 2 MB is rejected with the envelope, with or without a content length', async () => {
    const before = await countWritten(app());
    const head = [
      'POST /v1/transactions/create HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${merchant().keys.sk_test}`,
      'Content-Type: application/json',
      'Connection: close',
    ].join('\r\n');
    expectEnvelope(await exchange(`${head}\r\nContent-Length: 2000000\r\n\r\n`, '{'));
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    expectEnvelope(await exchange(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n`, ...Array<string>(20).fill(chunk)));
    expect(await countWritten(app())).toEqual(before);
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['headers of 100 KB', `GET /v1/health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['a header with a control character', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nX: \u0001\u0000\r\n\r\n'],
    [
      'a path that is not percent-encoding',
      'GET /v1/transactions/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
  ])('%s gets an error in the envelope', async (_name, text) => {
    expectEnvelope(await exchange(text));
  });

  /** What the client reads when Node.js reports that a request has not arrived in time. */
  async function timeOut(sent: string): Promise<string> {
    const accepted = once(app().httpServer, 'connection');
    const socket = connect(Number(origin.port), origin.hostname);
    const [connection] = (await accepted) as [Socket];
    let response = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      response += chunk;
    });
    socket.write(sent);
    await expect.poll(() => connection.bytesRead, POLLING).toBe(sent.length);
    const closed = once(socket, 'close');
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app().httpServer.emit('clientError', error, connection);
    await closed;
    return response;
  }

  test('a connection that a browser opened ahead of its requests is closed without a response', async () => {
    expect(await timeOut('')).toBe('');
  });

  test('a request that does not arrive in full in time gets an error that says so', async () => {
    const response = await timeOut('GET /v1/health HTTP/1.1\r\nHost: x\r\n');
    expectEnvelope(response);
    expect(response).toContain('The request was not received in full within 30 s.');
  });

  test('a connection without any request does not keep the service from closing', async () => {
    const other = await startApp({ connection: database });
    const { hostname, port } = new URL(await other.listen());
    const ahead = connect(Number(port), hostname);
    await once(ahead, 'connect');
    const closed = once(ahead, 'close');
    // Connections are accepted in order: a response on a later one means this one was accepted.
    expect((await fetch(`http://${hostname}:${port}/v1/health`)).status).toBe(200);
    await other.stop();
    await closed;
  });
});
