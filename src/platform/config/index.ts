export type { Cidr } from './cidr.ts';
export { createCidrMatcher, parseCidr } from './cidr.ts';
export type {
  Config,
  EvmCoin,
  EvmNodeConfig,
  NodeConfig,
  NodeMode,
  NodeNetwork,
  RateSourceName,
  RetentionDays,
  Role,
  TestMode,
  UtxoCoin,
  UtxoNodeConfig,
} from './config.ts';
export { EVM_COINS, NODE_NETWORKS, RATE_SOURCE_NAMES, ROLES, settingPrefix, UTXO_COINS } from './config.ts';
export { describeSettings, secretTextsOf, settingsMarkdown } from './describe.ts';
export type { FixedRates, FixedRatesSetting, PricedSymbol } from './fixed-rates.ts';
export { PRICED_SYMBOLS, parseFixedRates } from './fixed-rates.ts';
export { ConfigError, loadConfig, publicUrlOf } from './load.ts';
export type { MailConfig, MailSender, SmtpServer } from './mail.ts';
export { secretKey as parseSecretKey } from './parsers.ts';
export type { Environment } from './setting-reader.ts';
export type { TokenContracts } from './token-contracts.ts';
export { TOKEN_SYMBOLS } from './token-contracts.ts';
