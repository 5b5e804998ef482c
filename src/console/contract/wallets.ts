import type { Mode } from './desk.ts';

/** Where a merchant's money goes: the extended public keys their own wallets gave. */

/** GET `merchant/wallets`. */
export interface WalletList {
  readonly wallets: readonly WalletInfo[];
  /** Everything a wallet can be added for, by mode and chain. */
  readonly chains: readonly ChainChoice[];
  /** Unused addresses after which wallets stop looking unless told otherwise. */
  readonly gapLimit: number;
  /** Most that can be skipped at once. */
  readonly maxSkipped: number;
}

/** One key on one network. The key itself is never told again. */
export interface WalletInfo {
  readonly id: string;
  /** Whose payments go into it. */
  readonly mode: Mode;
  /** Like `Litecoin`. */
  readonly chainName: string;
  readonly networkKind: NetworkKind;
  /** What is paid into it: a coin, or Ethereum with its tokens. */
  readonly cryptos: readonly string[];
  readonly addressType: AddressType;
  /** From index 0; by these people recognise a wallet. */
  readonly firstAddresses: readonly string[];
  /** Addresses given to payments. */
  readonly handedOut: number;
  /** Index of the address the next payment gets. */
  readonly nextIndex: number;
  /** Highest index at which coins are; null when there never were any. */
  readonly lastPaidIndex: number | null;
  /** Addresses given to payments above that. */
  readonly unusedRun: number;
  /** What to do when the wallet may not find a later payment. */
  readonly warning: string | null;
  /** Why payments of some of its coins do not go into it now. */
  readonly problem: string | null;
  readonly attachedAt: number;
}

/** Coins that share a wallet because they share a chain. */
export interface ChainChoice {
  /** Whose payments would go into the wallet. */
  readonly mode: Mode;
  /** Like `litecoin`. */
  readonly chain: string;
  readonly name: string;
  readonly networkKind: NetworkKind;
  readonly coins: readonly CoinChoice[];
}

export interface CoinChoice {
  readonly symbol: string;
  readonly name: string;
  readonly isToken: boolean;
  /** There is a wallet of this mode for it on this network. */
  readonly isAttached: boolean;
  /** Why payments in it are not taken now; a wallet can be added all the same. */
  readonly problem: string | null;
}

/** Real money moves on `mainnet` alone. */
export type NetworkKind = 'mainnet' | 'testnet' | 'regtest';
export type AddressType = 'p2pkh' | 'p2sh-p2wpkh' | 'p2wpkh' | 'evm';

/** Body of POST `merchant/wallets/preview`, for owners. Nothing is stored. */
export interface PreviewBody {
  /** Left out: live. */
  readonly mode?: Mode;
  /** Any coin of the chain. */
  readonly crypto: string;
  readonly extendedPublicKey: string;
  /** Left out, what the key stands for. */
  readonly addressType?: AddressType;
}

/** Its answer: what a key would receive to, to be compared with the wallet it is from. */
export interface WalletPreview {
  /** The four letters the key begins with, like `zpub`. */
  readonly prefix: string;
  readonly addressType: AddressType;
  readonly addresses: readonly PreviewedAddress[];
  /** Sentences to be read before the key is used. */
  readonly warnings: readonly string[];
  /** Where the key does not say its type, so that `addressType` is a guess: the first address of each of the others. */
  readonly alternatives: readonly (PreviewedAddress & { readonly addressType: AddressType })[];
}

export interface PreviewedAddress {
  readonly index: number;
  /** Below the account, like `0/0`. */
  readonly derivationPath: string;
  readonly address: string;
}

/** Body of POST `merchant/wallets`, for owners. */
export interface AttachBody {
  /** Left out: live. */
  readonly mode?: Mode;
  /** Of one chain. */
  readonly cryptos: readonly string[];
  readonly extendedPublicKey: string;
  readonly addressType: AddressType;
  /** The first address that was compared: the key must have it. */
  readonly firstAddress: string;
  /** Somebody has said that the addresses are those of their wallet. */
  readonly isMatching: true;
  /** Wallets that are there already may be replaced. */
  readonly replaces: boolean;
}

/** Its answer. */
export interface AttachedWallets {
  readonly attached: readonly string[];
  readonly replaced: readonly string[];
}

/** Body of POST `merchant/wallets/:id/skip`, for owners: addresses another program gave out already. */
export interface SkipBody {
  readonly count: number;
}

/** Its answer. */
export interface SkippedAddresses {
  readonly lastSkippedIndex: number;
}
