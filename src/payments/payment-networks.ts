import { ASSETS, type Chain, type CryptoSymbol, MODES, type Mode } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { type NetworkKind, networkName } from '../wallets/index.ts';

/** The network of each chain in this deployment, for live keys and for test keys. */
export interface PaymentNetworks {
  /**
   * The network a coin or token is paid on. Throws `WALLET_NOT_CONFIGURED` with the remedy when
   * this deployment has no node for its chain in this mode, or no contract of the token there.
   */
  networkOf(mode: Mode, crypto: CryptoSymbol): string;
  /** Null when this deployment has no node for the chain in this mode. */
  kindOf(mode: Mode, chain: Chain): NetworkKind | 'simulated' | null;
  /**
   * The contract of a token on a network, as EIP-55 address. Null for a coin, on a network without
   * node, and in the simulation.
   */
  contractOf(network: string, crypto: CryptoSymbol): string | null;
  /** Whether payments of this mode use the built-in simulation, without a node or wallet. */
  isSimulated(mode: Mode): boolean;
}

/** The networks of one mode that have a node. */
export interface ConnectedNetworks {
  readonly kinds: Partial<Readonly<Record<Chain, NetworkKind>>>;
  /** The contracts of tokens on the network of their chain, as EIP-55 addresses. */
  readonly contracts?: Partial<Readonly<Record<CryptoSymbol, string>>>;
}

/** Throws when test keys would use a main network, or a network of live keys. */
export function createPaymentNetworks(connected: {
  readonly live: ConnectedNetworks;
  readonly test: ConnectedNetworks | 'simulated';
}): PaymentNetworks {
  const { live, test } = connected;
  if (test !== 'simulated') requireApart(live, test);
  const contracts = {
    live: live.contracts ?? {},
    test: (test === 'simulated' ? null : test.contracts) ?? {},
  };
  const isSimulated = (mode: Mode) => mode === 'test' && test === 'simulated';

  function kindOf(mode: Mode, chain: Chain): NetworkKind | 'simulated' | null {
    if (mode === 'live') return live.kinds[chain] ?? null;
    return test === 'simulated' ? 'simulated' : (test.kinds[chain] ?? null);
  }

  return {
    networkOf(mode, crypto) {
      const { chain, type } = ASSETS[crypto];
      const kind = kindOf(mode, chain);
      const ofMode = mode === 'test' ? 'a test node' : 'a node';
      if (kind === null) throw unavailable(mode, crypto, `${OPERATOR} has not connected ${ofMode} of ${chain}`);
      const network = networkName(chain, kind);
      if (type === 'token' && !isSimulated(mode) && contracts[mode][crypto] === undefined) {
        const reason = `${OPERATOR} has set no contract of ${crypto} on ${network} (add it to ${tokensSetting(mode)})`;
        throw unavailable(mode, crypto, reason);
      }
      return network;
    },
    kindOf,
    contractOf(network, crypto) {
      const { chain } = ASSETS[crypto];
      const mode = MODES.find((each) => {
        const kind = kindOf(each, chain);
        return kind !== null && networkName(chain, kind) === network;
      });
      return mode === undefined ? null : (contracts[mode][crypto] ?? null);
    },
    isSimulated,
  };
}

/**
 * The error for a coin not payable in this mode; `reason` ends the message and names the remedy.
 */
export function unavailable(mode: Mode, crypto: CryptoSymbol, reason: string): TerminalError {
  const payments = mode === 'test' ? 'Test payments' : 'Live payments';
  return new TerminalError('WALLET_NOT_CONFIGURED', `${payments} in ${crypto} are not available: ${reason}`);
}

/** The setting that holds the token contracts of a mode. */
export function tokensSetting(mode: Mode): string {
  return mode === 'test' ? 'TEST_ETH_TOKENS' : 'ETH_TOKENS';
}

// Helpers

const OPERATOR = 'the operator of this service';

/** Configuration already rejects this with a remedy; here it protects real money from a bug. */
function requireApart(live: ConnectedNetworks, test: ConnectedNetworks): void {
  for (const [chain, kind] of Object.entries(test.kinds)) {
    if (kind === 'mainnet') throw new Error(`test keys must not use the main network of ${chain}`);
    if (kind === live.kinds[chain as Chain]) throw new Error(`live and test keys must not share ${chain}-${kind}`);
  }
}
