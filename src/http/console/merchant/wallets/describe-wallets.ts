import {
  ASSETS,
  CHAINS,
  type Chain,
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  type Mode,
} from '../../../../../machines/index.ts';
import type { ListedWallet } from '../../../../merchants/index.ts';
import type { PaymentNetworks } from '../../../../payments/index.ts';
import { TerminalError } from '../../../../platform/errors.ts';
import { CHAIN_ADDRESSING, type NetworkKind, networkName, parseNetworkName } from '../../../../wallets/index.ts';
import type { ChainChoice, WalletInfo } from './schemas.ts';

/**
 * The network that a wallet of this chain and mode receives payments on. Without a node, a live
 * wallet belongs to mainnet; a test wallet has no network and is rejected with `INVALID_REQUEST`.
 */
export function kindOf(networks: PaymentNetworks, mode: Mode, chain: Chain): NetworkKind {
  const kind = networks.kindOf(mode, chain);
  if (kind !== null && kind !== 'simulated') return kind;
  if (mode === 'live') return 'mainnet';
  const reason =
    kind === 'simulated'
      ? 'test payments are simulated here and need no wallet'
      : `the operator of this service has not connected a test node of ${CHAIN_ADDRESSING[chain].name}`;
  throw new TerminalError('INVALID_REQUEST', `A test wallet cannot be added: ${reason}`, { field: 'mode' });
}

/** Live wallets can be added for every chain, test wallets for chains with a test node. */
export function choicesOf(networks: PaymentNetworks, listed: readonly ListedWallet[]): ChainChoice[] {
  const live = CHAINS.map((chain) => toChoice(networks, { mode: 'live', chain }, listed));
  if (networks.isSimulated('test')) return live;
  const withTestNode = CHAINS.filter((chain) => networks.kindOf('test', chain) !== null);
  return [...live, ...withTestNode.map((chain) => toChoice(networks, { mode: 'test', chain }, listed))];
}

export function walletInfoOf(networks: PaymentNetworks, { network, ...wallet }: ListedWallet): WalletInfo {
  const { chain, kind } = parseNetworkName(network);
  const problems = wallet.cryptos.flatMap((crypto) => problemOf(networks, wallet.mode, { crypto, network }) ?? []);
  return {
    ...wallet,
    chainName: CHAIN_ADDRESSING[chain].name,
    networkKind: kind,
    problem: problems.length === 0 ? null : [...new Set(problems)].join(' '),
  };
}

// Helpers

function toChoice(
  networks: PaymentNetworks,
  { mode, chain }: { readonly mode: Mode; readonly chain: Chain },
  listed: readonly ListedWallet[],
): ChainChoice {
  const networkKind = kindOf(networks, mode, chain);
  const network = networkName(chain, networkKind);
  const attached = listed
    .filter((wallet) => wallet.mode === mode && wallet.network === network)
    .flatMap(({ cryptos }) => cryptos);
  const symbols = CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].chain === chain);
  const coins = symbols.map((symbol) => ({
    symbol,
    name: ASSETS[symbol].name,
    isToken: ASSETS[symbol].type === 'token',
    isAttached: attached.includes(symbol),
    problem: problemOf(networks, mode, { crypto: symbol, network }),
  }));
  const isConnected = networks.kindOf(mode, chain) !== null;
  return { mode, chain, name: CHAIN_ADDRESSING[chain].name, networkKind, isConnected, coins };
}

/**
 * Why payments in a coin do not go to this network now; null when they do. All coins of a chain
 * without a node have the same reason.
 */
function problemOf(
  networks: PaymentNetworks,
  mode: Mode,
  { crypto, network }: { readonly crypto: CryptoSymbol; readonly network: string },
): string | null {
  const { chain } = ASSETS[crypto];
  if (networks.isSimulated(mode)) return 'Test payments are simulated now and do not use this wallet.';
  if (networks.kindOf(mode, chain) === null) {
    const payments = mode === 'test' ? 'Test payments' : 'Live payments';
    return `${payments} on ${CHAIN_ADDRESSING[chain].name} are not accepted now: the operator of this service has not connected it yet.`;
  }
  try {
    const used = networks.networkOf(mode, crypto);
    return used === network ? null : `Payments in ${crypto} go to ${used} now; add a wallet for it.`;
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'WALLET_NOT_CONFIGURED') return `${error.message}.`;
    throw error;
  }
}
