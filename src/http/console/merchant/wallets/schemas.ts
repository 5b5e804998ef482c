import { type Static, Type } from 'typebox';
import { CRYPTO_SYMBOLS } from '../../../../../machines/index.ts';
import { list, nullable, oneOf, text, whole } from '../../schema.ts';
import { CryptoSymbol, Mode } from '../schemas.ts';

/** Only `mainnet` moves real money. */
export const NetworkKind = oneOf(['mainnet', 'testnet', 'regtest']);
export type NetworkKind = Static<typeof NetworkKind>;

export const AddressType = oneOf(['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'evm']);
export type AddressType = Static<typeof AddressType>;

/** One key on one network. The key itself is never returned. */
export const WalletInfo = Type.Object({
  id: Type.String(),
  /** The mode whose payments it receives. */
  mode: Mode,
  /** Like `Litecoin`. */
  chainName: Type.String(),
  networkKind: NetworkKind,
  /** What it receives: a coin, or Ethereum with its tokens. */
  cryptos: list(Type.String()),
  addressType: AddressType,
  /** From index 0; users recognise a wallet by them. */
  firstAddresses: list(Type.String()),
  /** Number of addresses handed out to payments. */
  handedOut: Type.Number(),
  /** Index of the next payment's address. */
  nextIndex: Type.Number(),
  /** Highest index that received coins; null when none did. */
  lastPaidIndex: nullable(Type.Number()),
  /** Addresses handed out above that index. */
  unusedRun: Type.Number(),
  /** What to do when the wallet may not find a later payment. */
  warning: nullable(Type.String()),
  /** Why payments in some of its coins do not go to it now. */
  problem: nullable(Type.String()),
  attachedAt: Type.Number(),
});
export type WalletInfo = Static<typeof WalletInfo>;

const CoinChoice = Type.Object({
  symbol: Type.String(),
  name: Type.String(),
  isToken: Type.Boolean(),
  /** There is a wallet of this mode for it on this network. */
  isAttached: Type.Boolean(),
  /** Why payments in it are not accepted now; a wallet can still be added. */
  problem: nullable(Type.String()),
});

/** Coins that share a wallet because they share a chain. */
export const ChainChoice = Type.Object({
  /** The mode whose payments the wallet would receive. */
  mode: Mode,
  /** Like `litecoin`. */
  chain: Type.String(),
  name: Type.String(),
  networkKind: NetworkKind,
  coins: list(CoinChoice),
});
export type ChainChoice = Static<typeof ChainChoice>;

/** A merchant's wallets: the extended public keys that payments go to. */
export const WalletList = Type.Object({
  wallets: list(WalletInfo),
  /** Everything a wallet can be added for, by mode and chain. */
  chains: list(ChainChoice),
  /** Unused addresses after which wallets stop scanning by default (gap limit). */
  gapLimit: Type.Number(),
  /** Most addresses that can be skipped at once. */
  maxSkipped: Type.Number(),
});
export type WalletList = Static<typeof WalletList>;

/** Longer than any key, phrase or descriptor. */
const ExtendedPublicKey = text(4_000);

export const PreviewBody = Type.Object({
  /** Omitted: live. */
  mode: Type.Optional(Mode),
  /** Any coin of the chain. */
  crypto: CryptoSymbol,
  extendedPublicKey: ExtendedPublicKey,
  /** Omitted: the type the key implies. */
  addressType: Type.Optional(AddressType),
});
export type PreviewBody = Static<typeof PreviewBody>;

const PreviewedAddress = Type.Object({
  index: Type.Number(),
  /** Below the account level, like `0/0`. */
  derivationPath: Type.String(),
  address: Type.String(),
});

/** Response: the first addresses of a key, to compare with the wallet it comes from. */
export const WalletPreview = Type.Object({
  /** The key's four-letter prefix, like `zpub`. */
  prefix: Type.String(),
  addressType: AddressType,
  addresses: list(PreviewedAddress),
  /** Sentences to read before the key is used. */
  warnings: list(Type.String()),
  /**
   * When the key does not contain its type, so that `addressType` is a guess: the first address of
   * each other type.
   */
  alternatives: list(
    Type.Intersect([
      PreviewedAddress,
      Type.Object({
        addressType: AddressType,
      }),
    ]),
  ),
});
export type WalletPreview = Static<typeof WalletPreview>;

export const AttachBody = Type.Object({
  /** Omitted: live. */
  mode: Type.Optional(Mode),
  /** All of one chain. */
  cryptos: list(CryptoSymbol, CRYPTO_SYMBOLS.length),
  extendedPublicKey: ExtendedPublicKey,
  addressType: AddressType,
  /** The first address that was compared: the key must derive it. */
  firstAddress: text(200),
  /** The user has confirmed that the addresses are those of their wallet. */
  isMatching: Type.Boolean(),
  /** Existing wallets may be replaced. */
  replaces: Type.Boolean(),
});
export type AttachBody = Static<typeof AttachBody>;

export const AttachedWallets = Type.Object({
  attached: list(Type.String()),
  replaced: list(Type.String()),
});
export type AttachedWallets = Static<typeof AttachedWallets>;

/**
 * Skips addresses that another program has handed out. Above the limit of addresses that can be
 * skipped at once, which the feature checks.
 */
export const SkipBody = Type.Object({ count: whole(1, 1_000_000) });
export type SkipBody = Static<typeof SkipBody>;

export const SkippedAddresses = Type.Object({
  lastSkippedIndex: Type.Number(),
});
export type SkippedAddresses = Static<typeof SkippedAddresses>;
