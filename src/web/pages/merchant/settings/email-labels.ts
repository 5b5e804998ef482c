import type { EmailKind } from '../../../../http/console/merchant/settings/schemas.ts';

const TO_CUSTOMERS = 'To customers';

/** The emails that can be previewed, by recipient, with the labels of the settings page. */
export const MAIL_GROUPS: readonly (readonly [to: string, kinds: readonly EmailKind[]])[] = [
  [
    'To all users of this account',
    [
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
    ],
  ],
  ['To its owners', ['security_change']],
  [
    TO_CUSTOMERS,
    [
      'receipt',
      'late',
      'confirmed_late',
      'mixed_late',
      'recurring_confirmation',
      'recurring_request',
      'recurring_reminder',
    ],
  ],
];

export const EMAIL_LABELS: Readonly<Record<EmailKind, string>> = {
  first_payment: 'First live payment',
  paid_late: 'Payment arrived late',
  needs_review: 'Payment needs review',
  coins_lost: 'Coins of a paid order have disappeared',
  underpaid: 'Underpaid',
  overpaid: 'Overpaid',
  coins_on_closed: 'Coins on a closed payment',
  period_paid_twice: 'Recurring payment paid twice',
  link_paid_too_often: 'Payment link paid more times than allowed',
  unassigned_coins: 'Coins that belong to no open payment',
  webhook_failing: 'Webhook endpoint failing',
  webhook_disabled: 'Webhook endpoint disabled',
  webhook_recovered: 'Webhook endpoint works again',
  daily_summary: 'Daily summary',
  security_change: 'Wallet, key, user or login changed',
  receipt: 'Receipt',
  late: 'Payment arrived late',
  confirmed_late: 'Payment confirmed late',
  mixed_late: 'Payment arrived and confirmed late',
  recurring_confirmation: 'Recurring request: please confirm',
  recurring_request: 'Recurring request: payment is due',
  recurring_reminder: 'Recurring request: reminder',
};

/** Whether emails of this kind are sent in the language of the customers. */
export function hasLanguages(kind: EmailKind): boolean {
  return MAIL_GROUPS.some(([to, kinds]) => to === TO_CUSTOMERS && kinds.includes(kind));
}
