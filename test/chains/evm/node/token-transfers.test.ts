import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogRange } from '../../../../src/chains/evm/node/evm-node.ts';
import {
  parseTransferLogs,
  type TokensByContract,
  TRANSFER_TOPIC,
} from '../../../../src/chains/evm/node/parse-transfer-logs.ts';
import { LeftChainError } from '../../../../src/chains/evm/node/state-at.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { assertProperty } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';
import { type FakeRpc, rejecting, responding, startFakeRpc } from './fake-rpc.ts';
import { makeNode, type NodeUnderTest } from './make-node.ts';

const LISTED = `0x${'11'.repeat(20)}`;
const FOREIGN = `0x${'22'.repeat(20)}`;
const PAYER = `0x${'aa'.repeat(20)}`;
const SHOP = `0x${'bb'.repeat(20)}`;
const HASH = `0x${'cc'.repeat(32)}`;
const APPROVAL_TOPIC = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const BY_CONTRACT: TokensByContract = new Map([[LISTED, 'DAI']]);

interface LogFields {
  readonly [field: string]: unknown;
}

function word(value: string | bigint): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2);
  return `0x${digits.padStart(64, '0')}`;
}

function transferLog(height: number, logIndex = 0, amount = 5n): LogFields {
  return {
    address: LISTED,
    topics: [TRANSFER_TOPIC, word(PAYER), word(SHOP)],
    data: word(amount),
    blockNumber: `0x${height.toString(16)}`,
    blockHash: HASH,
    transactionHash: HASH,
    logIndex: `0x${logIndex.toString(16)}`,
    removed: false,
  };
}

describe('transfers in logs', () => {
  test('include the ERC-20 transfers of the recorded logs, and none of ERC-721 and ERC-1155', () => {
    const file: unknown = JSON.parse(readFileSync('test/vectors/erc20-logs.json', 'utf8'));
    const { vectors } = file as { readonly vectors: readonly RecordedLogs[] };
    expect(vectors.length).toBeGreaterThan(3);
    let found = 0;
    for (const { name, logs, expectedTransfers } of vectors) {
      const mined = logs.map((log, index) => ({ ...transferLog(1, index), ...log }));
      const tokens = new Map(logs.map((log) => [log.address.toLowerCase(), 'DAI' as const]));
      const transfers = readable(mined).flatMap((log) => parseTransferLogs([log], tokens));
      const expected = name.startsWith('ERC20') ? expectedTransfers : [];
      expect(
        transfers.map(({ from, to, amountBaseUnits }) => ({ from, to, value: String(amountBaseUnits) })),
        name,
      ).toEqual(expected.map(({ from, to, value }) => ({ from, to, value })));
      found += transfers.length;
    }
    expect(found).toBeGreaterThan(2);
  });

  test('carry their identifiers in lower case', () => {
    const log = {
      ...transferLog(7, 3),
      address: LISTED.toUpperCase().replace('0X', '0x'),
      blockHash: HASH.toUpperCase().replace('0X', '0x'),
    };
    expect(parseTransferLogs([log], BY_CONTRACT)).toEqual([
      { token: 'DAI', from: PAYER, to: SHOP, amountBaseUnits: 5n, txid: HASH, logIndex: 3, height: 7, blockHash: HASH },
    ]);
  });

  test.each<[string, LogFields]>([
    ['an approval', { topics: [APPROVAL_TOPIC, word(PAYER), word(SHOP)] }],
    [
      'the transfer of a collectible (ERC-721)',
      { topics: [TRANSFER_TOPIC, word(PAYER), word(SHOP), word(5n)], data: '0x' },
    ],
    ['a transfer with four topics and an amount', { topics: [TRANSFER_TOPIC, word(PAYER), word(SHOP), word(5n)] }],
    ['a transfer that indexes nothing', { topics: [TRANSFER_TOPIC], data: `${word(PAYER)}${word(SHOP).slice(2)}` }],
    ['no amount', { data: '0x' }],
    ['a short amount', { data: '0x05' }],
    ['more than an amount', { data: `${word(5n)}00` }],
    ['a receiver longer than an address', { topics: [TRANSFER_TOPIC, word(PAYER), `0x01${word(SHOP).slice(4)}`] }],
    ['what a reorganisation removed', { removed: true }],
    ['another contract', { address: FOREIGN }],
    ['an anonymous event', { topics: [] }],
  ])('do not include %s', (_, fields) => {
    expect(parseTransferLogs([{ ...transferLog(1), ...fields }], BY_CONTRACT)).toEqual([]);
  });

  test('contain only transfers for any logs, and only invalid logs are an error', () => {
    assertProperty(
      fc.property(fc.array(arbitraryLog(), { maxLength: 4 }), (logs) => {
        let transfers: ReturnType<typeof parseTransferLogs>;
        try {
          transfers = parseTransferLogs(logs, BY_CONTRACT);
        } catch (error) {
          expect(error).toBeInstanceOf(RetryableError);
          expect(error).toMatchObject({ code: 'NODE_RESPONSE_UNUSABLE' });
          return;
        }
        expect(transfers.map(({ logIndex }) => logIndex)).toEqual(
          logs.flatMap((log) => (isTransferByTheBook(log) ? [Number(Object(log).logIndex)] : [])),
        );
      }),
      { numRuns: level.runs(2_000) },
    );
  });

  test.each([null, 'logs', {}, [null], [[]], [{}], [{ address: LISTED, topics: 'none' }]])(
    'cannot be in %j',
    (logs) => {
      expect(() => parseTransferLogs(logs, BY_CONTRACT)).toThrow(
        expect.objectContaining({ code: 'NODE_RESPONSE_UNUSABLE' }),
      );
    },
  );

  test.each(['blockHash', 'blockNumber', 'logIndex', 'transactionHash'])(
    'of a log without %s are rejected',
    (field) => {
      for (const value of [null, undefined, 7, '7', '0x', '0xzz']) {
        expect(() => parseTransferLogs([{ ...transferLog(1), [field]: value }], BY_CONTRACT)).toThrow(
          expect.objectContaining({ code: 'NODE_RESPONSE_UNUSABLE' }),
        );
      }
    },
  );
});

describe('requesting the transfers of a range', () => {
  const tip = 1_000;
  let fake: FakeRpc;
  let under: NodeUnderTest;
  let requested: { readonly from: number; readonly to: number }[];

  beforeEach(async () => {
    requested = [];
    fake = await startFakeRpc();
    under = makeNode([fake.url], { tokens: [{ symbol: 'DAI', contract: LISTED, decimals: 18 }] });
  });
  afterEach(async () => {
    await under.node.close();
    await fake.stop();
  });

  /** A node with one transfer in every block that answers for at most `limit` blocks. */
  function nodeWithLimit(
    limit: number,
    rejection: ReturnType<typeof rejecting>,
    logOf = transferLog,
  ): FakeRpc['handle'] {
    return responding(({ method, params: [first] }) => {
      if (method === 'eth_getLogs') {
        const from = Number(Object(first).fromBlock);
        const to = Number(Object(first).toBlock);
        requested.push({ from, to });
        if (to - from + 1 > limit) return rejection;
        return { result: Array.from({ length: to - from + 1 }, (_, index) => logOf(from + index)) };
      }
      if (method === 'eth_chainId') return { result: '0x7a69' };
      if (method === 'eth_syncing') return { result: false };
      if (method !== 'eth_getBlockByNumber') return null;
      const height = typeof first === 'string' && first.startsWith('0x') ? Number(first) : tip;
      if (height > tip) return { result: null };
      return { result: { number: `0x${height.toString(16)}`, hash: HASH, timestamp: '0x1' } };
    });
  }

  test.each([
    ['geth', -32_005, 'query returned more than 10000 results'],
    ['a newer geth', -32_000, 'exceed max block range: 5000'],
    ['Alchemy', -32_602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'],
    [
      'Alchemy, free',
      -32_600,
      'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range',
    ],
    ['QuickNode', -32_614, 'eth_getLogs is limited to a 10,000 range'],
    ['Infura', -32_005, 'query returned more than 10000 results. Try with this block range [0x1, 0x2].'],
    ['Cloudflare', -32_047, 'Invalid eth_getLogs request. Range too large. Max range: 800'],
    ['Ankr', -32_000, 'block range is too wide'],
    ['dRPC', 35, 'ranges over 10000 blocks are not supported on freetier'],
    ['proxyd', -32_020, 'backend response too large'],
    ['a slow node', -32_000, 'query timeout exceeded'],
  ])('is split in halves when %s finds it too large, and misses nothing', async (_, code, message) => {
    fake.handle = nodeWithLimit(3, rejecting(code, message));
    const transfers = await under.node.tokenTransfers(blocks(100, 117));
    expect(transfers.map(({ height }) => height)).toEqual(Array.from({ length: 18 }, (__, index) => 100 + index));
  });

  test('asks only for the recipients it is limited to', async () => {
    fake.handle = nodeWithLimit(3, rejecting(-32_005, 'query returned more than 10000 results'));
    await under.node.tokenTransfers({ ...blocks(100, 102), recipients: [`0x${'1a'.repeat(20)}`] });
    const calls = fake.requests.flatMap(({ body }) => body);
    const filter = calls.find(({ method }) => method === 'eth_getLogs')?.params[0];
    const recipients = [`0x${'00'.repeat(12)}${'1a'.repeat(20)}`];
    expect(filter).toMatchObject({ topics: [expect.any(String), null, recipients] });
  });

  test('is split down to one block, and reports the error for that one', async () => {
    fake.handle = nodeWithLimit(0, rejecting(-32_005, 'query returned more than 10000 results'));
    await expect(under.node.tokenTransfers(blocks(100, 117))).rejects.toMatchObject({
      code: 'NODE_RESPONSE_UNUSABLE',
      message: expect.stringContaining('more than 10000 results'),
    });
    expect(requested.at(-1)).toEqual({ from: 100, to: 100 });
  });

  test.each([
    ['asks for a pause', -32_005, 'daily request count exceeded, request rate limited'],
    ['is out of order', -32_603, 'internal error'],
    ['is behind', -32_000, 'block range extends beyond current head block'],
  ])('is not split when the node %s', async (_, code, message) => {
    fake.handle = nodeWithLimit(0, rejecting(code, message));
    await expect(under.node.tokenTransfers(blocks(1, 64))).rejects.toBeInstanceOf(RetryableError);
    expect(requested).toHaveLength(1);
  });

  test('from a node that lacks the last block is an error, not "none"', async () => {
    fake.handle = nodeWithLimit(100, rejecting(0, ''));
    await expect(under.node.tokenTransfers(blocks(tip, tip + 1))).rejects.toMatchObject({
      code: 'NODE_RESPONSE_UNUSABLE',
      message: expect.stringContaining(`no longer has block ${tip + 1}`),
    });
  });

  test('from a node with another last block is an error, not "none": it is on another branch', async () => {
    fake.handle = nodeWithLimit(100, rejecting(0, ''));
    const end = { height: 6, blockHash: `0x${'dd'.repeat(32)}` };
    await expect(under.node.tokenTransfers({ fromHeight: 5, end })).rejects.toBeInstanceOf(LeftChainError);
  });

  test('is rejected when logs of other blocks are returned', async () => {
    fake.handle = nodeWithLimit(100, rejecting(0, ''), (height) => transferLog(height + 1));
    await expect(under.node.tokenTransfers(blocks(5, 6))).rejects.toMatchObject({
      code: 'NODE_RESPONSE_UNUSABLE',
    });
  });

  test('returns chain order for an unordered answer', async () => {
    const logs = [transferLog(6, 1), transferLog(5, 9), transferLog(6, 0), transferLog(5, 10)];
    const node = nodeWithLimit(100, rejecting(0, ''));
    const shuffled = responding(({ method, params: [height] }) =>
      method === 'eth_getLogs' ? { result: logs } : { result: { number: height, hash: HASH, timestamp: '0x1' } },
    );
    fake.handle = (request) =>
      JSON.stringify(request.body).includes('eth_getLogs') ? shuffled(request) : node(request);
    const transfers = await under.node.tokenTransfers(blocks(5, 6));
    expect(transfers.map(({ height, logIndex }) => [height, logIndex])).toEqual([
      [5, 9],
      [5, 10],
      [6, 0],
      [6, 1],
    ]);
  });

  test('without tokens sends no log query', async () => {
    fake.handle = nodeWithLimit(100, rejecting(0, ''));
    const without = makeNode([fake.url]);
    expect(await without.node.tokenTransfers(blocks(5, 6))).toEqual([]);
    expect(fake.count('eth_getLogs')).toBe(0);
    await without.node.close();
  });

  test('from a node with pruned history is terminal and names the remedy', async () => {
    fake.handle = nodeWithLimit(0, rejecting(4_444, 'pruned history unavailable'));
    await expect(under.node.tokenTransfers(blocks(1, 2))).rejects.toMatchObject({
      name: 'TerminalError',
      code: 'NODE_PRUNED',
      message: expect.stringContaining('keeps its whole history'),
    });
  });
});

// Helpers

/** A range of blocks, which all have the same hash here. */
function blocks(fromHeight: number, toHeight: number): LogRange {
  return { fromHeight, end: { height: toHeight, blockHash: HASH } };
}

interface RecordedLogs {
  readonly name: string;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
  readonly expectedTransfers: readonly { readonly from: string; readonly to: string; readonly value: string }[];
}

/** The data of one log in the collection is cut in the middle of a byte, which no node does. */
function readable(logs: readonly LogFields[]): readonly LogFields[] {
  return logs.filter((log) => String(log.data).length % 2 === 0);
}

/** Logs that are right, nearly right or wrong in each field. */
function arbitraryLog(): fc.Arbitrary<unknown> {
  const topic = fc.constantFrom(
    TRANSFER_TOPIC,
    APPROVAL_TOPIC,
    word(PAYER),
    word(SHOP),
    word(5n),
    `0x${'ff'.repeat(32)}`,
  );
  const log = fc.record({
    address: often(LISTED, fc.constantFrom(FOREIGN, '0x', null, 7)),
    topics: often(
      [TRANSFER_TOPIC, word(PAYER), word(SHOP)],
      fc.oneof(fc.array(topic, { maxLength: 5 }), fc.constant(null)),
    ),
    data: often(word(5n), fc.constantFrom('0x', '0x05', `${word(5n)}00`, '0x5', 'five', null)),
    blockNumber: often('0x7', fc.constantFrom(null, '7', '0xzz')),
    blockHash: often(HASH, fc.constantFrom(null, '0x1')),
    transactionHash: often(HASH, fc.constantFrom(null, '0x1')),
    logIndex: fc.nat(500).map((index) => `0x${index.toString(16)}`),
    removed: often(false, fc.constantFrom(true, undefined)),
  });
  return fc.oneof({ weight: 30, arbitrary: log }, { weight: 1, arbitrary: fc.jsonValue() });
}

function often<T>(value: T, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: otherwise });
}

/** An independent implementation of ERC-20's definition: matches the text of the whole log. */
function isTransferByTheBook(log: unknown): boolean {
  const { address, topics, data, removed } = Object(log);
  const padded = '0x0{24}[0-9a-f]{40}';
  return (
    new RegExp(`^${LISTED}\\|${TRANSFER_TOPIC},${padded},${padded}\\|0x[0-9a-f]{64}$`).test(
      `${address}|${topics}|${data}`,
    ) && removed !== true
  );
}
