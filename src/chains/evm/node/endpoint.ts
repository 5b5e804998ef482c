import type { RpcCall, RpcReply } from '../../rpc/rpc-call.ts';
import type { TokenTable } from '../built-in-tokens.ts';
import type { EvmChainParams } from '../evm-params.ts';
import { blockCall, call, orThrow } from '../rpc/calls.ts';
import type { EvmRpc, RequestLimits } from '../rpc/json-rpc.ts';
import { asCount, asHash, asQuantity, unusable } from '../rpc/read-response.ts';
import { isAbsentBlock, isUnsupported, requestsPause } from '../rpc/rpc-rejections.ts';
import { fetchBalances } from './balances.ts';
import { readBlock, readHead, readReceipt, readTransaction } from './blocks.ts';
import type { EvmHead, EvmHeads, EvmNode } from './evm-node.ts';
import { createTraceMemory, fetchInternalTransfers } from './internal-transfers.ts';
import { tokensByContract } from './parse-transfer-logs.ts';
import { requireNetwork } from './require-network.ts';
import { stateAt, whereStateExists } from './state-at.ts';
import { checkTokens, type TokenProblem } from './token-check.ts';
import { fetchTokenTransfers } from './token-transfer-logs.ts';

/** All queries over one URL. Errors returned by the node are thrown as `RpcError`. */
export interface EvmEndpoint extends Omit<EvmNode, 'readsToken' | 'second'> {
  /** Scheme and host, for messages and logs. */
  readonly safeUrl: string;
  /** Throws `TerminalError` `WRONG_NETWORK` when the chain id or the genesis block differs. */
  confirmNetwork(limits?: RequestLimits): Promise<void>;
  height(limits?: RequestLimits): Promise<number>;
  checkTokens(): Promise<TokenProblem[]>;
  gasPriceWei(): Promise<bigint>;
  close(): Promise<void>;
}

export interface EvmEndpointDeps {
  readonly rpc: EvmRpc;
  readonly params: EvmChainParams;
  readonly tokens: TokenTable;
}

/** Full blocks per request: ten of Ethereum's largest are about 20 MB. */
const BLOCKS_PER_REQUEST = 10;

export function createEvmEndpoint({ rpc, params, tokens }: EvmEndpointDeps): EvmEndpoint {
  const byContract = tokensByContract(tokens);
  const traceMemory = createTraceMemory();

  /** One result per call; null where the node has nothing, or has no such block. */
  async function fetchEach<T>(
    calls: readonly RpcCall[],
    read: (result: unknown, index: number) => T | null,
    limits?: RequestLimits,
  ): Promise<(T | null)[]> {
    const replies = await rpc.batch(calls, limits);
    return replies.map((reply, index) => {
      if (!reply.ok) {
        if (isAbsentBlock(reply.error)) return null;
        throw reply.error;
      }
      return reply.result === null ? null : read(reply.result, index);
    });
  }

  return {
    safeUrl: rpc.safeUrl,
    close: rpc.close,
    checkTokens: () => checkTokens(rpc, tokens),
    gasPriceWei: async () => asQuantity(await rpc.call('eth_gasPrice', [])),
    height: async (limits) => asCount(await rpc.call('eth_blockNumber', [], limits)),

    confirmNetwork: (limits) => requireNetwork(rpc, params, limits),

    async heads(): Promise<EvmHeads> {
      const [latest, finalized, syncing] = await rpc.batch([
        call('eth_getBlockByNumber', 'latest', false),
        call('eth_getBlockByNumber', 'finalized', false),
        call('eth_syncing'),
      ]);
      return {
        latest: readHead(orThrow(latest)),
        finalizedHeight: readFinalized(finalized),
        isSyncing: readSyncing(syncing),
      };
    },

    blockHashes: (heights) =>
      fetchEach(
        heights.map((height) => blockCall(height, false)),
        (result, index) => atHeight(readHead(result), heights[index]).hash,
      ),
    blocks: (heights) =>
      fetchEach(
        heights.map((height) => blockCall(height, true)),
        (result, index) => atHeight(readBlock(result), heights[index]),
        { callsPerRequest: BLOCKS_PER_REQUEST },
      ),
    tokenTransfers: (range) => fetchTokenTransfers(rpc, tokens, range),
    receipts: (txids) =>
      fetchEach(
        txids.map((txid) => call('eth_getTransactionReceipt', txid)),
        (result, index) => withId(readReceipt(result, byContract), txids[index]),
      ),
    transactions: (txids) =>
      fetchEach(
        txids.map((txid) => call('eth_getTransactionByHash', txid)),
        (result, index) => withId(readTransaction(result), txids[index]),
      ),
    balances: (accounts, block) => fetchBalances({ rpc, asset: params.asset, tokens }, accounts, block),
    internalTransfers: (addresses, block) => fetchInternalTransfers(rpc, traceMemory, addresses, block),
    nonces: (addresses, block) =>
      whereStateExists(rpc, block, async () => {
        const at = stateAt(block);
        const replies = await rpc.batch(addresses.map((address) => call('eth_getTransactionCount', address, at)));
        return replies.map((reply) => asCount(orThrow(reply)));
      }),
  };
}

// Helpers

/** Nodes without finality return an error or null; a young chain may have finalised nothing yet. */
function readFinalized(reply: RpcReply | undefined): number | null {
  if (reply !== undefined && !reply.ok && !requestsPause(reply.error)) return null;
  const result = orThrow(reply);
  return result === null ? null : readHead(result).height;
}

/**
 * `eth_syncing` returns false or the progress. Providers that expose only synced nodes may lack it.
 */
function readSyncing(reply: RpcReply | undefined): boolean {
  if (reply !== undefined && !reply.ok && isUnsupported(reply.error)) return false;
  const result = orThrow(reply);
  if (typeof result === 'boolean') return result;
  if (typeof result === 'object' && result !== null) return true;
  throw unusable(result, 'false or the state of the synchronisation');
}

/** Guards against a proxy that mixes up responses. */
function atHeight<T extends EvmHead>(block: T, height: number | undefined): T {
  if (block.height !== height) throw unusable(block.height, `the height ${height}`);
  return block;
}

function withId<T extends { readonly txid: string }>(found: T | null, txid: string | undefined): T | null {
  if (found !== null && found.txid !== asHash(txid)) throw unusable(found.txid, `the transaction ${txid}`);
  return found;
}
