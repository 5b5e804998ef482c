import { createHash } from 'node:crypto';
import { addressNetwork, addressOfScript } from '../../src/wallets/index.ts';
import {
  type BuiltTransaction,
  buildBlock,
  buildTransaction,
  type Unlocking,
} from '../../test/chains/support/raw-builder.ts';

/** A block as large as the protocol allows, as `getblock` returns it in two forms. */
export interface BigBlock {
  /** `getblock <hash> false`. */
  readonly hex: string;
  /** `getblock <hash> 2`, as JSON text. */
  readonly json: string;
  readonly transactions: number;
  readonly outputs: number;
  /** Scripts paid in it, in order. */
  readonly scripts: readonly string[];
}

/** Serialised size. BIP 141 allows 4 million weight units; only witnesses reach as many bytes. */
const BLOCK_BYTES = 4_000_000;
const TRANSACTIONS = 5_500;
const PARENT = '11'.repeat(32);
const TIME_SECONDS = 1_780_000_000;

/**
 * Mostly one or two inputs and two outputs, some batch payouts, some inscriptions; outputs of every
 * common kind. The same block every time. Large witnesses fill it up.
 */
export function createBigBlock(): BigBlock {
  const random = createRandom();
  const ordinary = Array.from({ length: TRANSACTIONS }, (_, index) => createTransaction(random, index, 0));
  const bytes = ordinary.reduce((sum, { built }) => sum + built.hex.length / 2, 0);
  const filled = ordinary.map((each, index) =>
    index % INSCRIPTION_EVERY === 0
      ? createTransaction(random, index, Math.floor(((BLOCK_BYTES - bytes) * INSCRIPTION_EVERY) / TRANSACTIONS))
      : each,
  );
  const block = buildBlock(
    PARENT,
    900_000,
    TIME_SECONDS,
    1,
    filled.map(({ built }) => built),
  );
  const scripts = filled.flatMap(({ built }) => built.outputs.map(({ scriptHex }) => scriptHex));
  const header = { hash: block.hash, confirmations: 1, height: 900_000, version: 2, time: TIME_SECONDS };
  const tx = filled.map(({ built, unlockings }) => verbose(built, unlockings));
  return {
    hex: block.hex,
    json: JSON.stringify({ result: { ...header, previousblockhash: PARENT, nTx: tx.length, tx }, error: null, id: 1 }),
    transactions: filled.length,
    outputs: scripts.length,
    scripts,
  };
}

// Helpers

const INSCRIPTION_EVERY = 20;
const BATCH_EVERY = 50;
const BATCH_OUTPUTS = 60;
const SIGNATURE_BYTES = 72;
const KEY_BYTES = 33;

interface MadeTransaction {
  readonly built: BuiltTransaction;
  readonly unlockings: readonly Unlocking[];
}

type Random = (bytes: number) => Buffer;

/** Pseudorandom bytes, the same in every run. */
function createRandom(): Random {
  let drawn = 0;
  return (length) => {
    const parts: Buffer[] = [];
    for (let bytes = 0; bytes < length; bytes += 64) {
      drawn += 1;
      parts.push(createHash('sha512').update(String(drawn)).digest());
    }
    return Buffer.concat(parts).subarray(0, length);
  };
}

function createTransaction(random: Random, index: number, inscriptionBytes: number): MadeTransaction {
  const inputs = 1 + (index % 7 === 0 ? 2 : index % 3 === 0 ? 1 : 0);
  const outputs = index % BATCH_EVERY === 0 ? BATCH_OUTPUTS : 2;
  const spends = Array.from({ length: inputs }, () => `${random(32).toString('hex')}:${index % 4}`);
  const unlockings = spends.map((_, input): Unlocking => {
    if (inscriptionBytes > 0 && input === 0) return { witness: [random(64), random(inscriptionBytes), random(33)] };
    const proof = [random(SIGNATURE_BYTES), random(KEY_BYTES)];
    // One input in five is pre-segwit and carries its signature in its script.
    if ((index + input) % 5 !== 0) return { witness: proof };
    return {
      scriptHex: proof.map((part) => Buffer.from([part.length]).toString('hex') + part.toString('hex')).join(''),
    };
  });
  const paid = Array.from({ length: outputs }, (_, output) => ({
    scriptHex: outputScript(random, index * 3 + output),
    valueBaseUnits: BigInt(random(4).readUInt32LE()),
  }));
  return { built: buildTransaction(spends, paid, 0, unlockings), unlockings };
}

/**
 * The scripts of twenty outputs: nine P2WPKH, five P2TR, two P2PKH, two P2SH, one P2WSH, one
 * OP_RETURN.
 */
function outputScript(random: Random, index: number): string {
  const kind = index % 20;
  if (kind < 9) return `0014${random(20).toString('hex')}`;
  if (kind < 14) return `5120${random(32).toString('hex')}`;
  if (kind < 16) return `76a914${random(20).toString('hex')}88ac`;
  if (kind < 18) return `a914${random(20).toString('hex')}87`;
  if (kind < 19) return `0020${random(32).toString('hex')}`;
  return `6a20${random(32).toString('hex')}`;
}

/** One transaction as Bitcoin Core writes it at verbosity 2. */
function verbose(built: BuiltTransaction, unlockings: readonly Unlocking[]): object {
  const size = built.hex.length / 2;
  return {
    txid: built.txid,
    hash: built.txid,
    version: 2,
    size,
    vsize: size,
    weight: size * 4,
    locktime: 0,
    vin: built.spends.map((outpoint, index) => {
      const { scriptHex = '', witness } = unlockings[index] ?? {};
      return {
        txid: outpoint.slice(0, 64),
        vout: Number(outpoint.slice(65)),
        scriptSig: { asm: scriptHex, hex: scriptHex },
        ...(witness === undefined ? {} : { txinwitness: witness.map((item) => item.toString('hex')) }),
        sequence: 4_294_967_295,
      };
    }),
    vout: built.outputs.map(({ scriptHex, valueBaseUnits }, n) => ({
      value: Number(valueBaseUnits) / 1e8,
      n,
      scriptPubKey: describeScript(scriptHex),
    })),
    fee: 0.000012,
    hex: built.hex,
  };
}

function describeScript(scriptHex: string): object {
  const network = addressNetwork('bitcoin', 'mainnet');
  const address = network.family === 'utxo' ? addressOfScript(network, scriptHex) : null;
  if (address === null)
    return {
      asm: `OP_RETURN ${scriptHex.slice(4)}`,
      desc: `raw(${scriptHex})#abcdefgh`,
      hex: scriptHex,
      type: 'nulldata',
    };
  const asm = `OP_HASH160 ${scriptHex.slice(4, -2)} OP_EQUAL`;
  return { asm, desc: `addr(${address})#abcdefgh`, hex: scriptHex, address, type: 'witness_v0_keyhash' };
}
