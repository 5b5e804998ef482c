import type { AddressType, NetworkKind } from '../../../../http/console/merchant/wallets/schemas.ts';

/** The names that wallets use for address types. */
export const ADDRESS_TYPE_WORDS: Readonly<Record<AddressType, string>> = {
  p2wpkh: 'Native SegWit',
  'p2sh-p2wpkh': 'Nested SegWit',
  p2pkh: 'Legacy',
  evm: 'Ethereum',
};

/** Null for mainnet, which needs no label. */
export const NETWORK_WORDS: Readonly<Record<NetworkKind, string | null>> = {
  mainnet: null,
  testnet: 'test network',
  regtest: 'private test network',
};

export interface WalletHelp {
  readonly wallet: string;
  readonly steps: string;
}

/**
 * Where wallets show the key. Menus change between versions, so each entry also says what to look
 * for.
 */
export const HELP_FOR_COINS: readonly WalletHelp[] = [
  {
    wallet: 'Electrum, Electrum-LTC',
    steps: 'Menu Wallet, then Information. Copy the “Master Public Key”.',
  },
  {
    wallet: 'Sparrow',
    steps: 'Open the wallet, then Settings. Copy the xpub of the keystore.',
  },
  {
    wallet: 'Ledger Live',
    steps:
      'Open the account, then its settings (Edit account) and “Advanced”. The xpub is among the details. It does not say which addresses the account has; you choose them in the next step.',
  },
  {
    wallet: 'Trezor Suite',
    steps: 'Open the account, then its details, and choose “Show public key (XPUB)”.',
  },
  {
    wallet: 'Another wallet',
    steps:
      'Look for “extended public key”, “account public key” or “xpub” in the settings of the account. A wallet that shows you only single addresses cannot be used.',
  },
];

export const HELP_FOR_ETHEREUM: readonly WalletHelp[] = [
  {
    wallet: 'What to look for',
    steps:
      "The extended public key (xpub) of the account at m/44'/60'/0'. Every payment gets an address of its own below it, and your wallet must be able to show and spend from all of them, not only from the first.",
  },
  {
    wallet: 'MetaMask and other browser wallets',
    steps:
      'They count every address as an account of its own, and many do not show the key they all come from. Where there is no xpub to copy, make the wallet with a program that shows one, from a new recovery phrase.',
  },
  {
    wallet: 'Hardware wallets',
    steps:
      'Some programs for them use another path for each account. Compare all five addresses in the next step: if only the first is yours, do not use that key.',
  },
];
