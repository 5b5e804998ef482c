import type { Mode } from './desk.ts';

/** A merchant's wallets: the extended public keys that payments go to. */

/** GET `merchant/wallets`. */
export interface WalletList {
  readonly wallets: readonly WalletInfo[];
  /** Everything a wallet can be added for, by mode and chain. */
  readonly chains: readonly ChainChoice[];
  /** Unused addresses after which wallets stop scanning by default (gap limit). */
  readonly gapLimit: number;
  /** Most addresses that can be skipped at once. */
  readonly maxSkipped: number;
}

/** One key on one network. The key itself is never returned. */
export interface WalletInfo {
  readonly id: string;
  /** The mode whose payments it receives. */
  readonly mode: Mode;
  /** Like `Litecoin`. */
  readonly chainName: string;
  readonly networkKind: NetworkKind;
  /** What it receives: a coin, or Ethereum with its tokens. */
  readonly cryptos: readonly string[];
  readonly addressType: AddressType;
  /** From index 0; users recognise a wallet by them. */
  readonly firstAddresses: readonly string[];
  /** Number of addresses handed out to payments. */
  readonly handedOut: number;
  /** Index of the next payment's address. */
  readonly nextIndex: number;
  /** Highest index that received coins; null when none did. */
  readonly lastPaidIndex: number | null;
  /** Addresses handed out above that index. */
  readonly unusedRun: number;
  /** What to do when the wallet may not find a later payment. */
  readonly warning: string | null;
  /** Why payments in some of its coins do not go to it now. */
  readonly problem: string | null;
  readonly attachedAt: number;
}

/** Coins that share a wallet because they share a chain. */
export interface ChainChoice {
  /** The mode whose payments the wallet would receive. */
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
  /** Why payments in it are not accepted now; a wallet can still be added. */
  readonly problem: string | null;
}

/** Only `mainnet` moves real money. */
export type NetworkKind = 'mainnet' | 'testnet' | 'regtest';
export type AddressType = 'p2pkh' | 'p2sh-p2wpkh' | 'p2wpkh' | 'evm';

/** Body of POST `merchant/wallets/preview`, for owners. Nothing is stored. */
export interface PreviewBody {
  /** Omitted: live. */
  readonly mode?: Mode;
  /** Any coin of the chain. */
  readonly crypto: string;
  readonly extendedPublicKey: string;
  /** Omitted: the type the key implies. */
  readonly addressType?: AddressType;
}

/** Response: the first addresses of a key, to compare with the wallet it comes from. */
export interface WalletPreview {
  /** The key's four-letter prefix, like `zpub`. */
  readonly prefix: string;
  readonly addressType: AddressType;
  readonly addresses: readonly PreviewedAddress[];
  /** Sentences to read before the key is used. */
  readonly warnings: readonly string[];
  /**
   * When the key does not contain its type, so that `addressType` is a guess: the first address of
   * each other type.
   */
  readonly alternatives: readonly (PreviewedAddress & { readonly addressType: AddressType })[];
}

export interface PreviewedAddress {
  readonly index: number;
  /** Below the account level, like `0/0`. */
  readonly derivationPath: string;
  readonly address: string;
}

/** Body of POST `merchant/wallets`, for owners. */
export interface AttachBody {
  /** Omitted: live. */
  readonly mode?: Mode;
  /** All of one chain. */
  readonly cryptos: readonly string[];
  readonly extendedPublicKey: string;
  readonly addressType: AddressType;
  /** The first address that was compared: the key must derive it. */
  readonly firstAddress: string;
  /** The user has confirmed that the addresses are those of their wallet. */
  readonly isMatching: true;
  /** Existing wallets may be replaced. */
  readonly replaces: boolean;
}

/** Its answer. */
export interface AttachedWallets {
  readonly attached: readonly string[];
  readonly replaced: readonly string[];
}

/**
 * Body of POST `merchant/wallets/:id/skip`, for owners: skips addresses that another program has
 * handed out.
 */
export interface SkipBody {
  readonly count: number;
}

/** Its answer. */
export interface SkippedAddresses {
  readonly lastSkippedIndex: number;
}
