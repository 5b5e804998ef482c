import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type RpcCall, type RpcReply, utxoChain } from '../../../src/chains/index.ts';
import { RpcError } from '../../../src/chains/rpc/rpc-call.ts';
import { inDialect, rejectForeignCalls, type UtxoCoin } from '../../chains/support/dialects.ts';
import { startJsonRpcServer } from '../../chains/support/json-rpc-server.ts';
import { buildBlock } from '../../chains/support/raw-builder.ts';

/**
 * A node that serves recorded real blocks at their real heights. The recordings are single blocks,
 * so every other height has an invented empty block; the one below a recording has the hash that
 * the recording names as its parent. A watcher cannot tell them apart, because it takes block
 * hashes from the node.
 */
export interface ReplayNode {
  readonly network: string;
  readonly url: string;
  /** The recorded blocks, lowest first. */
  readonly blocks: readonly RecordedBlock[];
  /** Moves the tip; initially it is the highest recording. */
  setTip(height: number): void;
  /** Puts recorded transactions into its mempool, by their raw bytes. */
  setMempool(transactions: readonly RecordedTransaction[]): void;
  /** Time of the tip's block in Unix milliseconds: the present for a watcher of this node. */
  now(): number;
  /** Number of calls answered so far, by method. */
  readonly calls: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface RecordedBlock {
  readonly coin: UtxoCoin;
  readonly height: number;
  readonly hash: string;
  readonly prevHash: string;
  readonly hex: string;
  readonly time: number;
  readonly txids: readonly string[];
  readonly outputs: readonly RecordedOutput[];
}

export interface RecordedOutput {
  readonly txid: string;
  readonly n: number;
  readonly valueSat: string;
  /** Null when the script has no address form. */
  readonly address: string | null;
}

export interface RecordedTransaction {
  readonly txid: string;
  readonly hex: string;
}

/** Networks with recordings, and the prefixes of their file names. */
export const REPLAYED_NETWORKS = {
  'bitcoin-mainnet': 'btc-mainnet-',
  'litecoin-mainnet': 'ltc-mainnet-',
  'litecoin-testnet': 'ltc-testnet4-',
  'dogecoin-mainnet': 'doge-mainnet-',
  'dash-mainnet': 'dash-mainnet-',
} as const;
export type ReplayedNetwork = keyof typeof REPLAYED_NETWORKS;

const FOLDER = new URL('../../vectors/blocks/', import.meta.url);
const BLOCK_SPACING_SECONDS = 150;

export async function startReplayNode(network: ReplayedNetwork): Promise<ReplayNode> {
  const blocks = loadBlocks(network);
  const [first] = blocks;
  const highest = blocks.at(-1);
  if (first === undefined || highest === undefined) throw new Error(`no recordings of ${network}`);
  const { coin } = first;
  const { genesisHash } = utxoChain(network);
  const recorded = new Map(blocks.map((block) => [block.height, block]));
  const heights = new Map<string, number>();
  let tipHeight = highest.height;
  let mempool: readonly RecordedTransaction[] = [];

  function hashAt(height: number): string {
    const own = recorded.get(height)?.hash ?? recorded.get(height + 1)?.prevHash;
    const hash = height === 0 ? genesisHash : (own ?? madeUpHash(`${network} ${height}`));
    heights.set(hash, height);
    return hash;
  }

  /** Invented blocks take their times from the recording above or below them. */
  function timeAt(height: number): number {
    const above = blocks.find((block) => block.height >= height) ?? highest;
    return (above?.time ?? 0) + (height - (above?.height ?? 0)) * BLOCK_SPACING_SECONDS;
  }

  function rawBlock(height: number): string {
    const own = recorded.get(height);
    return own?.hex ?? buildBlock(hashAt(height - 1), height, Math.max(1, timeAt(height)), height, []).hex;
  }

  function heightOf(method: string, hash: unknown): number {
    const height = heights.get(String(hash));
    if (height === undefined || height > tipHeight) throw new RpcError(method, -5, 'Block not found');
    return height;
  }

  function resultOf({ method, params }: RpcCall): unknown {
    const [which, form, inBlock] = params;
    switch (method) {
      case 'getblockchaininfo': {
        const hash = hashAt(tipHeight);
        return {
          chain: 'main',
          blocks: tipHeight,
          headers: tipHeight,
          bestblockhash: hash,
          mediantime: timeAt(tipHeight),
          initialblockdownload: false,
          pruned: false,
        };
      }
      case 'getnetworkinfo':
        return { connections: 8 };
      case 'getbestblockhash':
        return hashAt(tipHeight);
      case 'getblockhash':
        if (Number(which) > tipHeight) throw new RpcError(method, -8, 'Block height out of range');
        return hashAt(Number(which));
      case 'getblock':
        if (form !== false) throw new RpcError(method, -1, 'only raw blocks are replayed');
        return rawBlock(heightOf(method, which));
      case 'getblockheader': {
        const height = heightOf(method, which);
        return { height, confirmations: tipHeight - height + 1, previousblockhash: hashAt(height - 1) };
      }
      case 'getmempoolinfo':
        return { loaded: true };
      case 'getrawmempool':
        return mempool.map(({ txid }) => txid);
      case 'getmempoolentry':
        if (!mempool.some(({ txid }) => txid === which)) throw new RpcError(method, -5, 'Transaction not in mempool');
        return { time: timeAt(tipHeight) };
      case 'getrawtransaction':
        return rawTransaction(String(which), form === true, inBlock);
      default:
        throw new RpcError(method, -32601, 'Method not found');
    }
  }

  function rawTransaction(txid: string, isVerbose: boolean, inBlock: unknown): unknown {
    const waiting = mempool.find((each) => each.txid === txid);
    if (waiting !== undefined && inBlock === undefined) return isVerbose ? { txid, hex: waiting.hex } : waiting.hex;
    const holder = blocks.find((block) => block.height <= tipHeight && block.txids.includes(txid));
    if (holder === undefined || !isVerbose || (inBlock !== undefined && inBlock !== holder.hash)) {
      throw new RpcError('getrawtransaction', -5, 'No such mempool or blockchain transaction');
    }
    const active = inBlock === undefined ? {} : { in_active_chain: true };
    return { txid, blockhash: holder.hash, confirmations: tipHeight - holder.height + 1, ...active };
  }

  async function respond(call: RpcCall): Promise<RpcReply> {
    try {
      rejectForeignCalls(coin, call);
      return { ok: true, result: await inDialect(coin, call, resultOf(call), noLocks) };
    } catch (error) {
      if (error instanceof RpcError) return { ok: false, error };
      throw error;
    }
  }

  const server = await startJsonRpcServer(respond);
  return {
    network,
    url: server.url,
    calls: server.calls,
    blocks,
    setTip(height) {
      tipHeight = height;
    },
    setMempool(transactions) {
      mempool = transactions;
    },
    now: () => timeAt(tipHeight) * 1000,
    stop: () => server.stop(),
  };
}

// Helpers

async function noLocks() {
  return { chainlock: false, instantlock: false };
}

/** Dash recordings lack their hash, which is X11 of the header; they get an invented one. */
function loadBlocks(network: ReplayedNetwork): RecordedBlock[] {
  return readdirSync(FOLDER)
    .filter((file) => file.startsWith(REPLAYED_NETWORKS[network]))
    .map((file): RecordedBlock => {
      const block: RecordedBlock = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
      return { ...block, hash: block.hash ?? madeUpHash(file) };
    })
    .sort((a, b) => a.height - b.height);
}

function madeUpHash(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}
