import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEvmRpc, EVM_BATCH_CALLS, type EvmRpc } from '../../../../src/chains/evm/rpc/json-rpc.ts';
import { callsOf, type FakeRpc, type HttpReply, rejecting, responding, startFakeRpc } from './fake-rpc.ts';

const API_KEY = 'k3y-0123456789abcdef';
const PASSWORD = 'p@ss/word';
let fake: FakeRpc;
let rpc: EvmRpc;

beforeEach(async () => {
  fake = await startFakeRpc(responding(({ params }) => ({ result: params[0] ?? null })));
  rpc = createEvmRpc({ url: secretUrl() });
});

afterEach(async () => {
  await rpc.close();
  await fake.stop();
});

function secretUrl(): string {
  const withUser = fake.url.replace('http://', `http://shop:${encodeURIComponent(PASSWORD)}@`);
  return `${withUser}/v2/${API_KEY}?token=${API_KEY}-2`;
}

const echo = (value: unknown) => ({ method: 'echo', params: [value] });
const numbers = (length: number) => Array.from({ length }, (_, index) => index);

async function failure(asking: Promise<unknown>): Promise<unknown> {
  return asking.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('a call', () => {
  test('sends the path with its API key, and user and password as basic authentication', async () => {
    expect(await rpc.call('echo', ['0x1'])).toBe('0x1');
    const credentials = Buffer.from(`shop:${PASSWORD}`).toString('base64');
    expect(fake.requests[0]).toMatchObject({
      path: `/v2/${API_KEY}?token=${API_KEY}-2`,
      headers: { authorization: `Basic ${credentials}` },
      body: { jsonrpc: '2.0', method: 'echo', params: ['0x1'] },
    });
  });

  test("throws the node's error with its code, also with an HTTP error status", async () => {
    for (const status of [200, 400, 500]) {
      const reply = responding(() => rejecting(-32_000, 'header not found'));
      fake.handle = async (request) => ({
        ...(await reply(request)),
        status,
        text: (await reply(request))?.text ?? '',
      });
      await expect(rpc.call('eth_call', [])).rejects.toMatchObject({ name: 'RpcError', code: -32_000 });
    }
  });

  test.each<[string, HttpReply, string]>([
    ['HTML', { text: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }, 'NODE_RESPONSE_UNUSABLE'],
    ['HTML with status 502', { status: 502, text: '<html>Bad gateway</html>' }, 'NODE_UNREACHABLE'],
    ['an empty 500', { status: 500, text: '' }, 'NODE_UNREACHABLE'],
    ['half a response', { text: '{"jsonrpc":"2.0","id":1,"res' }, 'NODE_RESPONSE_UNUSABLE'],
    ['neither result nor error', { text: '{"jsonrpc":"2.0","id":1}' }, 'NODE_RESPONSE_UNUSABLE'],
    ['another id', { text: '{"jsonrpc":"2.0","id":99,"result":"0x1"}' }, 'NODE_RESPONSE_UNUSABLE'],
    ['a number', { text: '17' }, 'NODE_RESPONSE_UNUSABLE'],
    [
      'a redirection',
      { status: 302, text: '', headers: { location: 'http://127.0.0.1:1/' } },
      'NODE_RESPONSE_UNUSABLE',
    ],
    ['429', { status: 429, text: 'slow down', headers: { 'retry-after': '20' } }, 'NODE_UNREACHABLE'],
  ])('answered with %s is retryable', async (_, reply, code) => {
    fake.handle = () => reply;
    await expect(rpc.call('echo', [])).rejects.toMatchObject({ name: 'RetryableError', code });
    await expect(rpc.batch([echo(1), echo(2)])).rejects.toMatchObject({ name: 'RetryableError' });
  });

  test('answered with 429 is retryable after the pause the node asks for', async () => {
    fake.handle = () => ({ status: 429, text: '', headers: { 'retry-after': '20' } });
    await expect(rpc.call('echo', [])).rejects.toMatchObject({ retryAfterMs: 20_000 });
  });

  test.each([401, 403])('answered with %i is terminal and names the remedy', async (status) => {
    fake.handle = () => ({ status, text: `{"jsonrpc":"2.0","id":0,"error":{"code":-32002,"message":"${API_KEY}?"}}` });
    await expect(rpc.call('echo', [])).rejects.toMatchObject({
      name: 'TerminalError',
      code: 'NODE_REFUSED_CREDENTIALS',
      message: expect.stringContaining('check the API key'),
    });
  });

  test('that is never answered times out', async () => {
    fake.handle = () => null;
    const error = await failure(rpc.call('echo', [], { timeoutMs: 30 }));
    expect(error).toMatchObject({ name: 'RetryableError', code: 'NODE_UNREACHABLE' });
    expect(String(error)).toContain('no response within 30 ms');
  });

  test('to a port without a listener is retryable', async () => {
    const other = await startFakeRpc();
    await other.stop();
    const client = createEvmRpc({ url: other.url });
    await expect(client.call('echo', [])).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_UNREACHABLE' });
    await client.close();
  });
});

describe('a batch', () => {
  test('returns results in the order of its calls, whatever order the node uses', async () => {
    fake.handle = ({ body }) => {
      const responses = callsOf({ body }).map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params[0] }));
      return { text: JSON.stringify(responses.reverse()) };
    };
    const replies = await rpc.batch(numbers(120).map(echo));
    expect(replies.map((reply) => reply.ok && reply.result)).toEqual(numbers(120));
    expect(fake.requests.map(({ body }) => callsOf({ body }).length)).toEqual([EVM_BATCH_CALLS, EVM_BATCH_CALLS, 20]);
  });

  test('keeps the errors of single calls separate', async () => {
    fake.handle = responding(({ params: [value] }) => (value === 2 ? rejecting(-32_000, 'no') : { result: value }));
    const replies = await rpc.batch([1, 2, 3].map(echo));
    expect(replies).toMatchObject([{ ok: true, result: 1 }, { ok: false, error: { code: -32_000 } }, { ok: true }]);
  });

  test.each<[string, HttpReply]>([
    [
      'one error',
      { text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch requests are disabled"}}' },
    ],
    [
      'a list of one error',
      { text: '[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}]' },
    ],
    ['HTTP 400', { status: 400, text: 'bad request' }],
    ['HTTP 413', { status: 413, text: '' }],
    ['an empty list', { text: '[]' }],
  ])('rejected with %s is sent call by call, and batches are not tried again', async (_, rejection) => {
    const single = responding(({ params }) => ({ result: params[0] }));
    fake.handle = (request) => (Array.isArray(request.body) ? rejection : single(request));
    const replies = await rpc.batch(numbers(9).map(echo));
    expect(replies.map((reply) => reply.ok && reply.result)).toEqual(numbers(9));
    await rpc.batch(numbers(3).map(echo));
    expect(fake.requests.filter(({ body }) => Array.isArray(body))).toHaveLength(1);
    expect(fake.requests).toHaveLength(13);
  });

  test('that gets a pause request sends no further calls', async () => {
    fake.handle = () => ({
      text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"request rate limited"}}',
    });
    await expect(rpc.batch([1, 2].map(echo))).rejects.toMatchObject({ name: 'RetryableError' });
    expect(fake.requests).toHaveLength(1);
  });

  test('with a missing answer is rejected', async () => {
    fake.handle = ({ body }) => {
      const [first] = callsOf({ body });
      return { text: JSON.stringify([{ jsonrpc: '2.0', id: first?.id, result: 1 }]) };
    };
    await expect(rpc.batch([1, 2].map(echo))).rejects.toMatchObject({ code: 'NODE_RESPONSE_UNUSABLE' });
  });
});

describe('secrets of the URL', () => {
  const echoing = `Cannot POST /v2/${API_KEY}?token=${API_KEY}-2 for shop:${PASSWORD}`;

  test.each<[string, FakeRpc['handle']]>([
    ['an error page that repeats the path', () => ({ status: 404, text: echoing })],
    ['an error that repeats the path', responding(() => rejecting(-32_000, echoing))],
    ['a refusal', () => ({ status: 401, text: echoing })],
    ['a server error', () => ({ status: 500, text: echoing })],
    ['too many requests', () => ({ status: 429, text: echoing })],
    ['garbage', () => ({ text: echoing })],
  ])('are not in the message about %s', async (_, handle) => {
    fake.handle = handle;
    for (const asking of [rpc.call('echo', []), rpc.batch([echo(1), echo(2)])]) {
      const found = await asking.catch((error: unknown) => error);
      const shown = `${String(found)} ${JSON.stringify(found)} ${describeCauses(found)}`;
      for (const secret of [API_KEY, PASSWORD, encodeURIComponent(PASSWORD)]) expect(shown).not.toContain(secret);
    }
    expect(rpc.safeUrl).toBe(fake.url);
  });

  test('are not in the message about an unreachable node', async () => {
    const url = secretUrl();
    const client = createEvmRpc({ url, timeoutMs: 500 });
    await fake.stop();
    const found = await failure(client.call('echo', []));
    expect(describeCauses(found)).not.toContain(API_KEY);
    expect(String(found)).toContain(fake.url);
    await client.close();
    fake = await startFakeRpc();
  });

  test.each([`https://exa mple/${API_KEY}`, `ws://127.0.0.1/${API_KEY}`, API_KEY])(
    'are not in the message about an invalid URL: %s',
    (url) => {
      const create = () => createEvmRpc({ url });
      expect(create).toThrow(expect.objectContaining({ code: 'NODE_URL_INVALID' }));
      expect(create).not.toThrow(API_KEY);
    },
  );
});

/** What a log shows of an error: messages and stacks of all its causes. */
function describeCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.stack ?? ''} ${error.cause === undefined ? '' : describeCauses(error.cause)}`;
}
