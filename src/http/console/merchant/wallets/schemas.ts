import { type Static, Type } from 'typebox';
import { type Chain, CRYPTO_SYMBOLS } from '../../../../../machines/index.ts';
import type { AttachedWallets as AttachedWalletsOfMerchant, ListedWallet } from '../../../../merchants/index.ts';
import { ADDRESS_TYPES, type AddressPreview, type NetworkKind } from '../../../../wallets/index.ts';
import { list, oneOf, text, whole } from '../../schema.ts';
import { CryptoSymbol, Mode } from '../schemas.ts';

export type { AddressType, NetworkKind } from '../../../../wallets/index.ts';

export interface WalletInfo extends Omit<ListedWallet, 'network' | 'cryptos'> {
  /** Like `Litecoin`. */
  readonly chainName: string;
  readonly networkKind: NetworkKind;
  /** Coins; plain text, because pages search it for a coin from their URL. */
  readonly cryptos: readonly string[];
  /** Why payments in some of its coins do not go to it now. */
  readonly problem: string | null;
}

interface CoinChoice {
  readonly symbol: Static<typeof CryptoSymbol>;
  readonly name: string;
  readonly isToken: boolean;
  /** There is a wallet of this mode for it on this network. */
  readonly isAttached: boolean;
  /** Why payments in it are not accepted now; a wallet can still be added. */
  readonly problem: string | null;
}

/** Coins that share a wallet because they share a chain. */
export interface ChainChoice {
  /** The mode whose payments the wallet would receive. */
  readonly mode: Mode;
  readonly chain: Chain;
  readonly name: string;
  readonly networkKind: NetworkKind;
  /** Whether the operator has connected a node, so that payments are possible. */
  readonly isConnected: boolean;
  readonly coins: readonly CoinChoice[];
}

/** A merchant's wallets: the extended public keys that payments go to. */
export interface WalletList {
  readonly wallets: readonly WalletInfo[];
  /** Everything a wallet can be added for, by mode and chain. */
  readonly chains: readonly ChainChoice[];
  /** Unused addresses after which wallets stop scanning by default (gap limit). */
  readonly gapLimit: number;
  readonly maxSkipped: number;
}

/** Longer than any key, phrase or descriptor. */
const ExtendedPublicKey = text(4_000);

export const PreviewBody = Type.Object({
  /** Omitted: live. */
  mode: Type.Optional(Mode),
  /** Any coin of the chain. */
  crypto: CryptoSymbol,
  extendedPublicKey: ExtendedPublicKey,
  /** Omitted: the type the key implies. */
  addressType: Type.Optional(oneOf(ADDRESS_TYPES)),
});
export type PreviewBody = Static<typeof PreviewBody>;

/** Response: the first addresses of a key, to compare with the wallet it comes from. */
export interface WalletPreview extends Omit<AddressPreview, 'keyId' | 'warnings'> {
  /** Sentences to read before the key is used. */
  readonly warnings: readonly string[];
}

export const AttachBody = Type.Object({
  /** Omitted: live. */
  mode: Type.Optional(Mode),
  /** All of one chain. */
  cryptos: list(CryptoSymbol, CRYPTO_SYMBOLS.length),
  extendedPublicKey: ExtendedPublicKey,
  addressType: oneOf(ADDRESS_TYPES),
  /** The first address that was compared: the key must derive it. */
  firstAddress: text(200),
  /** The user has confirmed that the addresses belong to their wallet. */
  isMatching: Type.Boolean(),
  /** Existing wallets may be replaced. */
  replaces: Type.Boolean(),
});
export type AttachBody = Static<typeof AttachBody>;

export type AttachedWallets = Omit<AttachedWalletsOfMerchant, 'network'>;

/**
 * Skips addresses that another program has assigned. Above the limit per request, which the feature
 * checks.
 */
export const SkipBody = Type.Object({ count: whole(1, 1_000_000) });
export type SkipBody = Static<typeof SkipBody>;

export interface SkippedAddresses {
  readonly lastSkippedIndex: number;
}
