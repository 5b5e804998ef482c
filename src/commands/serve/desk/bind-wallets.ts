import { ASSETS, CHAINS, type Chain, CRYPTO_SYMBOLS, type CryptoSymbol } from '../../../../machines/index.ts';
import { mailSecurityChange } from '../../../accounts/index.ts';
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
  type WalletMode,
} from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import type { PaymentNetworks } from '../../../payments/index.ts';
import {
  CHAIN_ADDRESSING,
  CUSTOMARY_GAP_LIMIT,
  type NetworkKind,
  networkName,
  parseNetworkName,
  previewAddresses,
  requireTestForm,
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
          chains: choicesOf(networks, listed),
          gapLimit: CUSTOMARY_GAP_LIMIT,
          maxSkipped: MAX_SKIPPED_ADDRESSES,
        };
      }),
    preview: async ({ mode, crypto, extendedPublicKey: key, addressType }) => {
      const { chain } = ASSETS[crypto];
      const type = addressType === undefined ? {} : { addressType };
      const spec = { chain, networkKind: kindOf(networks, mode, chain), key, count: FIRST_ADDRESSES, ...type };
      const { keyId: _, warnings, ...preview } = previewAddresses(spec);
      if (mode === 'test') requireTestForm({ chain, prefix: preview.prefix });
      // The page asks for the address type instead of warning about the assumed one.
      const told = warnings.filter(({ code }) => code !== 'ADDRESS_TYPE_ASSUMED');
      return { ...preview, warnings: told.map(({ message }) => message) };
    },
    attach: (member, { cryptos, mode, ...wanted }) =>
      watch(async () => {
        const [first] = cryptos;
        const networkKind = first === undefined ? 'mainnet' : kindOf(networks, mode, ASSETS[first].chain);
        return changeAs(deps, member, async (change) => {
          const spec = { merchantId: member.merchantId, mode, cryptos, networkKind, ...wanted };
          const { network, attached, replaced } = await attachWallets(change, spec);
          for (const [what, coins] of [
            ['replaced', replaced],
            ['added', attached],
          ] as const) {
            if (coins.length === 0) continue;
            await mailSecurityChange(change, member, {
              subject: `A wallet was ${what}`,
              facts: [
                ['Coins', coins.join(', ')],
                ['Network', network],
                ['First address', wanted.firstAddress],
              ],
            });
          }
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

/**
 * The network that a wallet of this chain and mode receives payments on. Without a node, a live
 * wallet belongs to mainnet; a test wallet has no network and is rejected with `INVALID_REQUEST`.
 */
function kindOf(networks: PaymentNetworks, mode: WalletMode, chain: Chain): NetworkKind {
  const kind = networks.kindOf(mode, chain);
  if (kind !== null && kind !== 'simulated') return kind;
  if (mode === 'live') return 'mainnet';
  const reason =
    kind === 'simulated'
      ? 'test payments are simulated here, and need no wallet'
      : `the operator of this service has not connected a test node of ${CHAIN_ADDRESSING[chain].name}`;
  throw new TerminalError('INVALID_REQUEST', `A test wallet cannot be added: ${reason}`, { field: 'mode' });
}

/** Live wallets can be added for every chain, test wallets for chains with a test node. */
function choicesOf(networks: PaymentNetworks, listed: readonly ListedWallet[]): ChainChoice[] {
  const live = CHAINS.map((chain) => toChoice(networks, { mode: 'live', chain }, listed));
  if (networks.isSimulated('test')) return live;
  const withTestNode = CHAINS.filter((chain) => networks.kindOf('test', chain) !== null);
  return [...live, ...withTestNode.map((chain) => toChoice(networks, { mode: 'test', chain }, listed))];
}

function toInfo(networks: PaymentNetworks, { network, ...wallet }: ListedWallet): WalletInfo {
  const { chain, kind } = parseNetworkName(network);
  const problems = wallet.cryptos.flatMap((crypto) => problemOf(networks, wallet.mode, { crypto, network }) ?? []);
  return {
    ...wallet,
    chainName: CHAIN_ADDRESSING[chain].name,
    networkKind: kind,
    problem: problems.length === 0 ? null : [...new Set(problems)].join(' '),
  };
}

function toChoice(
  networks: PaymentNetworks,
  { mode, chain }: { readonly mode: WalletMode; readonly chain: Chain },
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
  return { mode, chain, name: CHAIN_ADDRESSING[chain].name, networkKind, coins };
}

/**
 * Why payments in a coin do not go to this network now; null when they do. All coins of a chain
 * without a node have the same reason.
 */
function problemOf(
  networks: PaymentNetworks,
  mode: WalletMode,
  { crypto, network }: { readonly crypto: CryptoSymbol; readonly network: string },
): string | null {
  const { chain } = ASSETS[crypto];
  if (networks.isSimulated(mode)) return 'Test payments are simulated now, and do not use this wallet.';
  if (networks.kindOf(mode, chain) === null) {
    const payments = mode === 'test' ? 'Test payments' : 'Live payments';
    return `${payments} on ${CHAIN_ADDRESSING[chain].name} are not taken now: the operator of this service has not connected it yet.`;
  }
  try {
    const used = networks.networkOf(mode, crypto);
    return used === network ? null : `Payments in ${crypto} go to ${used} now; add a wallet for it.`;
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'WALLET_NOT_CONFIGURED') return `${error.message}.`;
    throw error;
  }
}
