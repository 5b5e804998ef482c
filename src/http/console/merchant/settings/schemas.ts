import { type Static, Type } from 'typebox';
import { type Asset, CRYPTO_SYMBOLS, type CryptoSymbol } from '../../../../../machines/index.ts';
import { MAX_IMAGE_BYTES } from '../../../../images/index.ts';
import { type ChangeableSettings, CUSTOMER_LANGUAGES } from '../../../../merchants/index.ts';
import { nullable, text, whole } from '../../schema.ts';

export type { RenderedEmail as MailPreview } from '../../../../mail/index.ts';
export type { ChangeableSettings as SettingsValues } from '../../../../merchants/index.ts';

/** Language of the emails to customers. */
const CustomerLanguage = Type.Enum(CUSTOMER_LANGUAGES);

export interface SettingsLimits {
  readonly maxToleranceBasisPoints: number;
  readonly minWindowMinutes: number;
  readonly maxWindowMinutes: number;
  readonly maxMinConfirmations: number;
}

export interface SettingsInfo {
  readonly merchantId: string;
  /** Never changes: the operator's files and commands identify the merchant by it. */
  readonly name: string;
  readonly values: ChangeableSettings;
  readonly limits: SettingsLimits;
  /** Those that can be recommended. */
  readonly coins: readonly Pick<Asset, 'symbol' | 'name'>[];
  /** The default payment windows, shortest first. */
  readonly ownWindows: readonly { readonly minutes: number; readonly coins: readonly CryptoSymbol[] }[];
}

/** The feature checks the range, and its errors state the limits. */
const AnyWhole = whole(-1_000_000_000, 1_000_000_000);

/** More than a data URL of the largest image has. */
const MAX_LOGO_CHARACTERS = 2 * MAX_IMAGE_BYTES;

const GivenValues = Type.Object({
  toleranceBasisPoints: Type.Optional(AnyWhole),
  windowMinutes: Type.Optional(nullable(AnyWhole)),
  minConfirmations: Type.Optional(AnyWhole),
  refuseWhenNetworkLags: Type.Optional(Type.Boolean()),
  mailFirstPayment: Type.Optional(Type.Boolean()),
  mailLatePayment: Type.Optional(Type.Boolean()),
  mailNeedsAttention: Type.Optional(Type.Boolean()),
  mailUnassignedCoins: Type.Optional(Type.Boolean()),
  mailFailingWebhook: Type.Optional(Type.Boolean()),
  mailDailySummary: Type.Optional(Type.Boolean()),
  mailCustomerReceipt: Type.Optional(Type.Boolean()),
  mailCustomerLate: Type.Optional(Type.Boolean()),
  customerLanguage: Type.Optional(CustomerLanguage),
  /** In `changes` the image itself, as a base64 data URL; in `seen` its id. */
  logo: Type.Optional(nullable(text(MAX_LOGO_CHARACTERS))),
  brandColour: Type.Optional(nullable(text(500))),
  supportContact: Type.Optional(nullable(text(500))),
  recommendedCrypto: Type.Optional(nullable(Type.Enum(CRYPTO_SYMBOLS))),
  contactEmail: Type.Optional(text(500)),
});

/**
 * Omitted fields stay unchanged. `seen` contains the previous value of every changed field: 409
 * `CONFLICT` when it is no longer current. A larger tolerance and fewer confirmations may need the
 * password again.
 */
export const SettingsChangeBody = Type.Object({ changes: GivenValues, seen: GivenValues });
export type SettingsChangeBody = Static<typeof SettingsChangeBody>;

/** Kinds of emails that can be previewed: to users, to owners, and to customers. */
const EMAIL_KINDS = [
  'first_payment',
  'paid_late',
  'needs_review',
  'coins_lost',
  'underpaid',
  'overpaid',
  'coins_on_closed',
  'period_paid_twice',
  'link_paid_too_often',
  'unassigned_coins',
  'webhook_failing',
  'webhook_disabled',
  'webhook_recovered',
  'daily_summary',
  'security_change',
  'receipt',
  'late',
  'confirmed_late',
  'mixed_late',
  'recurring_confirmation',
  'recurring_request',
  'recurring_reminder',
] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/** Default: the first kind, in the language of emails to customers. */
export const EmailQuery = Type.Object({
  kind: Type.Optional(Type.Enum(EMAIL_KINDS)),
  /** Only for emails to customers that exist in several languages. */
  language: Type.Optional(CustomerLanguage),
});
