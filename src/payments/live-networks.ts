import { ASSETS, type Chain, type CryptoSymbol } from '../../machines/index.ts';
import { TerminalError } from '../errors.ts';
import { type NetworkKind, networkName } from '../wallets/index.ts';

/** Which real network carries each chain in this deployment, and what can be paid there. */
export interface LiveNetworks {
  /**
   * The network a coin or token is paid on. Throws `WALLET_NOT_CONFIGURED` with the remedy when this deployment has no node
   * for its chain, or knows no contract of the token there.
   */
  networkOf(crypto: CryptoSymbol): string;
  kindOf(chain: Chain): NetworkKind | null;
}

/** `tokens` are those that have a contract on the network of their chain. */
export function createLiveNetworks(
  kinds: Partial<Readonly<Record<Chain, NetworkKind>>>,
  tokens: Iterable<CryptoSymbol> = [],
): LiveNetworks {
  const payableTokens = new Set(tokens);
  return {
    networkOf(crypto) {
      const { chain, type } = ASSETS[crypto];
      const kind = kinds[chain];
      if (kind === undefined) throw unavailable(crypto, `has not connected a node of ${chain}`);
      const network = networkName(chain, kind);
      if (type === 'token' && !payableTokens.has(crypto)) {
        throw unavailable(crypto, `knows no contract of ${crypto} on ${network} (to be added to ETH_TOKENS)`);
      }
      return network;
    },
    kindOf: (chain) => kinds[chain] ?? null,
  };
}

// Helpers

function unavailable(crypto: CryptoSymbol, reason: string): TerminalError {
  return new TerminalError(
    'WALLET_NOT_CONFIGURED',
    `Live payments in ${crypto} are not available: the operator of this service ${reason}`,
  );
}
