import { ASSETS, type CryptoSymbol } from '../../../machines/index.ts';
import type { WalletSpec } from '../../merchants/index.ts';
import { type AddressType, type NetworkKind, networkName, previewAddresses } from '../../wallets/index.ts';

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
