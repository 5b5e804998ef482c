import { ASSETS, CHAINS, type Chain, CRYPTO_SYMBOLS, type CryptoSymbol } from '../../../../machines/index.ts';
import type { ChainChoice, WalletInfo, WalletsDesk } from '../../../console/index.ts';
import { whileDatabaseAnswers } from '../../../db/index.ts';
import { TerminalError } from '../../../errors.ts';
import {
  attachWallets,
  FIRST_ADDRESSES,
  type ListedWallet,
  listWallets,
  MAX_SKIPPED_ADDRESSES,
  skipWalletAddresses,
} from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import type { LiveNetworks } from '../../../payments/index.ts';
import {
  CHAIN_ADDRESSING,
  CUSTOMARY_GAP_LIMIT,
  type NetworkKind,
  networkName,
  parseNetworkName,
  previewAddresses,
} from '../../../wallets/index.ts';
import { changeAs } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

export function bindWallets(
  { clock, create: { db, networks } }: DeskDeps,
  { watch }: Pick<OutageNotice, 'watch'>,
): WalletsDesk {
  const deps = { db, clock };
  return {
    list: ({ merchantId }) =>
      watch(async () => {
        const listed = await whileDatabaseAnswers(() => listWallets(db, merchantId));
        return {
          wallets: listed.map((wallet) => toInfo(networks, wallet)),
          chains: CHAINS.map((chain) => toChoice(networks, chain, listed)),
          gapLimit: CUSTOMARY_GAP_LIMIT,
          maxSkipped: MAX_SKIPPED_ADDRESSES,
        };
      }),
    preview: async ({ crypto, extendedPublicKey: key, addressType }) => {
      const { chain } = ASSETS[crypto];
      const type = addressType === undefined ? {} : { addressType };
      const spec = { chain, networkKind: kindOf(networks, chain), key, count: FIRST_ADDRESSES, ...type };
      const { keyId: _, warnings, ...preview } = previewAddresses(spec);
      // The page asks for the type instead of warning of the one that is assumed.
      const told = warnings.filter(({ code }) => code !== 'ADDRESS_TYPE_ASSUMED');
      return { ...preview, warnings: told.map(({ message }) => message) };
    },
    attach: (member, { cryptos, ...wanted }) =>
      watch(() => {
        const [first] = cryptos;
        const networkKind = first === undefined ? 'mainnet' : kindOf(networks, ASSETS[first].chain);
        return changeAs(deps, member, async (change) => {
          const spec = { merchantId: member.merchantId, cryptos, networkKind, ...wanted };
          const { attached, replaced } = await attachWallets(change, spec);
          return { attached, replaced };
        });
      }),
    skip: (member, walletId, { count }) =>
      watch(() =>
        changeAs(deps, member, async (change) => ({
          lastSkippedIndex: await skipWalletAddresses(change, { merchantId: member.merchantId, walletId, count }),
        })),
      ),
  };
}

// Helpers

/** Where a wallet of this chain is paid; without a node, where it would be: the chain itself. */
function kindOf(networks: LiveNetworks, chain: Chain): NetworkKind {
  return networks.kindOf(chain) ?? 'mainnet';
}

function toInfo(networks: LiveNetworks, { network, ...wallet }: ListedWallet): WalletInfo {
  const { chain, kind } = parseNetworkName(network);
  const problems = wallet.cryptos.flatMap((crypto) => problemOf(networks, crypto, network) ?? []);
  return {
    ...wallet,
    chainName: CHAIN_ADDRESSING[chain].name,
    networkKind: kind,
    problem: problems.length === 0 ? null : [...new Set(problems)].join(' '),
  };
}

function toChoice(networks: LiveNetworks, chain: Chain, listed: readonly ListedWallet[]): ChainChoice {
  const networkKind = kindOf(networks, chain);
  const network = networkName(chain, networkKind);
  const attached = listed.filter((wallet) => wallet.network === network).flatMap(({ cryptos }) => cryptos);
  const symbols = CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].chain === chain);
  const coins = symbols.map((symbol) => ({
    symbol,
    name: ASSETS[symbol].name,
    isToken: ASSETS[symbol].type === 'token',
    isAttached: attached.includes(symbol),
    problem: problemOf(networks, symbol, network),
  }));
  return { chain, name: CHAIN_ADDRESSING[chain].name, networkKind, coins };
}

/** Why live payments in a coin do not go to this network now; null when they do. All coins of a chain without a node say the same. */
function problemOf(networks: LiveNetworks, crypto: CryptoSymbol, network: string): string | null {
  const { chain } = ASSETS[crypto];
  if (networks.kindOf(chain) === null) {
    return `Live payments on ${CHAIN_ADDRESSING[chain].name} are not taken now: the operator of this service has not connected it yet.`;
  }
  try {
    const used = networks.networkOf(crypto);
    return used === network ? null : `Payments in ${crypto} go to ${used} now; add a wallet for it.`;
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'WALLET_NOT_CONFIGURED') return `${error.message}.`;
    throw error;
  }
}
