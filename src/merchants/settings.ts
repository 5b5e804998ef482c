import type { CryptoSymbol } from '../../machines/index.ts';

/** Merchant settings. Stored as JSON; absent fields take their default here. */
export interface MerchantSettings {
  /** How much of the amount due may be missing, in basis points of it (50 = 0.5 %). */
  readonly toleranceBasisPoints: number;
  /** Length of the payment window in minutes; null uses the coin's default. */
  readonly windowMinutes: number | null;
  /** Minimum confirmations; coin and amount may require more, see `confirmationsRequired`. */
  readonly minConfirmations: number;
  /** Whether live payments are rejected while their network is not being watched. */
  readonly refuseWhenNetworkLags: boolean;
  /** Whether its users get an email when the first live payment ever completes. */
  readonly mailFirstPayment: boolean;
  /** Whether its users get an email when a live payment arrives late. */
  readonly mailLatePayment: boolean;
  /** Whether its users get an email when anything else about a live payment needs attention. */
  readonly mailNeedsAttention: boolean;
  /** Whether its users get an email when live coins arrive that belong to no open payment. */
  readonly mailUnassignedCoins: boolean;
  /** Whether its users get an email when a webhook endpoint fails, is disabled or recovers. */
  readonly mailFailingWebhook: boolean;
  /** Whether its users get an email with a summary of each day (UTC). */
  readonly mailDailySummary: boolean;
  /** Whether customers get a receipt by email when their live payment completes. */
  readonly mailCustomerReceipt: boolean;
  /** Whether customers get an email when their live payment arrived late. */
  readonly mailCustomerLate: boolean;
  /** The language of both. */
  readonly customerLanguage: CustomerLanguage;
  /** Id of the image that customers see next to the merchant's name; null for none. */
  readonly logo: string | null;
  /** Colour of the main button of customers' pages, as `#rrggbb`; null uses the default. */
  readonly brandColour: string | null;
  /** Email address or https URL where customers get help; null for none. */
  readonly supportContact: string | null;
  /** The coin that customers who choose one are shown first, as recommended; null for none. */
  readonly recommendedCrypto: CryptoSymbol | null;
}

/** The settings a merchant can change. */
export interface ChangeableSettings extends MerchantSettings {
  /** Where the operator reaches the merchant. It is not a login. */
  readonly contactEmail: string;
}

/**
 * Languages of the payment page and of emails to customers, as BCP 47 subtags. The first is the
 * default.
 */
export const CUSTOMER_LANGUAGES = ['en', 'pl', 'de', 'fr', 'es', 'it', 'pt'] as const;
export type CustomerLanguage = (typeof CUSTOMER_LANGUAGES)[number];

/**
 * The settings that switch on and off notices to the users of a merchant, one per kind of notice.
 */
export const NOTICE_SETTINGS = [
  'mailFirstPayment',
  'mailLatePayment',
  'mailNeedsAttention',
  'mailUnassignedCoins',
  'mailFailingWebhook',
  'mailDailySummary',
] as const satisfies readonly (keyof MerchantSettings)[];
export type NoticeSetting = (typeof NOTICE_SETTINGS)[number];

export const DEFAULT_SETTINGS: MerchantSettings = {
  toleranceBasisPoints: 50,
  windowMinutes: null,
  minConfirmations: 1,
  refuseWhenNetworkLags: false,
  mailFirstPayment: true,
  mailLatePayment: true,
  mailNeedsAttention: true,
  mailUnassignedCoins: true,
  mailFailingWebhook: true,
  mailDailySummary: false,
  mailCustomerReceipt: false,
  mailCustomerLate: false,
  customerLanguage: 'en',
  logo: null,
  brandColour: null,
  supportContact: null,
  recommendedCrypto: null,
};

export const MAX_MIN_CONFIRMATIONS = 1_000;

export function withDefaults(stored: Readonly<Record<string, unknown>>): MerchantSettings {
  return { ...DEFAULT_SETTINGS, ...(stored as Partial<MerchantSettings>) };
}
