import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readBlock } from '../../../src/chains/utxo/raw-block.ts';
import {
  BITCOIN_FORMAT,
  DASH_FORMAT,
  DOGECOIN_FORMAT,
  LITECOIN_FORMAT,
  type RawFormat,
} from '../../../src/chains/utxo/raw-reader.ts';
import { readTransaction } from '../../../src/chains/utxo/raw-transaction.ts';
import { coin, script } from '../../support/nodes/fake-utxo-node.ts';
import { buildBlock, buildTransaction } from '../support/raw-builder.ts';

const VECTORS = new URL('../../vectors/', import.meta.url);
const FORMATS: { readonly [coin: string]: RawFormat } = {
  BTC: BITCOIN_FORMAT,
  LTC: LITECOIN_FORMAT,
  DOGE: DOGECOIN_FORMAT,
  DASH: DASH_FORMAT,
};

interface BlockVector {
  readonly coin: string;
  readonly hex: string;
  readonly time: number;
  readonly prevHash: string;
  readonly txids: readonly string[];
  readonly outputs: readonly { readonly txid: string; readonly n: number; readonly valueSat: string }[];
}

interface TransactionVector {
  readonly coin: string;
  readonly txid: string;
  readonly hex: string;
  readonly vin?: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly OutputVector[];
}

interface OutputVector {
  readonly n: number;
  readonly scriptPubKey: string;
  readonly value?: number;
  readonly valueSat?: string;
}

function load<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, VECTORS), 'utf8'));
}

function formatOf(coin: string): RawFormat {
  const format = FORMATS[coin];
  if (format === undefined) throw new Error(`no raw format for ${coin}`);
  return format;
}

describe('real blocks', () => {
  const files = readdirSync(new URL('blocks/', VECTORS));

  test('all four coins are covered', () => {
    expect(new Set(files.map((file) => file.split('-')[0]))).toEqual(new Set(['btc', 'ltc', 'doge', 'dash']));
  });

  test.each(files)('%s parses with every txid, output and amount, and its merkle root', (file) => {
    const vector = load<BlockVector>(`blocks/${file}`);
    const block = readBlock(vector.hex, formatOf(vector.coin));
    expect(block.previousBlockHash).toBe(vector.prevHash);
    expect(block.timeSeconds).toBe(vector.time);
    expect(block.transactions.map((transaction) => transaction.txid)).toEqual(vector.txids);
    const outputs = block.transactions.flatMap((transaction) =>
      transaction.outputs.map((output) => `${transaction.txid}:${output.vout}=${output.valueBaseUnits}`),
    );
    expect(outputs).toEqual(vector.outputs.map((output) => `${output.txid}:${output.n}=${output.valueSat}`));
  });

  test('a block with changed bytes is rejected by its merkle root', () => {
    const vector = load<BlockVector>('blocks/btc-mainnet-482683.json');
    const lastDigit = vector.hex.endsWith('0') ? '1' : '0';
    const changed = vector.hex.slice(0, -1) + lastDigit;
    expect(() => readBlock(changed, BITCOIN_FORMAT)).toThrow(/merkle root/);
  });

  test('a truncated block is rejected', () => {
    const vector = load<BlockVector>('blocks/btc-mainnet-482683.json');
    expect(() => readBlock(vector.hex.slice(0, -20), BITCOIN_FORMAT)).toThrow(/data ends/);
  });

  test('a Litecoin MWEB block is rejected, not misread, when MWEB is not expected', () => {
    const vector = load<BlockVector>('blocks/ltc-mainnet-2265985.json');
    expect(() => readBlock(vector.hex, BITCOIN_FORMAT)).toThrow(/flag 0x8/);
  });
});

describe('real transactions', () => {
  const { vectors } = load<{ readonly vectors: readonly TransactionVector[] }>('transactions.json');

  test.each(vectors.map((vector) => [vector.coin, vector.txid, vector] as const))('%s %s', (_coin, txid, vector) => {
    const transaction = readTransaction(vector.hex, formatOf(vector.coin));
    expect(transaction.txid).toBe(txid);
    if (vector.vin !== undefined) {
      expect(transaction.spends).toEqual(vector.vin.map((input) => `${input.txid}:${input.vout}`));
    }
    // Two Dash vectors publish no outputs; their txid already covers every byte.
    if (vector.vout.length > 0) {
      const read = transaction.outputs.map((o) => [o.vout, o.scriptHex, o.valueBaseUnits.toString()]);
      expect(read).toEqual(
        vector.vout.map((o) => [
          o.n,
          o.scriptPubKey,
          o.valueSat ??
            (o.value ?? Number.NaN)
              .toFixed(8)
              .replace('.', '')
              .replace(/^0+(?=\d)/, ''),
        ]),
      );
    }
  });
});

describe('Litecoin MWEB transactions', () => {
  const vectors = load<readonly { readonly name: string; readonly hex: string }[]>('ltc-mweb-transactions.json');

  test.each(vectors.map((vector) => [vector.name, vector.hex] as const))('%s', (name, hex) => {
    const transaction = readTransaction(hex, LITECOIN_FORMAT);
    const hidden = transaction.spends.length === 0 && transaction.outputs.length === 0;
    // The node identifies a transaction entirely inside MWEB by a hash of its MWEB parts; it pays
    // no script.
    if (!hidden) expect(`tx${transaction.txid}`).toBe(name.replace('_mp', ''));
    expect(hidden).toBe(name.endsWith('_mp') && !name.includes('8b8343978dbef95d'));
  });

  test('bytes after a transaction are rejected', () => {
    const plain = vectors.find((vector) => vector.name.startsWith('tx8b83') && !vector.name.endsWith('_mp'));
    expect(() => readTransaction(`${plain?.hex}00`, LITECOIN_FORMAT)).toThrow(/1 bytes follow/);
  });
});

test('a merge-mined block is parsed although the coinbase of the other chain carries a witness', () => {
  const unlocked = { scriptHex: '51', witness: [Buffer.alloc(32)] };
  const paid = buildTransaction([coin(1)], [{ scriptHex: script(0), valueBaseUnits: 5n }]);
  const block = buildBlock('11'.repeat(32), 7, 1_700_000_000, 1, [paid]);
  const parentCoinbase = buildTransaction(
    [`${'0'.repeat(64)}:4294967295`],
    [{ scriptHex: '51', valueBaseUnits: 1n }],
    0,
    [unlocked],
  );
  const noBranch = `00${'00'.repeat(4)}`;
  const proof = `${parentCoinbase.hex}${'22'.repeat(32)}${noBranch}${noBranch}${'33'.repeat(80)}`;
  const header = `02010000${block.hex.slice(8, 160)}`;
  const read = readBlock(`${header}${proof}${block.hex.slice(160)}`, DOGECOIN_FORMAT);
  expect(read.transactions.map(({ txid }) => txid)).toEqual(block.transactions.map(({ txid }) => txid));
});
