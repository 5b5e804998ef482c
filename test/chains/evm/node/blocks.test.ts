import { readFileSync } from 'node:fs';
import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { readBlock, readReceipt, readTransaction } from '../../../../src/chains/evm/node/blocks.ts';

interface RecordedBlock {
  readonly blockHeight: number;
  readonly blockHash: string;
  readonly blockTime: number;
  readonly txDetails: Readonly<
    Record<
      string,
      {
        readonly vin: readonly { readonly addresses: readonly string[] }[];
        readonly vout: readonly {
          readonly value: string;
          readonly scriptPubKey: { readonly addresses: readonly string[] };
        }[];
      }
    >
  >;
}

const recorded: RecordedBlock = JSON.parse(readFileSync('test/vectors/eth-block.json', 'utf8'));
const HASH = `0x${'cd'.repeat(32)}`;
const unusable = expect.objectContaining({ name: 'RetryableError', code: 'NODE_RESPONSE_UNUSABLE' });
const hex = (value: number | bigint) => `0x${value.toString(16)}`;

/** The recorded block as JSON-RPC returns it, with additional fields of various nodes and forks. */
function recordedBlock() {
  const [recordedTransaction] = Object.entries(recorded.txDetails);
  if (recordedTransaction === undefined) throw new Error('the recorded block has no transaction');
  const [txid, details] = recordedTransaction;
  return {
    number: hex(recorded.blockHeight),
    hash: recorded.blockHash,
    parentHash: HASH,
    timestamp: hex(recorded.blockTime),
    baseFeePerGas: '0x7',
    withdrawals: [{ index: '0x1', amount: '0x9' }],
    aFieldOfTheFuture: { nested: true },
    transactions: [
      {
        hash: txid,
        from: details.vin[0]?.addresses[0],
        to: details.vout[0]?.scriptPubKey.addresses[0],
        value: hex(parseEther(details.vout[0]?.value ?? '')),
        nonce: '0x5',
        blockHash: recorded.blockHash,
        type: '0x7f',
        accessList: [],
      },
    ],
  };
}

describe('a block', () => {
  test('as recorded is parsed with its transaction', () => {
    expect(readBlock(recordedBlock())).toEqual({
      height: recorded.blockHeight,
      hash: recorded.blockHash,
      parentHash: HASH,
      timeSeconds: recorded.blockTime,
      transactions: [
        {
          txid: '0x3860498da623c650b1840b5137b1c2b689dfb2ce3bfb4b5d55c629ed8a99e81f',
          from: '0xe09ad398e1deee1f18fec1255c58d3dff57068a3',
          to: '0x43f5d0fcd3e6ccb26fa0d1fc6e73865147d8a5f7',
          valueWei: 748_800_000_000_000n,
          nonce: 5,
          blockHash: recorded.blockHash,
        },
      ],
    });
  });

  test.each(['number', 'hash', 'parentHash', 'timestamp', 'transactions'])(
    'without a valid %s is rejected',
    (field) => {
      for (const value of [undefined, null, 'five', 5, {}, '0x']) {
        expect(() => readBlock({ ...recordedBlock(), [field]: value })).toThrow(unusable);
      }
    },
  );

  test('with ids in place of transactions is rejected', () => {
    expect(() => readBlock({ ...recordedBlock(), transactions: [HASH] })).toThrow(unusable);
  });
});

describe('a transaction', () => {
  const [transaction] = recordedBlock().transactions;

  test.each(['hash', 'from', 'value', 'nonce'])('without a valid %s is rejected', (field) => {
    for (const value of [undefined, null, '0xzz', 12, '0x']) {
      expect(() => readTransaction({ ...transaction, [field]: value })).toThrow(unusable);
    }
  });

  test('keeps every wei of a value beyond float precision', () => {
    const valueWei = 2n ** 200n + 1n;
    expect(readTransaction({ ...transaction, value: hex(valueWei) }).valueWei).toBe(valueWei);
  });

  test('is compared in lower case, whatever case the node uses', () => {
    const from = '0xE09AD398E1DEEE1F18FEC1255C58D3DFF57068A3';
    expect(readTransaction({ ...transaction, from }).from).toBe(from.toLowerCase());
  });

  test('without a recipient creates a contract, also when the field is missing', () => {
    expect(readTransaction({ ...transaction, to: null }).to).toBeNull();
    expect(readTransaction({ ...transaction, to: undefined, blockHash: undefined })).toMatchObject({
      to: null,
      blockHash: null,
    });
  });
});

describe('a receipt', () => {
  const receipt = {
    transactionHash: HASH,
    blockNumber: '0x10',
    blockHash: HASH,
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x3b9aca00',
    logs: [],
  };
  const none = new Map();

  test('has the fee its sender paid, blobs included', () => {
    expect(readReceipt(receipt, none)).toEqual({
      txid: HASH,
      height: 16,
      blockHash: HASH,
      succeeded: true,
      feeWei: 21_000n * 1_000_000_000n,
      tokenTransfers: [],
    });
    const withBlobs = { ...receipt, blobGasUsed: '0x20000', blobGasPrice: '0x3' };
    expect(readReceipt(withBlobs, none)?.feeWei).toBe(21_000n * 1_000_000_000n + 131_072n * 3n);
  });

  test('of a reverted transaction is marked as reverted', () => {
    expect(readReceipt({ ...receipt, status: '0x0' }, none)?.succeeded).toBe(false);
  });

  test('without a block is treated as absent', () => {
    expect(readReceipt({ ...receipt, blockHash: null, blockNumber: null }, none)).toBeNull();
  });

  test.each(['transactionHash', 'blockNumber', 'status', 'gasUsed', 'effectiveGasPrice', 'logs'])(
    'without a valid %s is rejected',
    (field) => {
      for (const value of [undefined, null, '0xzz', 12]) {
        expect(() => readReceipt({ ...receipt, [field]: value }, none)).toThrow(unusable);
      }
    },
  );
});
