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
    steps: 'Open the Wallet menu, then Information. Copy the “Master Public Key”.',
  },
  {
    wallet: 'Sparrow',
    steps: 'Open the wallet, then Settings. Copy the xpub of the keystore.',
  },
  {
    wallet: 'Ledger Live',
    steps:
      'Open the account, then its settings (Edit account) and “Advanced”. The xpub is among the details. It does not contain the address type; you choose that in the next step.',
  },
  {
    wallet: 'Trezor Suite',
    steps: 'Open the account, then its details, and choose “Show public key (XPUB)”.',
  },
  {
    wallet: 'Another wallet',
    steps:
      'Look for “extended public key”, “account public key” or “xpub” in the settings of the account. You cannot use a wallet that shows only single addresses.',
  },
];

export const HELP_FOR_ETHEREUM: readonly WalletHelp[] = [
  {
    wallet: 'What you need',
    steps:
      "The extended public key (xpub) of the account at m/44'/60'/0'. Every payment gets its own address derived from it. Your wallet must be able to show and spend from all of them, not only the first.",
  },
  {
    wallet: 'MetaMask and other browser wallets',
    steps:
      'They treat every address as a separate account, and many do not show the key it is derived from. If there is no xpub to copy, create the wallet from a new recovery phrase in a program that shows one.',
  },
  {
    wallet: 'Hardware wallets',
    steps:
      'Some of their programs use a different path for each account. Compare all five addresses in the next step: if only the first is yours, do not use that key.',
  },
];
