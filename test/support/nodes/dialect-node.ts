import { createBitcoindRpc, type RpcCall, type RpcReply, utxoChain } from '../../../src/chains/index.ts';
import { RpcError } from '../../../src/chains/rpc/rpc-call.ts';
import { isRecord } from '../../../src/platform/is-record.ts';
import { inDialect, type LockKnowledge, rejectForeignCalls, type UtxoCoin } from '../../chains/support/dialects.ts';
import { type Misbehaviour, startJsonRpcServer } from '../../chains/support/json-rpc-server.ts';
import type { Litecoind } from './litecoind.ts';

/**
 * A proxy in front of a real Litecoin node (started with `plainBytes`) that speaks the RPC dialect
 * of another coin's node on regtest. The chain, its mempool and its reorganisations are real;
 * addresses of the other coin are paid by paying the same output script. Wallet calls go to the
 * Litecoin node itself.
 */
export interface DialectNode {
  readonly coin: UtxoCoin;
  /** RPC URL with user and password, as the service expects it. */
  readonly url: string;
  /** Injects faults that do not depend on the call; null ends them. */
  misbehave(how: Misbehaviour | null): Promise<void>;
  /** Reports another genesis block, as a node of the wrong network does. */
  pretendOtherNetwork(pretend: boolean): void;
  /**
   * Hides the newest blocks and the whole mempool, and dates its newest visible block `hours` back:
   * a node that was off and is still catching up. 0 blocks ends it.
   */
  fallBehind(blocks: number, hours: number): Promise<void>;
  /** Number of peers that it reports. */
  setPeers(peers: number): void;
  /** Dash: masternodes have locked this transaction (InstantSend). */
  lockTransaction(txid: string): void;
  /** Dash: masternodes have locked this block, and so those below it (ChainLock). */
  lockBlock(hash: string): void;
  /** Number of calls answered so far, by method. */
  readonly calls: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** The network of each coin that a proxy speaks for. */
export const NETWORKS: { readonly [coin in UtxoCoin]: string } = {
  BTC: 'bitcoin-regtest',
  LTC: 'litecoin-regtest',
  DOGE: 'dogecoin-regtest',
  DASH: 'dash-regtest',
};
const LITECOIN_GENESIS = utxoChain('litecoin-regtest').genesisHash;
const OTHER_GENESIS = '00'.repeat(31).concat('01');
const HOUR_SECONDS = 3_600;
const DEFAULT_PEERS = 8;
const HASH_DIGITS = 64;
/** Hex digit of a block header at which the parent hash begins, after four bytes of version. */
const PARENT_DIGIT = 8;

export async function startDialectNode(options: {
  readonly coin: UtxoCoin;
  readonly upstream: Pick<Litecoind, 'rpcUrl'>;
}): Promise<DialectNode> {
  const { coin, upstream } = options;
  const rpc = createBitcoindRpc({ url: upstream.rpcUrl });
  const lockedTxids = new Set<string>();
  const lockedHashes = new Set<string>();
  let isOtherNetwork = false;
  let peers = DEFAULT_PEERS;
  let behind: { readonly tipHeight: number; readonly hours: number } | null = null;

  const genesis = () => (isOtherNetwork ? OTHER_GENESIS : utxoChain(NETWORKS[coin]).genesisHash);

  async function respond(call: RpcCall): Promise<RpcReply> {
    try {
      return { ok: true, result: await resultOf(call) };
    } catch (error) {
      if (error instanceof RpcError) return { ok: false, error };
      throw error;
    }
  }

  async function resultOf(call: RpcCall): Promise<unknown> {
    rejectForeignCalls(coin, call);
    const translated = { ...call, params: call.params.map(toUpstream) };
    const result = toDialect(await (behind === null ? ask(translated) : askBehind(translated, behind)));
    return inDialect(coin, call, result, locksOf);
  }

  async function ask({ method, params }: RpcCall): Promise<unknown> {
    if (method === 'getnetworkinfo') return { connections: peers };
    return rpc.call(method, params);
  }

  /** Responds as if the newest blocks had not been downloaded yet. */
  async function askBehind(call: RpcCall, { tipHeight, hours }: NonNullable<typeof behind>): Promise<unknown> {
    const { method, params } = call;
    switch (method) {
      case 'getblockchaininfo': {
        const info = await ask(call);
        const tipHash = await rpc.call('getblockhash', [tipHeight]);
        const mediantime = Math.floor(Date.now() / 1000) - hours * HOUR_SECONDS;
        return isRecord(info) ? { ...info, blocks: tipHeight, bestblockhash: tipHash, mediantime } : info;
      }
      case 'getbestblockhash':
        return rpc.call('getblockhash', [tipHeight]);
      case 'getblockhash':
        if (Number(params[0]) > tipHeight) throw new RpcError(method, -8, 'Block height out of range');
        return ask(call);
      case 'getrawmempool':
        return [];
      case 'getmempoolentry':
        throw new RpcError(method, -5, 'Transaction not in mempool');
      default:
        return ask(call);
    }
  }

  async function locksOf(txid: string, blockHash: string | null): Promise<LockKnowledge | null> {
    return { instantlock: lockedTxids.has(txid), chainlock: blockHash !== null && (await isBlockLocked(blockHash)) };
  }

  async function isBlockLocked(hash: string): Promise<boolean> {
    const height = await activeHeight(hash);
    if (height === null) return false;
    const lockedHeights = await Promise.all([...lockedHashes].map(activeHeight));
    return lockedHeights.some((locked) => locked !== null && locked >= height);
  }

  async function activeHeight(hash: string): Promise<number | null> {
    const header = await rpc.call('getblockheader', [hash]);
    return isRecord(header) && Number(header.confirmations) > 0 ? Number(header.height) : null;
  }

  function toUpstream(param: unknown): unknown {
    return param === genesis() ? LITECOIN_GENESIS : param;
  }

  /** Also replaces the genesis hash in raw block 1, whose header contains it as parent. */
  function toDialect(value: unknown): unknown {
    if (typeof value === 'string') {
      if (value === LITECOIN_GENESIS) return genesis();
      const parent = value.slice(PARENT_DIGIT, PARENT_DIGIT + HASH_DIGITS);
      if (parent !== reversed(LITECOIN_GENESIS)) return value;
      return value.slice(0, PARENT_DIGIT) + reversed(genesis()) + value.slice(PARENT_DIGIT + HASH_DIGITS);
    }
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toDialect(field)]));
  }

  const server = await startJsonRpcServer(respond);
  return {
    coin,
    url: server.url,
    calls: server.calls,
    misbehave: (how) => server.misbehave(how),
    pretendOtherNetwork(pretend) {
      isOtherNetwork = pretend;
    },
    async fallBehind(blocks, hours) {
      const height = Number(await rpc.call('getblockcount'));
      behind = blocks === 0 ? null : { tipHeight: height - blocks, hours };
    },
    setPeers(count) {
      peers = count;
    },
    lockTransaction: (txid) => void lockedTxids.add(txid),
    lockBlock: (hash) => void lockedHashes.add(hash),
    async stop() {
      await server.stop();
      await rpc.close();
    },
  };
}

// Helpers

function reversed(hash: string): string {
  return Buffer.from(hash, 'hex').reverse().toString('hex');
}
