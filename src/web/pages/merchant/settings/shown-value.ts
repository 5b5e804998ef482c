import type { FieldTexts } from './draft.ts';
import { LANGUAGE_NAMES } from './notice-fields.ts';

/** The saved value of a field in words. */
export function shownValue(field: keyof FieldTexts, saved: FieldTexts): string {
  switch (field) {
    case 'tolerance':
      return `${saved.tolerance} %`;
    case 'window':
      return saved.window === '' ? 'the default of each coin' : `${saved.window} minutes`;
    case 'confirmations':
      return saved.confirmations;
    case 'rejects':
      return saved.rejects ? 'yes' : 'no';
    case 'email':
      return saved.email;
    case 'logo':
      return saved.logo === '' ? 'no logo' : 'another logo';
    case 'colour':
      return saved.colour === '' ? 'the colour of this service' : saved.colour;
    case 'support':
      return saved.support === '' ? 'no contact' : saved.support;
    case 'recommended':
      return saved.recommended === '' ? 'no coin' : saved.recommended;
    case 'customerLanguage':
      return LANGUAGE_NAMES[saved.customerLanguage];
    case 'mailFirstPayment':
    case 'mailLatePayment':
    case 'mailNeedsAttention':
    case 'mailUnassignedCoins':
    case 'mailFailingWebhook':
    case 'mailDailySummary':
    case 'mailCustomerReceipt':
    case 'mailCustomerLate':
      return saved[field] ? 'yes' : 'no';
  }
}
