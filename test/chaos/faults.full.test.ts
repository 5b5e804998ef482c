import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createBitcoindRpc } from '../../src/chains/index.ts';
import { POLLING } from '../support/polling.ts';
import { createLine } from './environment/line.ts';
import { createRpcProxy, type RpcCall, type RpcProxy } from './environment/rpc-proxy.ts';
import { loadingMempool, TRACE_FAILURES, unauthorized } from './faults/node-faults.ts';
import { createRandom } from './random.ts';
import { divide, reorder } from './workload/branch.ts';

/** How faults change a node's responses and connections: without effect they prove nothing. */

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

describe('the proxy in front of a node', () => {
  test('forwards everything without a fault, and after one has ended', async () => {
    const { proxy, call } = await nodeBehindProxy();
    expect(await call('getrawmempool')).toEqual(['aa']);
    const fault = proxy.interfere(unauthorized());
    await expect(call('getrawmempool')).rejects.toThrow('returned 401');
    expect(fault.end()).toBe(1);
    expect(await call('getrawmempool')).toEqual(['aa']);
  });

  test('a loading mempool: the node warms up, then returns an empty list and reports that it is loading', async () => {
    const { proxy, call } = await nodeBehindProxy();
    proxy.interfere(loadingMempool());
    await expect(call('getblockcount')).rejects.toThrow('is starting');
    await vi.waitFor(async () => expect(await call('getblockcount')).toBe(7), POLLING);
    expect(await call('getmempoolinfo')).toMatchObject({ loaded: false, size: 0 });
    expect(await call('getrawmempool')).toEqual([]);
    await expect(call('getmempoolentry', 'aa')).rejects.toThrow('not in mempool');
    await expect(call('getrawtransaction', 'aa', true)).rejects.toThrow('No such mempool');
  });

  test.each(Object.keys(TRACE_FAILURES) as (keyof typeof TRACE_FAILURES)[])(
    'traces fail with %s, other calls succeed',
    async (how) => {
      const { proxy, call } = await nodeBehindProxy();
      const fault = proxy.interfere(TRACE_FAILURES[how]);
      const traces = ['debug_traceBlockByHash', 'trace_block'].map((method) => call(method).catch(() => 'failed'));
      expect(await call('getblockcount')).toBe(7);
      await vi.waitFor(() => expect(fault.changed()).toBe(2), POLLING);
      expect(fault.end()).toBe(2);
      // A request without a response ends with its connection.
      expect(await Promise.all(traces)).toEqual(['failed', 'failed']);
    },
  );

  test('two concurrent faults both apply', async () => {
    const { proxy, call } = await nodeBehindProxy();
    const traces = proxy.interfere(TRACE_FAILURES['internal error']);
    const other = proxy.interfere({
      replace: ({ method }, reply) => (method === 'getblockcount' ? { ...reply, result: 8 } : null),
    });
    await expect(call('trace_block')).rejects.toThrow('Internal error');
    expect(await call('getblockcount')).toBe(8);
    expect([traces.end(), other.end()]).toEqual([1, 1]);
  });
});

describe('a node that is held', () => {
  test('is asked nothing until the work is done, and not before what it was asked already', async () => {
    const { proxy, call } = await nodeBehindProxy();
    const order: string[] = [];
    const ask = (name: string) => call('getrawmempool').then(() => order.push(name));
    await ask('before');
    const working = proxy.hold(async () => {
      order.push('work begins');
      await new Promise((resolve) => setImmediate(resolve));
      order.push('work ends');
    });
    const requested = ask('meanwhile');
    await Promise.all([working, requested]);
    await expect(proxy.hold(() => Promise.reject(new Error('work fails')))).rejects.toThrow('work fails');
    await ask('after');
    expect(order).toEqual(['before', 'work begins', 'work ends', 'meanwhile', 'after']);
  });
});

describe('a silent connection', () => {
  test('stays open and forwards nothing, while new connections forward data', async () => {
    const echo = createServer((socket) => void socket.on('error', () => {}).pipe(socket));
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    open.push(() => echo.close());
    const line = await createLine('a line', echo.address() as { port: number });
    open.push(() => line.close());
    const old = await socketTo(line.port);
    expect(await responseOf(old, 'one')).toBe('one');
    expect(line.silence()).toBe(1);
    line.repair();
    let received = '';
    old.on('data', (chunk) => {
      received += String(chunk);
    });
    old.write('two');
    expect(await responseOf(await socketTo(line.port), 'three')).toBe('three');
    expect([received, old.closed]).toEqual(['', false]);
    expect(line.silence()).toBe(1);
  });
});

describe('a competing branch', () => {
  test('has the same transactions in another order, but keeps the order of each sender', () => {
    const all = Array.from({ length: 30 }, (_, index) => ({ index, sender: `sender ${index % 4}` }));
    const other = reorder(all, createRandom(3));
    expect(other).not.toEqual(all);
    expect(other.toSorted((one, two) => one.index - two.index)).toEqual(all);
    for (let sender = 0; sender < 4; sender += 1) {
      const own = other.filter((each) => each.sender === `sender ${sender}`).map(({ index }) => index);
      expect(own).toEqual(own.toSorted((one, two) => one - two));
    }
  });

  test('is divided into the requested number of blocks, with nothing left out', () => {
    const blocks = divide([1, 2, 3, 4, 5], 3, createRandom(4));
    expect([blocks.length, blocks.flat()]).toEqual([3, [1, 2, 3, 4, 5]]);
  });
});

// Helpers

const RESULTS: Readonly<Record<string, unknown>> = {
  getblockcount: 7,
  getmempoolinfo: { loaded: true, size: 1 },
  getrawmempool: ['aa'],
  getmempoolentry: { time: 1 },
  getrawtransaction: { txid: 'aa' },
  debug_traceBlockByHash: [],
  trace_block: [],
};

async function nodeBehindProxy(): Promise<{
  proxy: RpcProxy;
  call: (method: string, ...params: unknown[]) => Promise<unknown>;
}> {
  const node = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as RpcCall;
      response.end(JSON.stringify({ id, result: RESULTS[method], error: null }));
    });
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  open.push(() => node.close());
  open.push(() => node.closeAllConnections());
  const proxy = await createRpcProxy(`http://127.0.0.1:${(node.address() as { port: number }).port}`);
  const rpc = createBitcoindRpc({ url: `http://user:password@127.0.0.1:${proxy.port}` });
  open.push(() => rpc.close());
  open.push(() => proxy.close());
  return { proxy, call: (method, ...params) => rpc.call(method, params) };
}

async function socketTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  open.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function responseOf(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return String(chunk);
}
