export { approveMerchant, isApproved, markApprovalPending, requireApproved } from './approval.ts';
export type { AuditedAction, AuditedChange, ChangeDeps, RequestAuthor } from './audit/audit.ts';
export { auditRequest, changeAs, changeWithKey, userAuthor, writeAudit } from './audit/audit.ts';
export type { ListedAuditEntry } from './audit/list-audit.ts';
export { listAudit } from './audit/list-audit.ts';
export type { Brand } from './brand.ts';
export { brandOf, readBrandColour, readSupportContact, supportLink } from './brand.ts';
export { changeSettings, readSettings } from './change-settings.ts';
export type { NewMerchant } from './create-merchant.ts';
export { createLogin, findLogos, upsertMerchant } from './create-merchant.ts';
export type { Cryptocurrency } from './cryptos.ts';
export { describeCrypto, findWalletCryptos, recommendedFirst } from './cryptos.ts';
export type { FoundMerchant } from './find-merchant.ts';
export { callerForMerchant, findMerchant, requireMerchantNamed } from './find-merchant.ts';
export { networkOf } from './keys/address-network.ts';
export type { Authenticator, Caller, KeyHolder } from './keys/authenticate.ts';
export { createAuthenticator } from './keys/authenticate.ts';
export type { KeyChanges } from './keys/change-key.ts';
export { allowAddresses, changeKey } from './keys/change-key.ts';
export type { IssuedKeys } from './keys/create-key.ts';
export { createKey, issueKeys } from './keys/create-key.ts';
export { isAllowedFrom, readAllowedCidrs } from './keys/ip-whitelist.ts';
export type { IssuedKey, KeySummary, NewKey } from './keys/key-rows.ts';
export { listKeys } from './keys/key-rows.ts';
export { MAX_OVERLAP_MS, revokeKey, rotateKey } from './keys/rotate-key.ts';
export type { KeyTerms, PlanCache, RequestLimits } from './limits/plan-cache.ts';
export { createPlanCache, INTERFACE_TERMS } from './limits/plan-cache.ts';
export type { RateLimiter, RateRejection, RateVerdict } from './limits/rate-limiter.ts';
export { createRateLimiter } from './limits/rate-limiter.ts';
export type { PlanTier } from './plan-tier.ts';
export { isLowerTier, isPlanTier, PLAN_TIERS } from './plan-tier.ts';
export type { ChangeableSettings, CustomerLanguage, MerchantSettings, NoticeSetting } from './settings.ts';
export {
  CUSTOMER_LANGUAGES,
  DEFAULT_SETTINGS,
  MAX_MIN_CONFIRMATIONS,
  withDefaults,
} from './settings.ts';
export type { AttachedWallets, WalletsToAttach } from './wallets/attach-wallets.ts';
export { attachWallets } from './wallets/attach-wallets.ts';
export type { ExportedAddress } from './wallets/export-addresses.ts';
export { exportAddresses } from './wallets/export-addresses.ts';
export type { ListedWallet } from './wallets/list-wallets.ts';
export { FIRST_ADDRESSES, listReplacedWallets, listWallets } from './wallets/list-wallets.ts';
export { reportSharedKey, WalletShared } from './wallets/require-own-key.ts';
export { MAX_SKIPPED_ADDRESSES, skipWalletAddresses } from './wallets/skip-wallet-addresses.ts';
export type { WalletFinder, WalletOfMerchant, WalletSpec } from './wallets/wallets.ts';
export {
  attachTestWallets,
  attachWallet,
  createWalletFinder,
  findMerchantsOfKey,
  findMerchantWallets,
} from './wallets/wallets.ts';
