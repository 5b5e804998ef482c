import { type RpcCall, RpcError, type RpcReply } from '../../../src/chains/rpc/rpc-call.ts';
import type { UtxoRpc } from '../../../src/chains/utxo/rpc.ts';
import {
  type BuiltBlock,
  type BuiltTransaction,
  buildBlock,
  buildTransaction,
} from '../../chains/support/raw-builder.ts';

/**
 * An in-memory bitcoind-like node: a tree of blocks, a best tip and a mempool behind the same RPC.
 */
export interface FakeUtxoNode {
  readonly rpc: UtxoRpc;
  readonly genesisHash: string;
  /** Number of calls made so far, by method. */
  readonly calls: Map<string, number>;
  /** Runs before every call the node serves; tests use it to change the chain during a poll. */
  beforeCall: ((method: string) => void) | null;
  initialDownload: boolean;
  /** `loaded` of `getmempoolinfo`; null when the node omits it, as Dogecoin Core does. */
  mempoolLoaded: boolean | null;
  /** Whether what is in its mempool is listed: a restarted node lists nothing at first. */
  listsMempool: boolean;
  /** Whether `getrawtransaction <txid> true` finds transactions in blocks. */
  hasTransactionIndex: boolean;
  /** Whether `gettxout` is allowed. */
  reportsUnspent: boolean;
  /** Blocks below this height are pruned. */
  prunedBelow: number;
  /** Number of peers; null when `getnetworkinfo` is not allowed. */
  peers: number | null;
  /**
   * InstantSend and ChainLocks of masternodes. A locked block locks those below it. Null on a node
   * that does not report locks.
   */
  locks: { readonly txids: Set<string>; readonly blockHashes: Set<string> } | null;
  /** How far the clock of its machine, which dates its mempool, is ahead. */
  clockErrorSeconds: number;
  /** Seconds; used for block and mempool times. Advances automatically. */
  timeSeconds: number;
  best(): BuiltBlock;
  bestBranch(): BuiltBlock[];
  mempool(): BuiltTransaction[];
  /**
   * Builds a block on a parent with those payments that are valid there. It becomes the tip only
   * through `setBest`.
   */
  build(parentHash: string, payments: readonly BuiltTransaction[]): BuiltBlock;
  /**
   * Makes a block the tip. Disconnected transactions return to the mempool when they are valid and
   * `returns` allows it.
   */
  setBest(hash: string, returns?: (txid: string) => boolean): void;
  /** Mines the whole mempool, or the given transactions, on the best tip. */
  mine(payments?: readonly BuiltTransaction[]): BuiltBlock;
  /** Adds a transaction to the mempool and replaces conflicting ones. False when it is invalid. */
  submit(transaction: BuiltTransaction): boolean;
  evict(txid: string): void;
  block(hash: string): BuiltBlock;
  /** Deletes every block outside the best branch, as on a newly synced node. */
  forgetStaleBlocks(): void;
}

const BLOCK_SPACING_SECONDS = 150;
const START_SECONDS = 1_700_000_000;

export function createFakeUtxoNode(): FakeUtxoNode {
  const genesis = buildBlock('0'.repeat(64), 0, START_SECONDS, 0, []);
  const blocks = new Map<string, BuiltBlock>([[genesis.hash, genesis]]);
  const calls = new Map<string, number>();
  let tip = genesis;
  let mempool = new Map<string, { readonly transaction: BuiltTransaction; readonly timeSeconds: number }>();
  let salt = 0;

  function block(hash: string): BuiltBlock {
    const found = blocks.get(hash);
    if (found === undefined) throw new Error(`no block ${hash}`);
    return found;
  }

  /** From a block down to genesis, oldest first. */
  function branch(from: BuiltBlock): BuiltBlock[] {
    const found: BuiltBlock[] = [];
    for (let at: BuiltBlock | undefined = from; at !== undefined; at = blocks.get(at.previousHash)) found.push(at);
    return found.reverse();
  }

  function spentIn(chain: readonly BuiltBlock[]): Set<string> {
    return new Set(chain.flatMap((at) => at.transactions.slice(1).flatMap((transaction) => transaction.spends)));
  }

  function setBest(hash: string, returns: (txid: string) => boolean = () => true): void {
    const before = branch(tip);
    tip = block(hash);
    const now = branch(tip);
    const nowHashes = new Set(now.map((at) => at.hash));
    const reorged = before
      .filter((at) => !nowHashes.has(at.hash))
      .flatMap((at) => at.transactions.slice(1))
      .filter((transaction) => returns(transaction.txid));
    const spent = spentIn(now);
    const next: typeof mempool = new Map();
    const candidates = [
      ...reorged.map((transaction) => ({ transaction, timeSeconds: node.timeSeconds })),
      ...mempool.values(),
    ];
    for (const entry of candidates) {
      if (entry.transaction.spends.some((outpoint) => spent.has(outpoint))) continue;
      for (const outpoint of entry.transaction.spends) spent.add(outpoint);
      next.set(entry.transaction.txid, entry);
    }
    mempool = next;
  }

  function build(parentHash: string, payments: readonly BuiltTransaction[]): BuiltBlock {
    const parent = block(parentHash);
    const spent = spentIn(branch(parent));
    const valid: BuiltTransaction[] = [];
    for (const payment of payments) {
      if (payment.spends.some((outpoint) => spent.has(outpoint))) continue;
      for (const outpoint of payment.spends) spent.add(outpoint);
      valid.push(payment);
    }
    salt += 1;
    node.timeSeconds += BLOCK_SPACING_SECONDS;
    const built = buildBlock(parentHash, parent.height + 1, node.timeSeconds, salt, valid);
    blocks.set(built.hash, built);
    return built;
  }

  function respond(method: string, params: readonly unknown[]): unknown {
    const chain = branch(tip);
    const [first, second, third] = params;
    switch (method) {
      case 'getblockchaininfo':
        return {
          blocks: tip.height,
          headers: tip.height,
          bestblockhash: tip.hash,
          mediantime: tip.timeSeconds,
          initialblockdownload: node.initialDownload,
          pruned: node.prunedBelow > 0,
          ...(node.prunedBelow > 0 ? { pruneheight: node.prunedBelow } : {}),
        };
      case 'getnetworkinfo':
        if (node.peers === null) throw new RpcError(method, -32601, 'Method not found');
        return { connections: node.peers };
      case 'getnettotals':
        return { timemillis: (node.timeSeconds + node.clockErrorSeconds) * 1000 };
      case 'getbestblockhash':
        return tip.hash;
      case 'getblockhash': {
        const found = chain[Number(first)];
        if (found === undefined) throw new RpcError(method, -8, 'Block height out of range');
        return found.hash;
      }
      case 'getblockheader': {
        const found = blocks.get(String(first));
        if (found === undefined) throw new RpcError(method, -5, 'Block not found');
        const canonical = chain[found.height]?.hash === found.hash;
        const confirmations = canonical ? tip.height - found.height + 1 : -1;
        const previous = found.height === 0 ? {} : { previousblockhash: found.previousHash };
        return { hash: found.hash, height: found.height, time: found.timeSeconds, confirmations, ...previous };
      }
      case 'getblock': {
        const found = blocks.get(String(first));
        if (found === undefined) throw new RpcError(method, -5, 'Block not found');
        if (found.height < node.prunedBelow) throw new RpcError(method, -1, 'Block not available (pruned data)');
        if (second !== false) throw new RpcError(method, -1, 'only raw blocks are served');
        return found.hex;
      }
      case 'getmempoolinfo':
        return { size: listed().size, ...(node.mempoolLoaded === null ? {} : { loaded: node.mempoolLoaded }) };
      case 'getrawmempool':
        return [...listed().keys()];
      case 'getmempoolentry': {
        const entry = listed().get(String(first));
        if (entry === undefined) throw new RpcError(method, -5, 'Transaction not in mempool');
        return { time: Math.floor(entry.timeSeconds) + node.clockErrorSeconds };
      }
      case 'getrawtransaction': {
        if (typeof third === 'string') return minedTransaction(String(first), third);
        const entry = listed().get(String(first));
        if (second === false && entry !== undefined) return entry.transaction.hex;
        // After a reorganisation a transaction index may return a stale block.
        const indexed = node.hasTransactionIndex ? [...blocks.values()] : [];
        const holder = indexed.find((at) => at.transactions.some((each) => each.txid === first));
        if (second === true && holder !== undefined) return { txid: first, blockhash: holder.hash, confirmations: 0 };
        throw new RpcError(method, -5, 'No such mempool or blockchain transaction');
      }
      case 'gettxout': {
        if (!node.reportsUnspent) throw new RpcError(method, -32601, 'Method not found');
        const holder = chain.find((at) => at.transactions.some((each) => each.txid === first));
        if (holder === undefined || spentIn(chain).has(`${first}:${second}`) || second !== 0) return null;
        return { bestblock: tip.hash, confirmations: tip.height - holder.height + 1 };
      }
      default:
        throw new RpcError(method, -32601, 'Method not found');
    }
  }

  function listed(): typeof mempool {
    return node.listsMempool ? mempool : new Map();
  }

  /** `getrawtransaction <txid> true <blockhash>`: looks in that block only. */
  function minedTransaction(txid: string, blockHash: string): unknown {
    const holder = blocks.get(blockHash);
    if (!holder?.transactions.some((each) => each.txid === txid)) {
      throw new RpcError('getrawtransaction', -5, 'No such transaction found in the provided block');
    }
    const chain = branch(tip);
    const isActive = chain[holder.height]?.hash === blockHash;
    const { locks } = node;
    const chainlock = locks !== null && isLocked(locks.blockHashes, chain, holder);
    const sent = locks === null ? {} : { chainlock, instantlock: chainlock || locks.txids.has(txid) };
    return { txid, blockhash: blockHash, in_active_chain: isActive, ...sent };
  }

  function serve(method: string, params: readonly unknown[]): RpcReply {
    calls.set(method, (calls.get(method) ?? 0) + 1);
    node.beforeCall?.(method);
    try {
      return { ok: true, result: respond(method, params) };
    } catch (error) {
      if (error instanceof RpcError) return { ok: false, error };
      throw error;
    }
  }

  const rpc: UtxoRpc = {
    async call(method, params = []) {
      const reply = serve(method, params);
      if (!reply.ok) throw reply.error;
      return reply.result;
    },
    async batch(list: readonly RpcCall[]) {
      return list.map((each) => serve(each.method, each.params));
    },
  };

  const node: FakeUtxoNode = {
    rpc,
    genesisHash: genesis.hash,
    calls,
    beforeCall: null,
    initialDownload: false,
    mempoolLoaded: true,
    listsMempool: true,
    hasTransactionIndex: true,
    reportsUnspent: false,
    prunedBelow: 0,
    peers: 8,
    locks: null,
    clockErrorSeconds: 0,
    timeSeconds: START_SECONDS,
    best: () => tip,
    bestBranch: () => branch(tip),
    mempool: () => [...mempool.values()].map((entry) => entry.transaction),
    build,
    setBest,
    mine(payments = [...mempool.values()].map((entry) => entry.transaction)) {
      const built = build(tip.hash, payments);
      setBest(built.hash);
      return built;
    },
    submit(transaction) {
      if (transaction.spends.some((outpoint) => spentIn(branch(tip)).has(outpoint))) return false;
      for (const [txid, entry] of mempool) {
        if (entry.transaction.spends.some((outpoint) => transaction.spends.includes(outpoint))) mempool.delete(txid);
      }
      mempool.set(transaction.txid, { transaction, timeSeconds: node.timeSeconds });
      return true;
    },
    evict: (txid) => void mempool.delete(txid),
    block,
    forgetStaleBlocks() {
      const kept = new Set(branch(tip).map((at) => at.hash));
      for (const hash of blocks.keys()) if (!kept.has(hash)) blocks.delete(hash);
    },
  };
  return node;
}

function isLocked(lockedHashes: ReadonlySet<string>, chain: readonly BuiltBlock[], block: BuiltBlock): boolean {
  return (
    lockedHashes.has(block.hash) || chain.some(({ hash, height }) => height > block.height && lockedHashes.has(hash))
  );
}

/** An outpoint of an unrelated coin for a payment to spend. */
export function coin(index: number): string {
  return `${(index + 1).toString(16).padStart(64, '0')}:0`;
}

/** A P2WPKH-shaped script that pays key number `index`. */
export function script(index: number): string {
  return `0014${(index + 1).toString(16).padStart(40, '0')}`;
}

/**
 * A payment of `valueBaseUnits` to each key that spends the given coins. `salt` makes otherwise
 * equal payments differ.
 */
export function payment(coins: readonly number[], keys: readonly number[], valueBaseUnits = 1_000n, salt = 0) {
  return buildTransaction(
    coins.map(coin),
    keys.map((key) => ({ scriptHex: script(key), valueBaseUnits })),
    salt,
  );
}
