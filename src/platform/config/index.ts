export type { Cidr } from './cidr.ts';
export { createCidrMatcher, parseCidr } from './cidr.ts';
export type {
  EvmNodeConfig,
  NodeConfig,
  RateSourceName,
  RetentionDays,
  UtxoCoin,
  UtxoNodeConfig,
} from './config.ts';
export { RATE_SOURCE_NAMES, ROLES, settingPrefix, UTXO_COINS } from './config.ts';
export { describeSettings, secretTextsOf } from './describe.ts';
export type { FixedRates, FixedRatesSetting, PricedSymbol } from './fixed-rates.ts';
export { PRICED_SYMBOLS, parseFixedRates } from './fixed-rates.ts';
export { type Config, ConfigError, loadConfig, publicUrlOf } from './load.ts';
export type { MailConfig, SmtpServer } from './mail.ts';
export { secretKey as parseSecretKey } from './parsers.ts';
export type { Environment } from './setting-reader.ts';
export { ALL_SETTINGS } from './settings.ts';
