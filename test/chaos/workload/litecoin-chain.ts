import { createCustomer } from '../../../demo/customer.ts';
import type { World } from '../../../demo/world.ts';
import { formatCoins, type UnixMs } from '../../../machines/index.ts';
import { createTestWallet } from '../../support/nodes/wallet.ts';
import { createQueue } from './queue.ts';

/**
 * The payers' side of a real Litecoin chain. Calls are queued: concurrent wallet calls would spend
 * the same coins.
 */
export interface LitecoinChain {
  /** When each transaction to a shop's address was first broadcast. */
  readonly sentAt: ReadonlyMap<string, UnixMs>;
  /** Pays any number of addresses in one transaction, and returns its id. */
  payMany(outputs: readonly PaidOutput[]): Promise<string>;
  /** Sends a transaction that can be double-spent: nothing else spends its change. */
  payRevocably(output: PaidOutput): Promise<string>;
  /** Two outputs to the same address in one transaction. */
  payTwice(output: PaidOutput, second: bigint): Promise<string>;
  takeBack(txid: string): Promise<void>;
  /** Keeps the transaction out of blocks, so that it stays in the mempool. */
  withhold(txid: string): Promise<void>;
  mine(blocks: number): Promise<void>;
  /**
   * Replaces blocks by a longer branch. The payments of the old branch return to the mempool,
   * except those in `lost`.
   */
  reorganise(depth: number, lost?: readonly string[]): Promise<void>;
  /** All outputs of the best chain above `height`, with the height of the tip. */
  readBestChain(height: number): Promise<{ readonly tipHeight: number; readonly outputs: readonly ChainOutput[] }>;
  readonly startHeight: number;
}

export interface PaidOutput {
  readonly address: string;
  readonly litoshi: bigint;
}

export interface ChainOutput extends PaidOutput {
  readonly txid: string;
  readonly vout: number;
  readonly height: number;
}

/** A wallet unrelated to the payers. */
const MINER = createTestWallet('a miner');
const DECIMALS = 8;
const COINS_TO_SPLIT = 400;
const COINS_PER_TRANSACTION = 40;
const COIN_LITOSHI = 400_000_000n;
const EXTRA_BLOCKS = 45;
const DEEP_BLOCKS = 12;
const SETTLED_BLOCKS = 8;
const ANY_DEPTH = 9_999_999;
/**
 * The wallet's own calls set a locktime at the current height, so a reorganisation would make the
 * transaction invalid. These transactions are valid at any height.
 */
const ANY_HEIGHT = 0;
const IS_REPLACEABLE = true;
/** `sendrawtransaction` refuses high fees unless its limit is 0. */
const ANY_FEE_RATE = 0;
/** Lowers the fee for mining so far that no block template includes the transaction. */
const WITHHOLD_LITOSHI = -100_000_000;

/** Gives the payers many coins, so that their transactions rarely depend on each other. */
export async function createLitecoinChain(world: World): Promise<LitecoinChain> {
  const { node } = world;
  const customer = createCustomer(world);
  const sentAt = new Map<string, UnixMs>();
  const rivals = new Map<string, string>();
  let branch = 0;
  const queue = createQueue();

  /** A signed conflicting transaction that spends the same coins and pays someone else. */
  function rivalOf(txid: string): string {
    const rival = rivals.get(txid);
    if (rival === undefined) throw new Error(`${txid} cannot be taken back`);
    return rival;
  }

  async function sent(txid: string): Promise<string> {
    sentAt.set(txid, world.now());
    return txid;
  }

  async function sendMany(outputs: readonly PaidOutput[], inputs: readonly Coin[] = []): Promise<string> {
    const amounts = outputs.map(({ address, litoshi }) => ({ [address]: formatCoins(litoshi, DECIMALS) }));
    const terms = [inputs, amounts, ANY_HEIGHT, IS_REPLACEABLE];
    return fundAndSend(world, await node.rpc<string>('createrawtransaction', terms));
  }

  /**
   * A coin that no reorganisation removes: a transaction that spends only such coins stays valid.
   */
  async function findSettledCoin(): Promise<Coin> {
    const filter = { minimumAmount: 1, maximumCount: 1 };
    const isUnsafeToo = false;
    const [coin] = await node.rpc<Coin[]>('listunspent', [SETTLED_BLOCKS, ANY_DEPTH, [], isUnsafeToo, filter]);
    if (coin === undefined) throw new Error('the payers have no settled coin left');
    return { txid: coin.txid, vout: coin.vout };
  }

  async function mine(blocks: number): Promise<void> {
    await world.reportToNode();
    await node.mine(blocks, MINER.addressAt(branch));
  }

  await mine(EXTRA_BLOCKS);
  for (let split = 0; split < COINS_TO_SPLIT; split += COINS_PER_TRANSACTION) {
    const own: PaidOutput[] = [];
    for (let index = 0; index < COINS_PER_TRANSACTION; index += 1) {
      own.push({ address: (await node.newAddress()).address, litoshi: COIN_LITOSHI });
    }
    await sendMany(own);
  }
  await mine(1);
  await lockMined(world);
  const startHeight = await node.rpc<number>('getblockcount');
  // No reorganisation may reach the payers' own coins, on which many payments depend.
  await mine(DEEP_BLOCKS);

  return {
    sentAt,
    startHeight,
    payMany: (outputs) => queue(async () => sent(await sendMany(outputs))),
    payRevocably: (output) =>
      queue(async () => {
        const txid = await sendMany([output], [await findSettledCoin()]);
        const { vout } = await node.rpc<RawTransaction>('getrawtransaction', [txid, true]);
        const change = vout.filter(({ scriptPubKey }) => scriptPubKey.addresses?.[0] !== output.address);
        const isUnlock = false;
        await node.rpc('lockunspent', [isUnlock, change.map(({ n }) => ({ txid, vout: n }))]);
        // Must run before it is mined: a wallet signs only for coins that it considers unspent.
        rivals.set(txid, await customer.conflictingWith(txid));
        return sent(txid);
      }),
    payTwice: (output, second) => queue(async () => sent(await payTwice(world, output, second))),
    takeBack: (txid) =>
      queue(async () => {
        await world.reportToNode();
        await node.rpc('sendrawtransaction', [rivalOf(txid), ANY_FEE_RATE]);
      }),
    withhold: (txid) =>
      queue(async () => {
        await node.rpc('prioritisetransaction', [txid, 0, WITHHOLD_LITOSHI]);
      }),
    mine: (blocks) => queue(() => mine(blocks)),
    reorganise: (depth, lost = []) =>
      queue(async () => {
        const height = await node.rpc<number>('getblockcount');
        await node.rpc('invalidateblock', [await node.rpc('getblockhash', [height - depth + 1])]);
        await world.reportToNode();
        // With the same address the new block could be identical to the one just marked invalid.
        branch += 1;
        await node.rpc('generateblock', [MINER.addressAt(branch), lost.map(rivalOf)]);
        await mine(depth);
      }),
    async readBestChain(height) {
      const tipHeight = await node.rpc<number>('getblockcount');
      const outputs: ChainOutput[] = [];
      for (let at = height + 1; at <= tipHeight; at += 1) {
        const hash = await node.rpc<string>('getblockhash', [at]);
        const { tx } = await node.rpc<{ tx: readonly RawTransaction[] }>('getblock', [hash, 2]);
        for (const { txid, vout } of tx) outputs.push(...vout.flatMap((output) => chainOutput(output, txid, at)));
      }
      return { tipHeight, outputs };
    },
  };
}

// Helpers

interface Coin {
  readonly txid: string;
  readonly vout: number;
}

interface RawTransaction {
  readonly txid: string;
  readonly vout: readonly RawOutput[];
}

interface RawOutput {
  readonly n: number;
  readonly value: number;
  readonly scriptPubKey: { readonly addresses?: readonly string[] };
}

const LITOSHI_PER_COIN = 1e8;

function chainOutput({ n, value, scriptPubKey }: RawOutput, txid: string, height: number): ChainOutput[] {
  const [address] = scriptPubKey.addresses ?? [];
  return address === undefined
    ? []
    : [{ txid, vout: n, address, litoshi: BigInt(Math.round(value * LITOSHI_PER_COIN)), height }];
}

/**
 * Coinbase outputs cannot be spent for 100 blocks: a payment with barely mature ones would become
 * invalid in a reorganisation. So the payers leave the coinbase outputs of the wallet alone, and
 * from then on another wallet mines.
 */
async function lockMined({ node }: World): Promise<void> {
  const height = await node.rpc<number>('getblockcount');
  const isUnlock = false;
  for (let at = 1; at <= height; at += 1) {
    const { tx } = await node.rpc<{ tx: readonly string[] }>('getblock', [await node.rpc('getblockhash', [at])]);
    // Outputs that are spent or belong to another wallet cannot be locked and need not be.
    await node.rpc('lockunspent', [isUnlock, [{ txid: tx[0], vout: 0 }]]).catch(() => {});
  }
}

/** Serialises the transaction itself (without inputs): the RPC rejects duplicate addresses. */
async function payTwice(world: World, { address, litoshi }: PaidOutput, second: bigint): Promise<string> {
  const { rpc } = world.node;
  const { scriptPubKey } = await rpc<{ scriptPubKey: string }>('validateaddress', [address]);
  const script = Buffer.from(scriptPubKey, 'hex');
  const outputs = [litoshi, second].map((value) => {
    const head = Buffer.alloc(9);
    head.writeBigUInt64LE(value);
    head.writeUInt8(script.length, 8);
    return Buffer.concat([head, script]);
  });
  const [version, lockTime] = [Buffer.from([2, 0, 0, 0]), Buffer.alloc(4)];
  const bare = Buffer.concat([version, Buffer.from([0, outputs.length]), ...outputs, lockTime]).toString('hex');
  return fundAndSend(world, bare);
}

async function fundAndSend({ node, reportToNode }: World, bare: string): Promise<string> {
  const isWitness = false;
  const options = { replaceable: IS_REPLACEABLE };
  const { hex: funded } = await node.rpc<{ hex: string }>('fundrawtransaction', [bare, options, isWitness]);
  const { hex: signed } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', [funded]);
  await reportToNode();
  return node.rpc<string>('sendrawtransaction', [signed]);
}
