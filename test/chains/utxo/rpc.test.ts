import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BitcoindRpc, createBitcoindRpc } from '../../../src/chains/index.ts';
import { RPC_BATCH_CALLS } from '../../../src/chains/utxo/rpc.ts';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}
type Body = Request | readonly Request[];

const SECRET = 'p@ss/word';
let server: Server;
let rpc: BitcoindRpc;
let seen: { readonly headers: IncomingHttpHeaders; readonly body: Body }[];
let respond: (body: Body) => { readonly status: number; readonly text: string } | null;

beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: Body = JSON.parse(Buffer.concat(chunks).toString());
      seen.push({ headers: request.headers, body });
      const answer = respond(body);
      if (answer === null) return;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  rpc = client();
});

afterEach(async () => {
  await rpc.close();
  server.closeAllConnections();
  server.close();
});

function client(timeoutMs?: number): BitcoindRpc {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = `http://shop:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/`;
  return createBitcoindRpc(timeoutMs === undefined ? { url } : { url, timeoutMs });
}

function responded(id: number, result: unknown) {
  return { result, error: null, id };
}

describe('a call', () => {
  test('sends method, parameters and basic authentication from the URL', async () => {
    respond = (body) => ({ status: 200, text: JSON.stringify(responded((body as Request).id, 'ab')) });
    expect(await rpc.call('getblockhash', [7])).toBe('ab');
    expect(seen[0]?.body).toMatchObject({ method: 'getblockhash', params: [7] });
    const credentials = Buffer.from(`shop:${SECRET}`).toString('base64');
    expect(seen[0]?.headers.authorization).toBe(`Basic ${credentials}`);
  });

  test("throws the node's error with its code, although the node sends it as HTTP 500", async () => {
    respond = (body) => ({
      status: 500,
      text: JSON.stringify({ result: null, error: { code: -8, message: 'out of range' }, id: (body as Request).id }),
    });
    await expect(rpc.call('getblockhash', [9])).rejects.toMatchObject({
      name: 'RpcError',
      code: -8,
      method: 'getblockhash',
    });
  });

  test('to a node that is still starting is retryable', async () => {
    respond = () => ({
      status: 500,
      text: '{"result":null,"error":{"code":-28,"message":"Loading block index"},"id":null}',
    });
    await expect(rpc.call('getblockcount')).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_WARMING_UP' });
    await expect(
      rpc.batch([
        { method: 'getblockcount', params: [] },
        { method: 'getbestblockhash', params: [] },
      ]),
    ).rejects.toMatchObject({ code: 'NODE_WARMING_UP' });
  });

  test.each([
    [503, 'Work queue depth exceeded', 'Work queue depth exceeded'],
    [502, '<html>Bad Gateway</html>', '24 bytes that are not JSON-RPC'],
    [200, '{"something":"else"}', '20 bytes that are not JSON-RPC'],
  ])('answered with HTTP %i and no JSON-RPC is retryable and quotes words only', async (status, text, shown) => {
    respond = () => ({ status, text });
    const failure = rpc.call('getblockcount');
    await expect(failure).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_RESPONSE_UNUSABLE' });
    await expect(failure).rejects.toThrow(shown);
  });

  test('with rejected credentials is terminal until the operator fixes them', async () => {
    respond = () => ({ status: 401, text: '' });
    const failure = rpc.call('getblockcount');
    await expect(failure).rejects.toMatchObject({ name: 'TerminalError', code: 'NODE_REFUSED_CREDENTIALS' });
    await expect(failure).rejects.toThrow(/check the user and password/);
  });

  test('that is never answered times out', async () => {
    respond = () => null;
    const impatient = client(50);
    await expect(impatient.call('getblockcount')).rejects.toThrow(/no response within 50 ms/);
    await impatient.close();
  });

  test('to an unreachable node is retryable, and no message contains the password', async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    const failure: unknown = await rpc.call('getblockcount').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'RetryableError', code: 'NODE_UNREACHABLE' });
    const text = String(failure instanceof Error ? failure.message : failure);
    expect(text).toContain('127.0.0.1');
    expect(text).not.toContain('shop');
    expect(text).not.toContain(encodeURIComponent(SECRET));
    expect(text).not.toContain(SECRET);
  });

  test.each([
    [404, 'Cannot POST /v3/0123456789abcdef', / 404: 32 bytes that are not JSON-RPC/],
    [404, 'Cannot POST &#47;v3&#47;0123456789abcdef', / 404: 40 bytes that are not JSON-RPC/],
    [500, '{"result":null,"error":{"code":-28,"message":"no /v3/0123456789abcdef"},"id":null}', /\*\*\*/],
    [500, '{"result":null,"error":{"code":-1,"message":"no /v3/0123456789abcdef"},"id":null}', /\*\*\*/],
  ])('of a hosted node has the API key of its path in no message: HTTP %i, %s', async (status, text, shown) => {
    respond = () => ({ status, text });
    const hosted = createBitcoindRpc({ url: `${rpc.safeUrl}/v3/0123456789abcdef` });
    const failure = hosted.call('getblockcount');
    await expect(failure).rejects.not.toThrow('0123456789abcdef');
    await expect(failure).rejects.toThrow(shown);
    await hosted.close();
  });

  test('needs a URL, and an invalid one is not repeated in the message', () => {
    expect(() => createBitcoindRpc({ url: `not a url ${SECRET}` })).toThrow(/must have a form such as http:\/\/user/);
    expect(() => createBitcoindRpc({ url: `not a url ${SECRET}` })).not.toThrow(SECRET);
  });
});

describe('a batch', () => {
  test('returns results in request order, whatever order the node uses, with errors next to results', async () => {
    respond = (body) => {
      const responses = (body as readonly Request[]).map(({ id, params }) =>
        params[0] === 1
          ? { result: null, error: { code: -5, message: 'not found' }, id }
          : responded(id, `hash ${String(params[0])}`),
      );
      return { status: 200, text: JSON.stringify(responses.reverse()) };
    };
    const replies = await rpc.batch([0, 1, 2].map((height) => ({ method: 'getblockhash', params: [height] })));
    expect(replies).toMatchObject([
      { ok: true, result: 'hash 0' },
      { ok: false, error: { code: -5 } },
      { ok: true, result: 'hash 2' },
    ]);
  });

  test('is split into bounded requests', async () => {
    respond = (body) => {
      const list = Array.isArray(body) ? body : [body];
      const responses = list.map(({ id, params }: Request) => responded(id, params[0]));
      return { status: 200, text: JSON.stringify(Array.isArray(body) ? responses : responses[0]) };
    };
    const total = RPC_BATCH_CALLS * 2 + 1;
    const replies = await rpc.batch(Array.from({ length: total }, (_, index) => ({ method: 'echo', params: [index] })));
    expect(replies.map((reply) => reply.ok && reply.result)).toEqual(
      Array.from({ length: total }, (_, index) => index),
    );
    expect(seen.map(({ body }) => (Array.isArray(body) ? body.length : 1))).toEqual([100, 100, 1]);
  });

  test('without calls sends nothing', async () => {
    expect(await rpc.batch([])).toEqual([]);
    expect(seen).toEqual([]);
  });

  test('with a missing answer is rejected as a whole', async () => {
    respond = (body) => {
      const [first] = body as readonly Request[];
      return { status: 200, text: JSON.stringify([responded(first?.id ?? 0, 1)]) };
    };
    const calls = ['getblockcount', 'getbestblockhash'].map((method) => ({ method, params: [] }));
    await expect(rpc.batch(calls)).rejects.toMatchObject({ code: 'NODE_RESPONSE_UNUSABLE' });
  });
});
