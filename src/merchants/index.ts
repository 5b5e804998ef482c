export { networkOf } from './address-network.ts';
export { approveMerchant, isApproved, markApprovalPending, requireApproved } from './approval.ts';
export type { AttachedWallets, WalletsToAttach } from './attach-wallets.ts';
export { attachWallets } from './attach-wallets.ts';
export type { Asker, AuditEntry, AuditedAction, Change, ChangeDeps } from './audit.ts';
export { auditRequest, changeWithKey, writeAudit } from './audit.ts';
export type { Authenticator, Caller, KeyHolder } from './authenticate.ts';
export { createAuthenticator } from './authenticate.ts';
export type { KeyChanges } from './change-key.ts';
export { allowAddresses, changeKey } from './change-key.ts';
export type { ChangeableSettings, SettingsChange } from './change-settings.ts';
export { changeSettings, readSettings } from './change-settings.ts';
export type { NewKey } from './create-key.ts';
export { createKey } from './create-key.ts';
export type { NewMerchant } from './create-merchant.ts';
export { createLogin, upsertMerchant } from './create-merchant.ts';
export type { Cryptocurrency } from './cryptos.ts';
export { describeCrypto, findWalletCryptos } from './cryptos.ts';
export type { FoundMerchant } from './find-merchant.ts';
export { actFor, findMerchant, requireMerchantNamed } from './find-merchant.ts';
export { isAllowedFrom, readAllowedCidrs } from './ip-whitelist.ts';
export type { IssuedKeys } from './issue-keys.ts';
export { issueKeys } from './issue-keys.ts';
export type { IssuedKey, KeyOfMerchant } from './key-rows.ts';
export type { AuditFilter, AuditPage, ListedAuditEntry } from './list-audit.ts';
export { listAudit } from './list-audit.ts';
export type { KeySummary } from './list-keys.ts';
export { listKeys } from './list-keys.ts';
export { listReplacedWallets } from './list-replaced-wallets.ts';
export type { ListedWallet } from './list-wallets.ts';
export { FIRST_ADDRESSES, listWallets } from './list-wallets.ts';
export type { KeyTerms, PlanCache, RequestLimits } from './plan-book.ts';
export { createPlanCache, INTERFACE_TERMS } from './plan-book.ts';
export type { RateLimiter, RateRefusal, RateVerdict } from './rate-limit.ts';
export { createRateLimiter } from './rate-limit.ts';
export { revokeKey } from './revoke-key.ts';
export { MAX_OVERLAP_MS, rotateKey } from './rotate-key.ts';
export type { MerchantSettings } from './settings.ts';
export {
  DEFAULT_SETTINGS,
  MAX_MIN_CONFIRMATIONS,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
} from './settings.ts';
export { MAX_SKIPPED_ADDRESSES, skipWalletAddresses } from './skip-wallet-addresses.ts';
export type { WalletFinder, WalletMode, WalletOfMerchant, WalletSpec } from './wallets.ts';
export { attachTestWallets, attachWallet, createWalletFinder, findMerchantWallets } from './wallets.ts';
