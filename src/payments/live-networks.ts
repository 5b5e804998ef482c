import { ASSETS, type Chain, type CryptoSymbol } from '../../machines/index.ts';
import { TerminalError } from '../errors.ts';
import { type NetworkKind, networkName } from '../wallets/index.ts';

/** Which real network carries each chain in this deployment. */
export interface LiveNetworks {
  /** The network of a coin. Throws `WALLET_NOT_CONFIGURED` when this deployment has no node for it. */
  networkOf(crypto: CryptoSymbol): string;
  kindOf(chain: Chain): NetworkKind | null;
}

export function createLiveNetworks(kinds: Partial<Readonly<Record<Chain, NetworkKind>>>): LiveNetworks {
  return {
    networkOf(crypto) {
      const { chain } = ASSETS[crypto];
      const kind = kinds[chain];
      if (kind === undefined) {
        throw new TerminalError(
          'WALLET_NOT_CONFIGURED',
          `Live payments in ${crypto} are not available: the operator of this service has not connected a ${chain} node`,
        );
      }
      return networkName(chain, kind);
    },
    kindOf: (chain) => kinds[chain] ?? null,
  };
}
