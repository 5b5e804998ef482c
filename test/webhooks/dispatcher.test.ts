import { createSocket } from 'node:dgram';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { BlockedAddressError } from '../../src/webhooks/guard/address-guard.ts';
import { createGuardedDispatcher } from '../../src/webhooks/guard/dispatcher.ts';
import { createResolver, type Resolve } from '../../src/webhooks/guard/resolve.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { startTcpReceiver } from './sender/http-receiver.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const toLoopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

describe('the guarded dispatcher', () => {
  let receiver: Receiver;
  let dispatcher: Dispatcher | undefined;

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await dispatcher?.destroy();
    await receiver.close();
  });

  /** Posts to a host at the receiver's port; `judge` decides per check, numbered from 1. */
  async function postTo(
    host: string,
    judge: (ip: string, question: number) => boolean,
    resolve = toLoopback,
    origin = `http://${host}:${receiver.port}`,
  ) {
    const requested: string[] = [];
    dispatcher = createGuardedDispatcher({
      isForbidden: (ip) => judge(ip, requested.push(ip)),
      resolve,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    });
    const sent = request(`${origin}/hook`, { dispatcher, method: 'POST', body: 'x' }).then(async (response) => {
      await response.body.dump();
      return response.statusCode;
    });
    const outcome: unknown = await sent.catch((error: unknown) => error);
    return { outcome, requested };
  }

  test('checks the DNS answer and the peer of the socket', async () => {
    const { outcome, requested } = await postTo('shop.example', () => false);
    expect(outcome).toBe(200);
    expect(requested).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  test('closes the socket before a byte is sent when its peer is forbidden', async () => {
    const { outcome } = await postTo('shop.example', (_, question) => question === 2);
    expect(outcome).toBeInstanceOf(BlockedAddressError);
    expect(receiver.requests).toEqual([]);
  });

  /**
   * Found by the chaos suite: such a socket has no remote address, and the merchant saw an error
   * about a forbidden address.
   */
  test('reports a socket that is gone before its peer is known as a broken connection', async () => {
    const breakOff = (message: unknown) => {
      const { socket } = message as { readonly socket: Socket };
      socket.once('connect', () => socket.destroy());
    };
    subscribe('net.client.socket', breakOff);
    try {
      const { outcome } = await postTo('shop.example', () => false);
      expect(outcome).toMatchObject({ code: 'ECONNRESET' });
      expect(receiver.requests).toEqual([]);
    } finally {
      unsubscribe('net.client.socket', breakOff);
    }
  });

  test('sends no TLS hello to a forbidden peer', async () => {
    const bytes: Buffer[] = [];
    const silent = await startTcpReceiver((socket) => void socket.on('data', (chunk: Buffer) => bytes.push(chunk)));
    try {
      const origin = `https://shop.example:${silent.port}`;
      const { outcome } = await postTo('shop.example', (_, question) => question === 2, toLoopback, origin);
      expect(outcome).toBeInstanceOf(BlockedAddressError);
      expect(silent.connections).toBe(1);
    } finally {
      await silent.close();
    }
    expect(bytes).toEqual([]);
  });

  test('tries the next address of a name when one does not answer', async () => {
    const resolve: Resolve = async () => [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const { outcome, requested } = await postTo('shop.example', () => false, resolve);
    expect(outcome).toBe(200);
    expect(requested).toEqual(['127.0.0.2', '127.0.0.1', '127.0.0.1']);
  });

  test('notices immediately when the peer closes before the TLS handshake is done', async () => {
    const rude = await startTcpReceiver((socket) => void socket.end());
    try {
      const origin = `https://shop.example:${rude.port}`;
      const { outcome } = await postTo('shop.example', () => false, toLoopback, origin);
      expect(outcome).toMatchObject({ code: 'ECONNRESET' });
    } finally {
      await rude.close();
    }
  });

  test('times out a connection at any stage', async () => {
    const silent = await startTcpReceiver((socket) => void socket.resume());
    try {
      const never: Resolve = () => new Promise(() => undefined);
      for (const [resolve, port] of [
        [never, receiver.port],
        [toLoopback, silent.port],
      ] as const) {
        dispatcher = createGuardedDispatcher({ isForbidden: () => false, resolve, connectTimeoutMs: 100 });
        const sent = request(`https://shop.example:${port}/`, { dispatcher, method: 'POST' });
        await expect(sent).rejects.toMatchObject({ code: 'ETIMEDOUT' });
        await dispatcher.destroy();
      }
    } finally {
      await silent.close();
    }
  });

  test('does not connect when the address in the URL is forbidden', async () => {
    const { outcome, requested } = await postTo('127.0.0.1', () => true);
    expect(outcome).toBeInstanceOf(BlockedAddressError);
    expect(requested).toEqual(['127.0.0.1']);
    expect(receiver.connections).toBe(0);
  });

  test('rejects a name without addresses like DNS does', async () => {
    const { outcome } = await postTo(
      'shop.example',
      () => false,
      async () => [],
    );
    expect(outcome).toMatchObject({ code: 'ENODATA' });
  });

  test('ignores the proxies of the environment', async () => {
    const proxy = await startReceiver();
    const former = process.env.http_proxy;
    process.env.http_proxy = `http://127.0.0.1:${proxy.port}`;
    try {
      expect((await postTo('shop.example', () => false)).outcome).toBe(200);
      expect(proxy.connections).toBe(0);
    } finally {
      if (former === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = former;
      await proxy.close();
    }
  });
});

describe('the resolver', () => {
  test('knows the names in the hosts file', async () => {
    const addresses = await createResolver({ hasPrivateReceivers: false })('localhost');
    expect(addresses.map(({ address }) => address)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(127\.|::1$)/)]),
    );
  });

  describe('for a name without a record', () => {
    const server = createSocket('udp4').on('message', (query, from) => {
      server.send(noRecord(query), from.port, from.address);
    });
    beforeAll(() => new Promise<void>((resolve) => void server.bind(0, '127.0.0.1', resolve)));
    afterAll(() => new Promise<void>((resolve) => void server.close(resolve)));

    /** A resolver whose lookups by the operating system take until `answer` is called. */
    function startResolver(hasPrivateReceivers: boolean) {
      const looked: string[] = [];
      const responded = new EventEmitter();
      const done = once(responded, 'answer');
      const lookupLocally = async (hostname: string) => {
        looked.push(hostname);
        await done;
        return [];
      };
      const servers = [`127.0.0.1:${server.address().port}`];
      const resolve = createResolver({ hasPrivateReceivers, servers, lookupLocally });
      return { resolve, looked, respond: () => responded.emit('answer') };
    }

    test('queries the operating system only when it can be a name of a private network', async () => {
      const { resolve, looked, respond } = startResolver(false);
      respond();
      await expect(resolve('shop.example')).rejects.toMatchObject({ code: 'ENODATA', syscall: 'queryA' });
      for (const name of ['shop', 'shop.internal.']) expect(await resolve(name)).toEqual([]);
      expect(looked).toEqual(['shop', 'shop.internal.']);
      const internal = startResolver(true);
      internal.respond();
      await internal.resolve('shop.example');
      expect(internal.looked).toEqual(['shop.example']);
    });

    test('looks up one public and one private name at a time, each once, and the others wait', async () => {
      const { resolve, looked, respond } = startResolver(true);
      const all = [resolve('slow.example'), resolve('slow.example')];
      await vi.waitFor(() => expect(looked).toEqual(['slow.example']));
      all.push(resolve('other.example'), resolve('shop.internal'));
      await vi.waitFor(() => expect(looked).toEqual(['slow.example', 'shop.internal']));
      respond();
      expect(await Promise.all(all)).toEqual([[], [], [], []]);
      expect(looked).toEqual(['slow.example', 'shop.internal', 'other.example']);
    });

    test('resolves each of many private receivers requested at the same moment', async () => {
      let running = 0;
      const lookupLocally = async () => {
        running += 1;
        expect(running).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return [{ address: '10.0.0.1', family: 4 }] as const;
      };
      const servers = [`127.0.0.1:${server.address().port}`];
      const resolve = createResolver({ hasPrivateReceivers: true, servers, lookupLocally });
      const names = Array.from({ length: 40 }, (_, index) => `receiver-${index}.internal`);
      const found = await Promise.all(names.map((name) => resolve(name)));
      expect(found.flat()).toHaveLength(40);
    });

    test('rejects a name as a local failure when too many wait', async () => {
      const { resolve, looked, respond } = startResolver(true);
      const names = Array.from({ length: 60 }, (_, index) => `receiver-${index}.internal`);
      const rejected: unknown[] = [];
      const settled = names.map((name) => resolve(name).catch((reason: unknown) => void rejected.push(reason)));
      // The first one is not answered before too many wait behind it.
      await vi.waitFor(() => expect(rejected.length).toBeGreaterThan(0), POLLING);
      expect(looked).toHaveLength(1);
      respond();
      await Promise.all(settled);
      for (const reason of rejected) expect(reason).toMatchObject({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' });
      expect(await resolve('receiver-0.internal')).toEqual([]);
    });
  });
});

/** The question with a response of no records (RFC 1035 section 4.1). */
function noRecord(query: Buffer): Buffer {
  const response = Buffer.from(query.subarray(0, query.indexOf(0, 12) + 5));
  response.writeUInt16BE(0x81_80, 2);
  response.fill(0, 6, 12);
  return response;
}
