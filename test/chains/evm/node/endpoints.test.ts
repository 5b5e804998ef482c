import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LAG_BLOCKS, RECOVERY_MS, SURVEY_EVERY_MS } from '../../../../src/chains/evm/node/endpoint-choice.ts';
import { SECOND_GRACE_MS } from '../../../../src/chains/evm/node/second-grace.ts';
import { LeftChainError } from '../../../../src/chains/evm/node/state-at.ts';
import { evmChain } from '../../../../src/chains/index.ts';
import { type FakeRpc, type RpcResponse, rejecting, responding, startFakeRpc } from './fake-rpc.ts';
import { makeNode, type NodeSettings, type NodeUnderTest } from './make-node.ts';

/**
 * Long enough for a busy machine to answer, short enough to wait for a response that never comes.
 */
const SILENCE_MS = 1_500;
const UNKNOWN = `0x${'ab'.repeat(32)}`;
let nodes: TestNode[];
let under: NodeUnderTest | null;

beforeEach(() => {
  nodes = [];
  under = null;
});

afterEach(async () => {
  await under?.node.close();
  await Promise.all(nodes.map(({ fake }) => fake.stop()));
});

/** A fake node with a chain of the given length that can be made to fail. */
interface TestNode {
  readonly fake: FakeRpc;
  height: number;
  chainId: string;
  genesisHash: string;
  /** Answers to single methods that replace the normal ones. */
  responses: Record<string, RpcResponse>;
  /** Status of every HTTP response; null never responds. */
  status: number | null;
}

async function startNodes(count: number, settings: NodeSettings = {}): Promise<NodeUnderTest> {
  for (let made = 0; made < count; made += 1) nodes.push(await startNode());
  const created = makeNode(
    nodes.map(({ fake }) => `${fake.url}/v2/secret-key`),
    settings,
  );
  under = created;
  return created;
}

async function startNode(): Promise<TestNode> {
  const fake = await startFakeRpc();
  const state: TestNode = { fake, height: 100, chainId: '0x7a69', genesisHash: hashOf(0), responses: {}, status: 200 };
  const respond = responding(({ method, params }) => {
    const [first] = params;
    const own = state.responses[method === 'eth_getBlockByNumber' ? `${method} ${String(first)}` : method];
    if (own !== undefined) return own;
    if (method === 'eth_chainId') return { result: state.chainId };
    if (method === 'eth_blockNumber') return { result: `0x${state.height.toString(16)}` };
    if (method === 'eth_syncing') return { result: false };
    if (method === 'eth_getTransactionByHash') return { result: null };
    if (method !== 'eth_getBlockByNumber') return null;
    const requested = first === 'latest' ? state.height : first === 'finalized' ? state.height - 64 : Number(first);
    const hash = requested === 0 ? state.genesisHash : hashOf(requested);
    return { result: { number: `0x${requested.toString(16)}`, hash, timestamp: '0x5' } };
  });
  fake.handle = async (request) => {
    const { status } = state;
    if (status === null) return null;
    return status === 200 ? respond(request) : { status, text: 'out of order' };
  };
  return state;
}

function hashOf(height: number): string {
  return `0x${height.toString(16).padStart(64, '0')}`;
}

function testNode(index: number): TestNode {
  const found = nodes[index];
  if (found === undefined) throw new RangeError(`there is no node ${index}`);
  return found;
}

const urlOf = (index: number) => testNode(index).fake.url;

describe('one endpoint', () => {
  test('that does not answer fails the poll with the endpoint in the message, and is retried in the next', async () => {
    const { node } = await startNodes(1);
    testNode(0).status = 503;
    await expect(node.heads()).rejects.toMatchObject({
      name: 'RetryableError',
      code: 'NODE_UNREACHABLE',
      message: expect.stringContaining(urlOf(0)),
    });
    testNode(0).status = 200;
    expect((await node.heads()).latest.height).toBe(100);
    expect(node.status()).toEqual({ endpoint: urlOf(0), failovers: 0 });
  });

  test('of another chain is never used, and the error names the expected one', async () => {
    const { node } = await startNodes(1);
    testNode(0).chainId = '0x1';
    for (const ask of [() => node.heads(), () => node.blockHashes([1]), () => node.heads()]) {
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'TerminalError', code: 'WRONG_NETWORK' });
      expect(String(error)).toContain(`${urlOf(0)} serves chain 1, but ethereum-regtest has chain id 31337`);
      expect(String(error)).toContain('set the URL of a node of ethereum-regtest');
    }
    expect(testNode(0).fake.count('eth_getBlockByNumber')).toBe(0);
    testNode(0).chainId = '0x7a69';
    expect((await node.heads()).latest.height).toBe(100);
  });

  test('with the right chain id and another genesis block is rejected as another network', async () => {
    const { node } = await startNodes(1, { params: evmChain('ethereum-mainnet') });
    testNode(0).chainId = '0x1';
    await expect(node.heads()).rejects.toMatchObject({
      code: 'WRONG_NETWORK',
      message: expect.stringContaining(`begins with block ${hashOf(0)}`),
    });
    testNode(0).genesisHash = evmChain('ethereum-mainnet').genesisHash ?? '';
    expect((await node.heads()).latest.height).toBe(100);
  });

  test('is checked again after a failure, since another node may answer there', async () => {
    const { node } = await startNodes(1);
    await node.heads();
    await node.heads();
    expect(testNode(0).fake.count('eth_chainId')).toBe(1);
    testNode(0).status = 500;
    await expect(node.blockHashes([1])).rejects.toMatchObject({ code: 'NODE_UNREACHABLE' });
    testNode(0).status = 200;
    testNode(0).chainId = '0x1';
    await expect(node.heads()).rejects.toMatchObject({ code: 'WRONG_NETWORK' });
  });

  test('that reports neither finality nor sync status is trusted', async () => {
    const { node } = await startNodes(1);
    testNode(0).responses = {
      'eth_getBlockByNumber finalized': rejecting(-32_602, 'invalid block tag'),
      eth_syncing: rejecting(-32_601, 'the method eth_syncing is not available'),
    };
    expect(await node.heads()).toMatchObject({ finalizedHeight: null, isSyncing: false });
    testNode(0).responses = { 'eth_getBlockByNumber finalized': { result: null } };
    expect(await node.heads()).toMatchObject({ finalizedHeight: null });
    testNode(0).responses = { eth_syncing: { result: { currentBlock: '0x1', highestBlock: '0x9' } } };
    expect(await node.heads()).toMatchObject({ finalizedHeight: 36, isSyncing: true });
  });

  test.each<[string, RpcResponse]>([
    ['null', { result: null }],
    ['a hash that is none', { result: { number: '0x5', hash: '0x12', timestamp: '0x5' } }],
    ['a decimal height', { result: { number: 5, hash: hashOf(5), timestamp: '0x5' } }],
    ['a height beyond counting', { result: { number: `0x${'f'.repeat(20)}`, hash: hashOf(5), timestamp: '0x5' } }],
    ['text', { result: 'latest' }],
  ])('whose newest block is %s is rejected', async (_, response) => {
    const { node } = await startNodes(1);
    testNode(0).responses = { 'eth_getBlockByNumber latest': response };
    await expect(node.heads()).rejects.toMatchObject({ name: 'RetryableError', code: 'NODE_RESPONSE_UNUSABLE' });
  });

  test('that returns other blocks or transactions than requested is rejected', async () => {
    const { node } = await startNodes(1);
    await node.heads();
    const block = { number: '0x8', hash: hashOf(8), timestamp: '0x5', parentHash: hashOf(7), transactions: [] };
    testNode(0).responses = { 'eth_getBlockByNumber 0x7': { result: block } };
    await expect(node.blocks([7])).rejects.toMatchObject({ code: 'NODE_RESPONSE_UNUSABLE' });
    await expect(node.blockHashes([7])).rejects.toMatchObject({ code: 'NODE_RESPONSE_UNUSABLE' });
    const address = `0x${'11'.repeat(20)}`;
    const transaction = { hash: hashOf(1), from: address, to: address, value: '0x0', nonce: '0x0', blockHash: null };
    testNode(0).responses = { eth_getTransactionByHash: { result: transaction } };
    await expect(node.transactions([UNKNOWN])).rejects.toMatchObject({ code: 'NODE_RESPONSE_UNUSABLE' });
    expect(await node.transactions([hashOf(1)])).toMatchObject([{ txid: hashOf(1) }]);
  });
});

describe('two endpoints', () => {
  test('are used in list order, and only the first while it is in sync', async () => {
    const { node, clock } = await startNodes(2);
    for (let poll = 0; poll < 10; poll += 1) {
      await node.heads();
      await node.blockHashes([1, 2]);
      clock.nowMs += 1_000;
    }
    expect(node.status()).toEqual({ endpoint: urlOf(0), failovers: 0 });
    expect(testNode(1).fake.count('eth_getBlockByNumber')).toBe(0);
    expect(testNode(1).fake.count('eth_blockNumber')).toBe(1);
  });

  test.each<[string, Partial<TestNode>]>([
    ['HTTP 500', { status: 500 }],
    ['HTTP 429', { status: 429 }],
    ['HTTP 401', { status: 401 }],
    ['silence', { status: null }],
    ['garbage', { responses: { 'eth_getBlockByNumber latest': { result: 'garbage' } } }],
    ['an internal error', { responses: { 'eth_getBlockByNumber latest': rejecting(-32_603, 'Internal error') } }],
    ['another network', { chainId: '0x1' }],
  ])('start with the second, without a failover, when the first has %s', async (_, fault) => {
    const { node } = await startNodes(2, { timeoutMs: SILENCE_MS });
    Object.assign(testNode(0), fault);
    testNode(1).height = 101;
    expect((await node.heads()).latest.height).toBe(101);
    expect(node.status()).toEqual({ endpoint: urlOf(1), failovers: 0 });
  });

  test.each([500, 429, 401, null])('fail the poll with %s, and the next poll uses the second', async (status) => {
    const { node, logged } = await startNodes(2, { timeoutMs: SILENCE_MS });
    await node.heads();
    testNode(0).status = status;
    await expect(node.blockHashes([1])).rejects.toMatchObject({ name: 'RetryableError' });
    await expect(node.transactions([UNKNOWN])).rejects.toMatchObject({ name: 'RetryableError' });
    expect(testNode(1).fake.count('eth_getTransactionByHash')).toBe(0);
    await node.heads();
    expect(await node.transactions([UNKNOWN])).toEqual([null]);
    expect(testNode(1).fake.count('eth_getTransactionByHash')).toBe(1);
    expect(node.status()).toEqual({ endpoint: urlOf(1), failovers: 1 });
    expect(logged.filter((line) => line.startsWith('warn: a node is out of sync'))).toHaveLength(1);
  });

  test('let the second answer what one may be wrong about, or nothing when it cannot', async () => {
    const { node } = await startNodes(2);
    for (const [index, balance] of ['0x1', '0x2'].entries()) {
      testNode(index).responses = { eth_call: { result: '0x' }, eth_getBalance: { result: balance } };
    }
    const accounts = [{ watchKey: `0x${'11'.repeat(20)}`, asset: 'ETH' }] as const;
    const block = { height: 100, blockHash: hashOf(100) };
    await node.heads();
    expect(await node.balances(accounts, block)).toEqual([1n]);
    expect(await node.second.balances(accounts, block)).toEqual([2n]);
    testNode(1).responses = {
      eth_call: { result: '0x' },
      eth_getBalance: { error: { code: -32000, message: 'header not found' } },
    };
    expect(await node.second.balances(accounts, block)).toBe(null);
    testNode(1).status = 500;
    expect(await node.second.balances(accounts, block)).toBe(null);
    expect(node.status()).toEqual({ endpoint: urlOf(0), failovers: 0 });
  });

  test('wait for the second while it may just not have received the block', async () => {
    const { node, clock } = await startNodes(2);
    await node.heads();
    const accounts = [{ watchKey: `0x${'11'.repeat(20)}`, asset: 'ETH' }] as const;
    const block = { height: 100, blockHash: hashOf(100) };
    const missing = {
      eth_call: { error: { code: -32000, message: 'header not found' } },
      eth_getBalance: { error: { code: -32000, message: 'header not found' } },
      'eth_getBlockByNumber 0x64': { result: null },
      eth_blockNumber: { result: '0x63' },
    };
    testNode(1).responses = missing;
    const older = { height: 90, blockHash: hashOf(90) };
    for (const waits of [true, true, false]) {
      const answer = node.second.balances(accounts, block);
      if (waits) await expect(answer).rejects.toThrow(LeftChainError);
      else expect(await answer).toBe(null);
      // An answer about an older block does not show that it has caught up.
      testNode(1).responses = { eth_call: { result: '0x' }, eth_getBalance: { result: '0x2' } };
      expect(await node.second.balances(accounts, older)).toEqual([2n]);
      testNode(1).responses = missing;
      clock.nowMs += SECOND_GRACE_MS / 2;
    }
    clock.nowMs += SECOND_GRACE_MS;
    await expect(node.second.balances(accounts, block)).rejects.toThrow(LeftChainError);
    expect(node.status()).toEqual({ endpoint: urlOf(0), failovers: 0 });
  });

  test('return to the first once it was in sync for a while', async () => {
    const { node, clock } = await startNodes(2);
    await node.heads();
    testNode(0).status = 500;
    await expect(node.blockHashes([1])).rejects.toThrow();
    await node.heads();
    testNode(0).status = 200;
    for (let passed = 0; passed < RECOVERY_MS; passed += 10_000) {
      clock.nowMs += 10_000;
      await node.heads();
      expect(node.status().endpoint).toBe(urlOf(1));
    }
    clock.nowMs += SURVEY_EVERY_MS;
    await node.heads();
    expect(node.status()).toEqual({ endpoint: urlOf(0), failovers: 2 });
  });

  test('do not return to a first one that fails again while it recovers', async () => {
    const { node, clock } = await startNodes(2);
    testNode(0).status = 500;
    await node.heads();
    for (let survey = 0; survey < 8; survey += 1) {
      testNode(0).status = survey % 2 === 0 ? 200 : 500;
      clock.nowMs += SURVEY_EVERY_MS;
      await node.heads();
      expect(node.status().endpoint).toBe(urlOf(1));
    }
  });

  test.each([
    [LAG_BLOCKS, 1],
    [LAG_BLOCKS - 1, 0],
  ])('with a first one %i blocks behind use number %i', async (lag, index) => {
    const { node, clock } = await startNodes(2);
    await node.heads();
    testNode(1).height += lag;
    clock.nowMs += SURVEY_EVERY_MS;
    await node.heads();
    expect(node.status().endpoint).toBe(urlOf(index));
  });

  test('are compared in a poll whose first has a shorter chain than seen before', async () => {
    const { node, clock } = await startNodes(2);
    testNode(1).height = 101;
    await node.heads();
    testNode(0).height = 99;
    expect((await node.heads()).latest.height).toBe(101);
    expect(node.status()).toEqual({ endpoint: urlOf(1), failovers: 1 });
    testNode(0).height = 101;
    clock.nowMs += 1_000;
    expect((await node.heads()).latest.height).toBe(101);
    expect(node.status()).toEqual({ endpoint: urlOf(0), failovers: 2 });
  });

  test('that both have a shorter chain than seen before: the longer one is used, else the first', async () => {
    const { node } = await startNodes(2);
    await node.heads();
    Object.assign(testNode(0), { height: 98 });
    Object.assign(testNode(1), { height: 99 });
    expect((await node.heads()).latest.height).toBe(99);
    Object.assign(testNode(0), { height: 97 });
    Object.assign(testNode(1), { height: 97 });
    expect((await node.heads()).latest.height).toBe(97);
    expect(node.status().endpoint).toBe(urlOf(0));
  });

  test('do not wait for a failing one when the other has a shorter chain than seen before', async () => {
    const { node, clock } = await startNodes(2, { timeoutMs: SILENCE_MS });
    testNode(1).status = 500;
    await node.heads();
    testNode(0).height = 99;
    testNode(1).status = null;
    clock.nowMs += 1_000;
    const requested = testNode(1).fake.count('eth_getBlockByNumber');
    expect((await node.heads()).latest.height).toBe(99);
    expect(testNode(1).fake.count('eth_getBlockByNumber')).toBe(requested);
    expect(node.status()).toEqual({ endpoint: urlOf(0), failovers: 0 });
  });

  test('stay with the first while the second is behind', async () => {
    const { node, clock } = await startNodes(2);
    testNode(1).height -= 50;
    await node.heads();
    clock.nowMs += SURVEY_EVERY_MS;
    await node.heads();
    expect(node.status()).toEqual({ endpoint: urlOf(0), failovers: 0 });
  });

  test('are not compared with a node of another network whose chain is longer', async () => {
    const { node, clock, logged } = await startNodes(2);
    testNode(1).chainId = '0x1';
    testNode(1).height = 20_000_000;
    for (let poll = 0; poll < 5; poll += 1) {
      expect((await node.heads()).latest.height).toBe(100);
      clock.nowMs += SURVEY_EVERY_MS;
    }
    expect(testNode(1).fake.count('eth_blockNumber')).toBe(0);
    expect(testNode(1).fake.count('eth_chainId')).toBe(1);
    expect(logged.filter((line) => line.startsWith('error:') && line.includes('serves chain 1'))).toHaveLength(1);
  });

  test('that both fail are an error naming both, and the first to recover is used', async () => {
    const { node } = await startNodes(2);
    testNode(0).status = 500;
    testNode(1).status = 503;
    await expect(node.heads()).rejects.toMatchObject({
      name: 'RetryableError',
      message: expect.stringMatching(new RegExp(`${urlOf(0)} .*; ${urlOf(1)} `)),
    });
    testNode(1).status = 200;
    await node.heads();
    expect(node.status().endpoint).toBe(urlOf(1));
  });

  test('that both reject the credentials are a terminal error; if one may recover, the error is retryable', async () => {
    const { node } = await startNodes(2);
    testNode(0).status = 401;
    testNode(1).status = 401;
    await expect(node.heads()).rejects.toMatchObject({ name: 'TerminalError', code: 'NODE_REFUSED_CREDENTIALS' });
    testNode(1).status = 500;
    await expect(node.heads()).rejects.toMatchObject({ name: 'RetryableError' });
  });

  test('never expose their API keys in messages, logs or status', async () => {
    const { node, logged, clock } = await startNodes(2);
    const messages: string[] = [];
    for (const status of [500, 401, 429, 404, 200]) {
      testNode(0).status = status;
      testNode(1).status = status;
      clock.nowMs += SURVEY_EVERY_MS;
      await node.heads().catch((error: unknown) => messages.push(String(error)));
      await node.blockHashes([1]).catch((error: unknown) => messages.push(String(error)));
    }
    expect(messages.length).toBeGreaterThan(3);
    expect(JSON.stringify([messages, logged, node.status()])).not.toContain('secret-key');
  });
});

test('a node without any URL is rejected, with the network that lacks it', () => {
  expect(() => makeNode([])).toThrow(
    expect.objectContaining({ code: 'NODE_URL_INVALID', message: expect.stringContaining('ethereum-regtest') }),
  );
});
