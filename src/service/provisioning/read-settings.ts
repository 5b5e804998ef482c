import {
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
} from '../../../machines/index.ts';
import {
  CUSTOMER_LANGUAGES,
  type CustomerLanguage,
  MAX_MIN_CONFIRMATIONS,
  type MerchantSettings,
  readBrandColour,
  readSupportContact,
} from '../../merchants/index.ts';
import type { Reader } from './reader.ts';

/** The settings of a merchant in the provisioning file; omitted ones are absent. */
export function readSettings(reader: Reader): Partial<MerchantSettings> {
  const flags = Object.entries(FLAGS);
  reader.onlyFields([...OTHERS, ...Object.keys(FLAGS)]);
  const percent = reader.number('tolerance_percent', { min: 0, max: MAX_TOLERANCE_BASIS_POINTS / 100 });
  const windowMinutes = reader.number('window_minutes', {
    min: MIN_WINDOW_MINUTES,
    max: MAX_WINDOW_MINUTES,
    whole: true,
  });
  const minConfirmations = reader.number('min_confirmations', { min: 1, max: MAX_MIN_CONFIRMATIONS, whole: true });
  const brandColour = reader.read('brand_colour', MAX_BRAND_CHARACTERS, readBrandColour);
  const supportContact = reader.read('support_contact', MAX_BRAND_CHARACTERS, readSupportContact);
  return {
    ...(percent === null ? {} : { toleranceBasisPoints: Math.round(percent * 100) }),
    ...(windowMinutes === null ? {} : { windowMinutes }),
    ...(minConfirmations === null ? {} : { minConfirmations }),
    ...(brandColour === null ? {} : { brandColour }),
    ...(supportContact === null ? {} : { supportContact }),
    ...Object.fromEntries(
      flags.flatMap(([field, setting]) => {
        const flag = reader.flag(field);
        return flag === null ? [] : [[setting, flag]];
      }),
    ),
    ...(reader.has('recommended_crypto')
      ? { recommendedCrypto: reader.oneOf<CryptoSymbol>('recommended_crypto', CRYPTO_SYMBOLS) }
      : {}),
    ...(reader.has('customer_language')
      ? { customerLanguage: reader.oneOf<CustomerLanguage>('customer_language', CUSTOMER_LANGUAGES) }
      : {}),
  };
}

// Helpers

/** The logo is an image: the reader of the merchant reads it. */
const OTHERS = [
  'tolerance_percent',
  'window_minutes',
  'min_confirmations',
  'customer_language',
  'logo',
  'brand_colour',
  'support_contact',
  'recommended_crypto',
];
const MAX_BRAND_CHARACTERS = 500;

/** Settings that are on or off, by their field. */
const FLAGS = {
  refuse_when_network_lags: 'refuseWhenNetworkLags',
  mail_first_payment: 'mailFirstPayment',
  mail_late_payment: 'mailLatePayment',
  mail_needs_attention: 'mailNeedsAttention',
  mail_unassigned_coins: 'mailUnassignedCoins',
  mail_failing_webhook: 'mailFailingWebhook',
  mail_daily_summary: 'mailDailySummary',
  mail_customer_receipt: 'mailCustomerReceipt',
  mail_customer_late: 'mailCustomerLate',
} as const satisfies Readonly<Record<string, keyof MerchantSettings>>;
