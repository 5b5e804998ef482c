import type { UnixMs } from '../../../machines/index.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { isRecord, type JsonRecord } from '../../platform/is-record.ts';
import { type RpcCall, RpcError, type RpcReply } from '../rpc/rpc-call.ts';
import { isMempoolLoaded, saysMempoolLoaded } from './mempool-loaded.ts';
import { type RawBlock, readBlock } from './raw-block.ts';
import type { RawFormat } from './raw-reader.ts';
import { type RawTransaction, readTransaction } from './raw-transaction.ts';
import { RPC_CODES, type UtxoRpc } from './rpc.ts';

/** Typed node queries of a watcher. "Not found" is returned as null; other errors are thrown. */
export interface UtxoNode {
  info(): Promise<NodeInfo>;
  /** Number of connected peers; null when the node does not allow the call. */
  peers(): Promise<number | null>;
  /** The clock of the node's machine; null when the node does not allow the call. */
  clock(): Promise<UnixMs | null>;
  /** Hash of the best chain's block at each height; null above the tip. */
  blockHashes(heights: readonly number[]): Promise<(string | null)[]>;
  /** Full blocks, also stale ones; null when unknown. Throws `NODE_PRUNED` for a pruned block. */
  blocks(hashes: readonly string[]): Promise<(RawBlock | null)[]>;
  /** The parent hash of a block, also of a stale one; null when the block is unknown. */
  previousBlockHash(hash: string): Promise<string | null>;
  /** Heights of blocks of the best chain; null for one that is stale or unknown. */
  heightsOf(hashes: readonly string[]): Promise<(number | null)[]>;
  bestBlockHash(): Promise<string>;
  /**
   * The mempool's transaction ids. The same batch reads whether the mempool was loaded before the
   * listing, and the tip after it. A restarted node has an empty mempool until it has read its
   * file; old versions do not report that.
   */
  mempool(): Promise<MempoolListing>;
  /** Transactions by id; null for those the node does not have. */
  transactions(txids: readonly string[]): Promise<(RawTransaction | null)[]>;
  /** When each transaction entered the mempool, in Unix milliseconds; null when it is not in it. */
  mempoolTimes(txids: readonly string[]): Promise<(number | null)[]>;
  /**
   * Whether the block of each transaction is ChainLocked (DIP 8) and in the best chain. An
   * InstantSend lock (DIP 10) does not count. False also when the node cannot tell.
   */
  lockedInBlock(transactions: readonly MinedTransaction[]): Promise<boolean[]>;
  /** Block hash of each transaction by the node's `txindex`, if any. A hint: it may be stale. */
  indexedBlockHashes(txids: readonly string[]): Promise<(string | null)[]>;
  /**
   * Height of a transaction in the best chain, if one of its first `MAX_UNSPENT_ASKED` outputs is
   * unspent; else null. Throws when the node does not allow `gettxout`.
   */
  heightOfUnspent(txid: string): Promise<number | null>;
}

export interface NodeInfo {
  readonly tipHeight: number;
  readonly tipHash: string;
  readonly headerHeight: number;
  readonly medianTimeMs: number;
  readonly inInitialDownload: boolean;
  /** A pruned node has no blocks below this height; null when the node is not pruned. */
  readonly keepsBlocksFrom: number | null;
}

export interface MempoolListing {
  readonly txids: readonly string[];
  readonly isLoaded: boolean;
  /** False also when the node does not report whether its mempool is loaded. */
  readonly saysLoaded: boolean;
  readonly bestBlockHash: string;
}

/** A transaction and the block that contains it. */
export interface MinedTransaction {
  readonly txid: string;
  readonly blockHash: string;
}

/** Most payouts in one transaction of an exchange have fewer outputs. */
const MAX_UNSPENT_ASKED = 200;

/** Blocks per request: five of Bitcoin's largest blocks are about 40 MB of hex. */
export const BLOCKS_PER_REQUEST = 5;

export function createUtxoNode(rpc: UtxoRpc, format: RawFormat): UtxoNode {
  async function fetchEach<T>(
    calls: RpcCall[],
    gone: readonly number[],
    read: (result: unknown) => T,
  ): Promise<(T | null)[]> {
    const replies = await rpc.batch(calls);
    return replies.map((reply) => orNull(reply, gone, read));
  }

  /** Null when the node rejects the call, which polling does not require. */
  async function ifAllowed<T>(method: string, read: (response: JsonRecord) => T): Promise<T | null> {
    try {
      return read(asRecord(await rpc.call(method)));
    } catch (error) {
      // An rpcwhitelist without this method looks like bad credentials.
      if (error instanceof RpcError || error instanceof TerminalError) return null;
      throw error;
    }
  }

  function headers(hashes: readonly string[]): Promise<(JsonRecord | null)[]> {
    return fetchEach(
      hashes.map((hash) => call('getblockheader', hash)),
      [RPC_CODES.notFound],
      asRecord,
    );
  }

  async function blocks(hashes: readonly string[]): Promise<(RawBlock | null)[]> {
    const found: (RawBlock | null)[] = [];
    for (let start = 0; start < hashes.length; start += BLOCKS_PER_REQUEST) {
      const requested = hashes.slice(start, start + BLOCKS_PER_REQUEST);
      const replies = await rpc.batch(requested.map((hash) => call('getblock', hash, false)));
      for (const [index, reply] of replies.entries()) {
        if (!reply.ok && /pruned/i.test(reply.error.message))
          throw await prunedError(requested[index] ?? '', reply.error);
        found.push(orNull(reply, [RPC_CODES.notFound], (result) => readBlock(asString(result), format)));
      }
    }
    return found;
  }

  async function prunedError(hash: string, cause: Error): Promise<TerminalError> {
    const [found] = await headers([hash]);
    return new TerminalError(
      'NODE_PRUNED',
      `the node has deleted block ${found ? asNumber(found.height) : hash}: run it without -prune ` +
        '(or with a larger limit) and download the chain again, or point the RPC URL at a node that still has the block',
      { cause },
    );
  }

  return {
    async info() {
      const info = asRecord(await rpc.call('getblockchaininfo'));
      const tipHeight = asNumber(info.blocks);
      const headerHeight = asNumber(info.headers);
      return {
        tipHeight,
        headerHeight,
        tipHash: asString(info.bestblockhash),
        medianTimeMs: asNumber(info.mediantime) * 1000,
        // Nodes based on Core before 0.16 lack the field; use the gap between headers and blocks.
        inInitialDownload:
          typeof info.initialblockdownload === 'boolean' ? info.initialblockdownload : headerHeight > tipHeight,
        keepsBlocksFrom: info.pruned === true ? asNumber(info.pruneheight ?? 0) : null,
      };
    },
    peers: () => ifAllowed('getnetworkinfo', ({ connections }) => asNumber(connections)),
    clock: () => ifAllowed('getnettotals', ({ timemillis }) => asNumber(timemillis)),
    blockHashes: (heights) =>
      fetchEach(
        heights.map((height) => call('getblockhash', height)),
        [RPC_CODES.invalidParameter],
        asString,
      ),
    blocks,
    async previousBlockHash(hash) {
      const [found] = await headers([hash]);
      return found?.previousblockhash === undefined ? null : asString(found.previousblockhash);
    },
    async heightsOf(hashes) {
      const found = await headers(hashes);
      return found.map((each) => (each === null || asNumber(each.confirmations) < 0 ? null : asNumber(each.height)));
    },
    bestBlockHash: async () => asString(await rpc.call('getbestblockhash')),
    async mempool() {
      const calls = [call('getmempoolinfo'), call('getrawmempool', false), call('getbestblockhash')];
      const [info, listing, best] = await rpc.batch(calls);
      return {
        isLoaded: isMempoolLoaded(orThrow(info)),
        saysLoaded: saysMempoolLoaded(orThrow(info)),
        txids: asStrings(orThrow(listing)),
        bestBlockHash: asString(orThrow(best)),
      };
    },
    transactions: (txids) =>
      fetchEach(
        txids.map((txid) => call('getrawtransaction', txid, false)),
        [RPC_CODES.notFound],
        (result) => readTransaction(asString(result), format),
      ),
    mempoolTimes: (txids) =>
      fetchEach(
        txids.map((txid) => call('getmempoolentry', txid)),
        [RPC_CODES.notFound],
        (result) => asNumber(asRecord(result).time) * 1000,
      ),
    async lockedInBlock(transactions) {
      const replies = await rpc.batch(
        transactions.map(({ txid, blockHash }) => call('getrawtransaction', txid, true, blockHash)),
      );
      return replies.map((reply) => reply.ok && isLocked(asRecord(reply.result)));
    },
    indexedBlockHashes: (txids) =>
      fetchEach(
        txids.map((txid) => call('getrawtransaction', txid, true)),
        [RPC_CODES.notFound],
        (result) => {
          const { blockhash } = asRecord(result);
          return typeof blockhash === 'string' ? blockhash : null;
        },
      ),
    async heightOfUnspent(txid) {
      const calls = Array.from({ length: MAX_UNSPENT_ASKED }, (_, vout) => call('gettxout', txid, vout, false));
      const found = await fetchEach(calls, [], (result) => (result === null ? null : asRecord(result)));
      const unspent = found.find((each) => each !== null);
      if (!unspent) return null;
      const [tip] = await headers([asString(unspent.bestblock)]);
      return tip ? asNumber(tip.height) - asNumber(unspent.confirmations) + 1 : null;
    },
  };
}

// Helpers

function call(method: string, ...params: unknown[]): RpcCall {
  return { method, params };
}

function orNull<T>(reply: RpcReply, gone: readonly number[], read: (result: unknown) => T): T | null {
  if (reply.ok) return read(reply.result);
  if (gone.includes(reply.error.code)) return null;
  throw reply.error;
}

/** The requested block may have become stale, and a lock on a stale block proves nothing. */
function isLocked(transaction: { readonly [field: string]: unknown }): boolean {
  if (transaction.in_active_chain === false) return false;
  // A lock on the transaction alone (InstantSend, DIP 10) does not rule out other blocks.
  return transaction.chainlock === true;
}

function orThrow(reply: RpcReply | undefined): unknown {
  if (reply === undefined) throw unusable('nothing');
  if (!reply.ok) throw reply.error;
  return reply.result;
}

function asString(value: unknown): string {
  if (typeof value !== 'string') throw unusable(value);
  return value;
}

function asNumber(value: unknown): number {
  if (typeof value !== 'number') throw unusable(value);
  return value;
}

function asStrings(value: unknown): string[] {
  if (!Array.isArray(value)) throw unusable(value);
  return value.map(asString);
}

function asRecord(value: unknown): JsonRecord {
  if (!isRecord(value)) throw unusable(value);
  return value;
}

/** Shown from an unexpected response, in an error. */
const SHOWN_CHARACTERS = 100;

function unusable(value: unknown): RetryableError {
  return new RetryableError(
    'NODE_RESPONSE_UNUSABLE',
    `the node's response has an unexpected shape: ${JSON.stringify(value)?.slice(0, SHOWN_CHARACTERS) ?? 'nothing'}`,
  );
}
