import { ASSETS, CRYPTO_SYMBOLS, type CryptoSymbol } from '../../../machines/index.ts';
import type { WalletSpec } from '../../merchants/index.ts';
import type { PaymentNetworks } from '../../payments/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { type AddressType, type NetworkKind, networkName, previewAddresses } from '../../wallets/index.ts';
import type { WalletEntry } from './file.ts';

/** A wallet of the provisioning file and its first receiving addresses. */
export interface AttachedWallet {
  readonly merchantName: string;
  readonly crypto: CryptoSymbol;
  readonly network: string;
  readonly addressType: AddressType;
  readonly addresses: readonly string[];
}

/** Enough to be sure, and few enough to compare by eye. */
const SHOWN_ADDRESSES = 3;

export function attachedWallet(merchantName: string, spec: WalletSpec, networkKind: NetworkKind): AttachedWallet {
  const { chain } = ASSETS[spec.crypto];
  const { addressType, addresses } = previewAddresses({
    chain,
    networkKind,
    key: spec.extendedPublicKey,
    count: SHOWN_ADDRESSES,
    addressType: spec.addressType,
  });
  const network = networkName(chain, networkKind);
  return {
    merchantName,
    crypto: spec.crypto,
    network,
    addressType,
    addresses: addresses.map(({ address }) => address),
  };
}

/** Lines for the terminal. A wallet for several coins is listed once. */
export function describeWallets(wallets: readonly AttachedWallet[]): string[] {
  const groups = new Map<string, AttachedWallet[]>();
  for (const wallet of wallets) {
    const key = JSON.stringify([wallet.merchantName, wallet.network, wallet.addresses]);
    groups.set(key, [...(groups.get(key) ?? []), wallet]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const coins = group.map(({ crypto }) => crypto).join(', ');
    return [
      `${first.merchantName}: ${coins} on ${first.network} (${first.addressType}) is first received at these addresses; ` +
        'compare them with your wallet:',
      ...first.addresses.map((address) => `  ${address}`),
    ];
  });
}

/**
 * The network of a wallet in the provisioning file. Without a node, a live wallet belongs to
 * mainnet and is used once a node is configured. A test wallet without a node has no network:
 * throws a `TerminalError` that names the settings.
 */
export function walletNetwork(networks: PaymentNetworks, { mode, crypto }: WalletEntry): NetworkKind {
  const { chain } = ASSETS[crypto];
  const kind = networks.kindOf(mode, chain);
  if (kind === 'simulated') {
    throw invalid(
      '"test" needs TEST_MODE=onchain, because simulated test payments use a built-in wallet; set it, or remove this wallet',
    );
  }
  if (kind !== null) return kind;
  if (mode === 'live') return 'mainnet';
  const coin = CRYPTO_SYMBOLS.find((symbol) => ASSETS[symbol].chain === chain && ASSETS[symbol].type === 'coin');
  const prefix = `TEST_${coin ?? crypto}`;
  throw invalid(
    `"test" needs a node of ${chain} for test keys; set ${prefix}_NETWORK and ${prefix}_RPC_URL, or remove this wallet`,
  );
}

// Helpers

function invalid(message: string): TerminalError {
  return new TerminalError('PROVISIONING_FILE', message);
}
