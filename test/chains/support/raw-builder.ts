import { sha256 } from '@noble/hashes/sha2.js';

/**
 * Writes transactions and blocks in Bitcoin's serialisation, for nodes that exist only in tests.
 */

export interface BuiltTransaction {
  readonly txid: string;
  readonly hex: string;
  readonly spends: readonly string[];
  readonly outputs: readonly { readonly scriptHex: string; readonly valueBaseUnits: bigint }[];
}

export interface BuiltBlock {
  readonly hash: string;
  readonly hex: string;
  readonly previousHash: string;
  readonly height: number;
  readonly timeSeconds: number;
  /** The coinbase comes first. */
  readonly transactions: readonly BuiltTransaction[];
}

/** What unlocks one input: a scriptSig, witnesses (BIP 144), or neither. */
export interface Unlocking {
  readonly scriptHex?: string;
  readonly witness?: readonly Buffer[];
}

/** `unlockings` match `spends` by position; missing ones are empty. */
export function buildTransaction(
  spends: readonly string[],
  outputs: readonly { readonly scriptHex: string; readonly valueBaseUnits: bigint }[],
  lockTime = 0,
  unlockings: readonly Unlocking[] = [],
): BuiltTransaction {
  const inputs = spends.map((outpoint, index) => {
    const [txid = '', vout = '0'] = outpoint.split(':');
    const script = Buffer.from(unlockings[index]?.scriptHex ?? '', 'hex');
    return Buffer.concat([reversed(txid), uint32(Number(vout)), sized(script), uint32(0xffffffff)]);
  });
  const body = Buffer.concat([
    count(inputs.length),
    ...inputs,
    count(outputs.length),
    ...outputs.map(({ scriptHex, valueBaseUnits }) =>
      Buffer.concat([uint64(valueBaseUnits), sized(Buffer.from(scriptHex, 'hex'))]),
    ),
  ]);
  const version = uint32(2);
  const txid = idOf(Buffer.concat([version, body, uint32(lockTime)]));
  const hasWitness = unlockings.some(({ witness }) => witness !== undefined && witness.length > 0);
  const witnesses = hasWitness ? spends.map((_, index) => stack(unlockings[index]?.witness ?? [])) : [];
  const flag = Buffer.from(hasWitness ? [0, 1] : []);
  const bytes = Buffer.concat([version, flag, body, ...witnesses, uint32(lockTime)]);
  return { txid, hex: bytes.toString('hex'), spends, outputs };
}

export function buildBlock(
  previousHash: string,
  height: number,
  timeSeconds: number,
  salt: number,
  payments: readonly BuiltTransaction[],
): BuiltBlock {
  const coinbase = buildTransaction([`${'0'.repeat(64)}:4294967295`], [{ scriptHex: '51', valueBaseUnits: 1n }], salt);
  const transactions = [coinbase, ...payments];
  const header = Buffer.concat([
    uint32(2),
    reversed(previousHash),
    merkleRoot(transactions.map(({ txid }) => reversed(txid))),
    uint32(timeSeconds),
    uint32(0),
    uint32(salt),
  ]);
  const body = transactions.map(({ hex }) => Buffer.from(hex, 'hex'));
  const hex = Buffer.concat([header, count(transactions.length), ...body]).toString('hex');
  return { hash: idOf(header), hex, previousHash, height, timeSeconds, transactions };
}

function merkleRoot(level: readonly Buffer[]): Buffer {
  const [only] = level;
  if (only !== undefined && level.length === 1) return only;
  const next: Buffer[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = level[index] ?? Buffer.alloc(32);
    next.push(Buffer.from(sha256(sha256(Buffer.concat([left, level[index + 1] ?? left])))));
  }
  return merkleRoot(next);
}

function idOf(bytes: Uint8Array): string {
  return Buffer.from(sha256(sha256(bytes)))
    .reverse()
    .toString('hex');
}

function reversed(hash: string): Buffer {
  return Buffer.from(hash, 'hex').reverse();
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** CompactSize. */
function count(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value]);
  if (value <= 0xffff) return Buffer.from([0xfd, value & 0xff, value >>> 8]);
  return Buffer.concat([Buffer.from([0xfe]), uint32(value)]);
}

function sized(bytes: Buffer): Buffer {
  return Buffer.concat([count(bytes.length), bytes]);
}

function stack(items: readonly Buffer[]): Buffer {
  return Buffer.concat([count(items.length), ...items.map(sized)]);
}
