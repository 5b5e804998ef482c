import type { SettingsValues } from '../../../../http/console/merchant/settings/schemas.ts';

/** The settings that turn email notices on and off. */
export type NoticeField = Extract<keyof SettingsValues, `mail${string}`>;

/** What each notice is about, as the settings page and the audit log call it. */
export const NOTICE_LABELS = {
  mailFirstPayment: 'Your first live payment is complete',
  mailLatePayment: 'A payment arrived late',
  mailNeedsAttention: 'Something else about a payment needs your attention',
  mailUnassignedCoins: 'Coins arrived that belong to no open payment',
  mailFailingWebhook: 'A webhook endpoint fails, is disabled or recovers',
  mailDailySummary: 'A daily summary (UTC)',
  mailCustomerReceipt: 'A receipt to the customer when a payment is complete',
  mailCustomerLate: 'An email to the customer when their payment arrived late',
} as const satisfies Record<NoticeField, string>;

/** To the users of the account, in the order of the page. */
export const USER_NOTICES = [
  'mailFirstPayment',
  'mailLatePayment',
  'mailNeedsAttention',
  'mailUnassignedCoins',
  'mailFailingWebhook',
  'mailDailySummary',
] as const;
export const CUSTOMER_NOTICES = ['mailCustomerReceipt', 'mailCustomerLate'] as const;

/** The languages of emails to customers. */
export const LANGUAGE_NAMES: Readonly<Record<SettingsValues['customerLanguage'], string>> = {
  en: 'English',
  pl: 'Polski',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
};
