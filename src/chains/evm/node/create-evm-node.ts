import type { Clock } from '../../../platform/clock.ts';
import { TerminalError } from '../../../platform/errors.ts';
import type { EventLog } from '../../../platform/log.ts';
import type { TokenTable } from '../built-in-tokens.ts';
import type { EvmChainParams } from '../evm-params.ts';
import { createEvmRpc } from '../rpc/json-rpc.ts';
import { createEvmEndpoint, type EvmEndpoint } from './endpoint.ts';
import { createEndpointChoice, type EndpointStatus } from './endpoint-choice.ts';
import type { EvmNode } from './evm-node.ts';
import { createSecondGrace } from './second-grace.ts';
import { LeftChainError } from './state-at.ts';
import type { TokenProblem } from './token-check.ts';

export interface EvmNodeOptions {
  /** In order of preference; at least one. Credentials and API keys in them are never shown. */
  readonly urls: readonly string[];
  readonly params: EvmChainParams;
  readonly tokens: TokenTable;
  readonly log: EventLog;
  readonly clock: Clock;
  /** Request timeout; default 30 seconds. */
  readonly timeoutMs?: number;
}

export interface ConnectedEvmNode extends EvmNode {
  /**
   * Reads `decimals` of every token contract. A token with a problem must not be watched: create
   * another node without it.
   */
  verifyTokenDecimals(): Promise<TokenProblem[]>;
  /** The current gas price in wei, as proposed by the node. */
  gasPriceWei(): Promise<bigint>;
  status(): EndpointStatus;
  close(): Promise<void>;
}

/**
 * An Ethereum JSON-RPC client that uses one of several endpoints (see `EndpointChoice`). Throws
 * `RetryableError` `NODE_UNREACHABLE` or `NODE_RESPONSE_UNUSABLE`, and `TerminalError`
 * `WRONG_NETWORK`, `NODE_REFUSED_CREDENTIALS`, `NODE_PRUNED` or `NODE_URL_INVALID`; `balances` also
 * `UnreadableBalanceError`; queries of state also `LeftChainError`.
 */
export function createEvmNode({ urls, params, tokens, log, clock, timeoutMs }: EvmNodeOptions): ConnectedEvmNode {
  if (urls.length === 0) throw new TerminalError('NODE_URL_INVALID', `${params.network} needs the URL of a node`);
  const endpoints = urls.map((url) => createEvmEndpoint({ rpc: createEvmRpc({ url, timeoutMs }), params, tokens }));
  const choice = createEndpointChoice({ endpoints, network: params.network, log, clock });
  const grace = createSecondGrace(clock);

  async function ask<T>(question: (endpoint: EvmEndpoint) => Promise<T>): Promise<T> {
    const endpoint = await choice.current();
    try {
      return await question(endpoint);
    } catch (error) {
      throw choice.failed(endpoint, error);
    }
  }

  async function askSecond<T>(height: number, question: (endpoint: EvmEndpoint) => Promise<T>): Promise<T | null> {
    const other = choice.other();
    if (other === null) return null;
    try {
      const answer = await question(other);
      grace.responded(height);
      return answer;
    } catch (error) {
      choice.failed(other, error);
      if (error instanceof LeftChainError && grace.isLeft(height)) throw error;
      return null;
    }
  }

  return {
    heads: choice.heads,
    blockHashes: (heights) => ask((endpoint) => endpoint.blockHashes(heights)),
    blocks: (heights) => ask((endpoint) => endpoint.blocks(heights)),
    readsToken: (asset) => tokens.some(({ symbol }) => symbol === asset),
    tokenTransfers: (range) => ask((endpoint) => endpoint.tokenTransfers(range)),
    receipts: (txids) => ask((endpoint) => endpoint.receipts(txids)),
    transactions: (txids) => ask((endpoint) => endpoint.transactions(txids)),
    balances: (accounts, block) => ask((endpoint) => endpoint.balances(accounts, block)),
    // An endpoint that fails to trace still serves everything else, so it is not marked as failed.
    internalTransfers: async (addresses, block) => (await choice.current()).internalTransfers(addresses, block),
    nonces: (addresses, block) => ask((endpoint) => endpoint.nonces(addresses, block)),
    second: {
      balances: (accounts, block) => askSecond(block.height, (endpoint) => endpoint.balances(accounts, block)),
      tokenTransfers: (range) => askSecond(range.end.height, (endpoint) => endpoint.tokenTransfers(range)),
    },
    verifyTokenDecimals: () => ask((endpoint) => endpoint.checkTokens()),
    gasPriceWei: () => ask((endpoint) => endpoint.gasPriceWei()),
    status: choice.status,
    async close() {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    },
  };
}
