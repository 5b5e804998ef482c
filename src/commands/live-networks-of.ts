import { type TokenTable, tokenTable } from '../chains/index.ts';
import type { Config, EvmNodeConfig } from '../config/index.ts';
import { TerminalError } from '../errors.ts';
import { createLiveNetworks, type LiveNetworks } from '../payments/index.ts';
import { networkName } from '../wallets/index.ts';

/** The real networks this deployment has nodes for, with the tokens that have a contract there. */
export function liveNetworksOf({ nodes }: Pick<Config, 'nodes'>): LiveNetworks {
  const kinds = Object.fromEntries(nodes.map((node) => [node.chain, node.networkKind]));
  const tokens = nodes.flatMap((node) => (node.family === 'evm' ? tokensOf(node) : []));
  return createLiveNetworks(
    kinds,
    tokens.map(({ symbol }) => symbol),
  );
}

/** The tokens of a network: the operator's contracts before those that are built in. Throws a `TerminalError` when they clash. */
export function tokensOf({ symbol, chain, networkKind, tokens }: EvmNodeConfig): TokenTable {
  try {
    return tokenTable(networkName(chain, networkKind), tokens);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    throw new TerminalError(error.code, `${symbol}_TOKENS: ${error.message}`);
  }
}
