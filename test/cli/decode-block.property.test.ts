import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DescribedBlock,
  describeBlock,
  UnreadableDataError,
  type UtxoChainParams,
  utxoChain,
} from '../../src/chains/index.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const FOLDER = new URL('../vectors/blocks/', import.meta.url);
const CHAINS: Readonly<Record<string, string>> = {
  BTC: 'bitcoin-mainnet',
  LTC: 'litecoin-mainnet',
  DOGE: 'dogecoin-mainnet',
  DASH: 'dash-mainnet',
};

describe('decoding a block', () => {
  test('never reads a changed byte of a transaction as another payment', () => {
    const blocks = readdirSync(FOLDER).map((name) => {
      const { coin, hex } = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as { coin: string; hex: string };
      return { params: utxoChain(CHAINS[coin] ?? ''), hex };
    });
    // Transactions follow header and count, but merged mining puts a proof before them.
    const block = fc.constantFrom(...blocks.filter(({ params }) => !params.format.auxPow));
    const position = fc.integer({ min: 81, max: 140 });
    let rejected = 0;
    assertProperty(
      fc.property(block, position, fc.integer({ min: 1, max: 255 }), ({ hex, params }, at, mask) => {
        const bytes = Buffer.from(hex, 'hex');
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        const after = decodeOrReject(bytes.toString('hex'), params);
        if (after === null) rejected += 1;
        // A witness is not part of the merkle root, and pays no one.
        else expect(after.transactions).toEqual(describeBlock(hex, params).transactions);
      }),
    );
    expect(rejected).toBeGreaterThan(0);
  });
});

// Helpers

function decodeOrReject(hex: string, params: UtxoChainParams): DescribedBlock | null {
  try {
    return describeBlock(hex, params);
  } catch (error) {
    if (error instanceof UnreadableDataError || error instanceof RangeError) return null;
    throw error;
  }
}
