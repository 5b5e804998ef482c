import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ASSETS, isCryptoSymbol } from '../../../machines/index.ts';
import { addressNetwork } from '../../../src/wallets/index.ts';
import { scriptOfAddress } from '../../wallets/script-of-address.ts';
import { runInProcess } from '../run-to-end.ts';

/** A real block in the format of test/vectors/README.md. */
interface BlockVector {
  readonly coin: string;
  readonly network: string;
  readonly size: number;
  /** Missing for Dash, whose hash is not computed here. */
  readonly hash?: string;
  readonly prevHash: string;
  readonly merkleRoot: string;
  readonly time: number;
  readonly txids: readonly string[];
  readonly outputs: readonly {
    readonly txid: string;
    readonly n: number;
    readonly valueSat: string;
    readonly address: string | null;
  }[];
  readonly hex: string;
}

interface Decoded {
  readonly network: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly size_bytes: number;
  readonly transactions: readonly {
    readonly txid: string;
    readonly outputs: readonly {
      readonly vout: number;
      readonly base_units: string;
      readonly script: string;
      readonly address: string | null;
    }[];
  }[];
}

const FOLDER = new URL('../../vectors/blocks/', import.meta.url);
const BLOCKS = readdirSync(FOLDER).map((name) => {
  return { name, block: JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as BlockVector };
});
const DOGE = BLOCKS.find(({ name }) => name === 'doge-mainnet-371337.json')?.block;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-blocks-'));
});
afterEach(async () => {
  // Neither a database nor any other file was created.
  expect((await readdir(folder)).filter((name) => name !== 'block.hex')).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

function decode(args: readonly string[], input = '') {
  return runInProcess(['chain', 'decode-block', ...args], { cwd: folder, env: {}, input });
}

describe('chain decode-block', () => {
  test.each(BLOCKS)('shows every transaction and output of $name as recorded', async ({ block }) => {
    const networkKind = block.network === 'mainnet' ? 'mainnet' : 'testnet';
    await writeFile(join(folder, 'block.hex'), `${block.hex}\n`);
    const args = ['--crypto', block.coin, '--hex', 'block.hex', '--network', networkKind, '--json'];
    const { code, stdout, stderr } = await decode(args);
    expect([code, stderr]).toEqual([0, '']);
    const decoded = JSON.parse(stdout) as Decoded;
    expect(decoded.transactions.map(({ txid }) => txid)).toEqual(block.txids);
    const outputs = decoded.transactions.flatMap((transaction) =>
      transaction.outputs.map(({ vout, base_units, address }) => {
        return { txid: transaction.txid, n: vout, valueSat: base_units, address };
      }),
    );
    expect(outputs).toEqual(block.outputs);
    expect(decoded.size_bytes).toBe(block.size);
    expect(decoded.header).toMatchObject({
      hash: block.hash ?? null,
      previous_block_hash: block.prevHash,
      merkle_root: block.merkleRoot,
      time: new Date(block.time * 1_000).toISOString().replace('.000Z', 'Z'),
    });
    // Script and address denote the same destination.
    const { chain } = ASSETS[isCryptoSymbol(block.coin) ? block.coin : 'BTC'];
    const addressing = addressNetwork(chain, networkKind);
    for (const { script, address } of decoded.transactions.flatMap((transaction) => transaction.outputs)) {
      if (address !== null && addressing.family === 'utxo') expect(scriptOfAddress(addressing, address)).toBe(script);
    }
  });

  test('reads standard input, and shows amounts in coins without --json', async () => {
    const { code, stdout } = await decode(['--crypto', 'DOGE', '--hex', '-'], DOGE?.hex);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^network +dogecoin-mainnet\n/);
    expect(stdout).toMatch(/^merkle_root +ee27b8fb.* \(matches the transactions\)$/m);
    expect(stdout).toMatch(/^ +0 {2}29\.12000001 DOGE +DGyiBd4UtcYB69dW1hL5TrySMUyPg1KSkg$/m);
    expect(stdout).toMatch(/^ +0 {2}62502 DOGE +script 2102b73438/m);
  });

  test.each([
    ['another coin', (hex: string) => hex, 'LTC', /^This is not a block of LTC: transaction flag/],
    ['a cut', (hex: string) => hex.slice(0, 400), 'DOGE', /^This is not a block of DOGE: data ends at byte 200/],
    [
      'a changed amount',
      (hex: string) => hex.replace('004e7253', '004e7254'),
      'DOGE',
      /the transactions have merkle root/,
    ],
    [
      'no hex',
      () => '{"hex":"00"}',
      'DOGE',
      /^standard input does not contain hex: pass a block as printed by "getblock HASH 0"/,
    ],
    ['nothing', () => '', 'DOGE', /^standard input does not contain hex/],
  ])('rejects %s in one line', async (_, change, crypto, message) => {
    const { code, stdout, stderr } = await decode(['--crypto', crypto, '--hex', '-'], change(DOGE?.hex ?? ''));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('names a file it cannot read', async () => {
    expect((await decode(['--crypto', 'BTC', '--hex', 'none.hex'])).stderr).toMatch(
      /^none\.hex cannot be read: ENOENT/,
    );
  });
});
