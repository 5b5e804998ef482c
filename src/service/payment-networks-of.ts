import type { Mode } from '../../machines/index.ts';
import { type TokenTable, tokenTable } from '../chains/index.ts';
import { type ConnectedNetworks, createPaymentNetworks, type PaymentNetworks } from '../payments/index.ts';
import { type Config, type EvmNodeConfig, type NodeConfig, settingPrefix } from '../platform/config/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { toChecksumAddress } from '../platform/evm-address.ts';
import { networkName } from '../wallets/index.ts';

/** The networks this deployment has nodes for, with the tokens that have a contract there. */
export function paymentNetworksOf({ nodes, testMode }: Pick<Config, 'nodes' | 'testMode'>): PaymentNetworks {
  const connected = (mode: Mode): ConnectedNetworks => {
    const ofMode = nodes.filter((node) => node.mode === mode);
    return {
      kinds: Object.fromEntries(ofMode.map((node) => [node.chain, node.networkKind])),
      contracts: Object.fromEntries(
        ofMode.flatMap((node) =>
          node.family === 'evm'
            ? tokensOf(node).map(({ symbol, contract }) => [symbol, toChecksumAddress(contract)])
            : [],
        ),
      ),
    };
  };
  return createPaymentNetworks({
    live: connected('live'),
    test: testMode === 'simulated' ? 'simulated' : connected('test'),
  });
}

/**
 * The tokens of a network. The operator's contracts take precedence over the built-in ones. Throws
 * a `TerminalError` when they conflict.
 */
export function tokensOf(node: EvmNodeConfig): TokenTable {
  try {
    return tokenTable(networkName(node.chain, node.networkKind), node.tokens);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    throw new TerminalError(error.code, `${settingPrefix(node)}_TOKENS: ${error.message}`);
  }
}

/** The mode (live or test) of each connected network, by network name. */
export function networkModesOf(nodes: readonly NodeConfig[]): ReadonlyMap<string, Mode> {
  return new Map(nodes.map(({ chain, networkKind, mode }) => [networkName(chain, networkKind), mode]));
}
