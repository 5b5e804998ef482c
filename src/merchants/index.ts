export type { Authenticator, Caller } from './authenticate.ts';
export { createAuthenticator } from './authenticate.ts';
export type { NewMerchant } from './create-merchant.ts';
export { createLogin, upsertMerchant } from './create-merchant.ts';
export type { IssuedKeys } from './issue-keys.ts';
export { issueKeys } from './issue-keys.ts';
export type { MerchantSettings } from './settings.ts';
export {
  DEFAULT_SETTINGS,
  MAX_MIN_CONFIRMATIONS,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
} from './settings.ts';
export type { WalletFinder, WalletOfMerchant, WalletSpec } from './wallets.ts';
export { attachTestWallets, attachWallet, createWalletFinder, findMerchantWallets } from './wallets.ts';
