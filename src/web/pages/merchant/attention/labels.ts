import type { AttentionItemInfo, AttentionKindName } from '../../../../http/console/merchant/attention/schemas.ts';
import type { DecisionName } from '../../../../http/console/merchant/payment/schemas.ts';
import { amountText } from '../../../ui/values/amount-text.ts';

type Item = Pick<
  AttentionItemInfo,
  | 'amountCrypto'
  | 'amountFiat'
  | 'crypto'
  | 'currencyFiat'
  | 'dueCrypto'
  | 'paidCrypto'
  | 'status'
  | 'isConfirmed'
  | 'missedDeadline'
>;

interface KindWords {
  readonly title: string;
  /** While it is open: `bad` where the shop may hand over goods that are not paid. */
  readonly tone: 'bad' | 'warn';
  what(item: Item): string;
  /** What to do about items that are settled with a note; the others have decisions. */
  readonly advice: string;
  /** In place of `advice` on the payment's page, whose status says the rest. */
  readonly adviceBelowStatus?: string;
  readonly note: string;
}

/** Labels of every kind of attention item, in a shop's terms. */
export const KIND_WORDS: { readonly [K in AttentionKindName]: KindWords } = {
  paid_late: {
    title: 'Paid late',
    tone: 'warn',
    what: (item) =>
      `${both(item)} ${LATE_WORDS[item.missedDeadline]} In total, ${amountText(item.paidCrypto, item.crypto)} of ${amountText(item.dueCrypto, item.crypto)} has arrived.`,
    advice: 'Mark it as paid if you will still deliver. Otherwise dismiss it and refund the coins from your wallet.',
    note: '',
  },
  needs_review: {
    title: 'Needs review',
    tone: 'warn',
    what: (item) =>
      `${amountText(item.amountCrypto, item.crypto)} was moved out of the payment address, and no matching incoming payment was seen. The payment window is paused.`,
    advice: 'Check your wallet. Confirm the payment if the coins are there; reject it if not.',
    note: '',
  },
  coins_lost: {
    title: 'Coins gone',
    tone: 'bad',
    what: (item) =>
      `${both(item)} that completed this payment is no longer on the network. The order is no longer paid.`,
    advice:
      'Do not ship. If you have, ask your customer to pay again. Then mark this as settled. If the coins return, this item closes automatically.',
    adviceBelowStatus: 'Once that is done, mark this as settled. If the coins return, this item closes automatically.',
    note: 'Paid again',
  },
  underpaid: {
    title: 'Underpaid',
    tone: 'warn',
    what: (item) =>
      `${both(item)} of ${amountText(item.dueCrypto, item.crypto)} arrived before the payment ended: the order is not paid.${item.isConfirmed ? ' The coins are in your wallet.' : ''}`,
    advice:
      'Ask your customer to pay the rest in a new payment, or refund the coins from your wallet. Then mark this as settled.',
    note: 'Refunded',
  },
  overpaid: {
    title: 'Overpaid',
    tone: 'warn',
    what: (item) => `The order is paid, and ${both(item)} arrived beyond the amount due.`,
    advice: 'Refund the excess from your wallet, or agree on something else. Then mark this as settled.',
    note: 'Refunded',
  },
  coins_on_closed: {
    title: 'Coins after closing',
    tone: 'warn',
    what: (item) =>
      item.status === 'completed'
        ? `${both(item)} arrived after the payment was closed, or returned after you had settled its loss. The order is not affected.`
        : `${both(item)} of ${amountText(item.dueCrypto, item.crypto)} arrived after the payment was closed: the order is not paid.`,
    advice: 'Agree with your customer what it is for, or refund it from your wallet. Then mark this as settled.',
    note: 'Refunded',
  },
  unassigned_coins: {
    title: 'Too many parts',
    tone: 'warn',
    what: (item) =>
      `${both(item)} arrived beyond the 100 outputs that a payment counts.${item.isConfirmed ? ' It is in your wallet.' : ''} The order is not affected.`,
    advice: 'Find out what it is for. Usually it is dust, sent to many addresses. Then mark this as settled.',
    note: 'Dust',
  },
};

export const ATTENTION_KIND_NAMES = Object.keys(KIND_WORDS) as readonly AttentionKindName[];

/** Coins returned before their confirmation may never have been received. */
export const NOT_CONFIRMED =
  'These coins are not confirmed yet, and their sender can still take them back. Wait for confirmation before you refund anything.';

interface DecisionWords {
  readonly button: string;
  readonly title: string;
  readonly consequence: string;
  /** To consider while some of the coins are not confirmed; null for nothing. */
  readonly caution: string | null;
  readonly done: string;
  readonly variant: 'main' | 'danger';
}

export const DECISION_WORDS: { readonly [D in DecisionName]: DecisionWords } = {
  mark_paid: {
    button: 'Mark as paid',
    title: 'Mark this payment as paid',
    consequence:
      'The payment is completed with what has arrived, and your shop receives payment.completed: it will deliver. This cannot be undone.',
    caution:
      'These coins are not confirmed: their sender can still take them back. If you deliver now, you may lose both coins and goods.',
    done: 'Marked as paid.',
    variant: 'main',
  },
  dismiss: {
    button: 'Dismiss',
    title: 'Dismiss the late coins',
    consequence:
      'The payment stays expired and your shop is not notified. No coins are moved: refunds from your wallet are up to you. If more coins arrive, you decide again.',
    caution: NOT_CONFIRMED,
    done: 'Dismissed.',
    variant: 'danger',
  },
  confirm: {
    button: 'Confirm payment',
    title: 'Confirm that it was paid',
    consequence:
      'The payment is completed, and your shop receives payment.completed: it will deliver. This cannot be undone.',
    caution: null,
    done: 'Confirmed.',
    variant: 'main',
  },
  reject: {
    button: 'Reject payment',
    title: 'Reject the payment',
    consequence: 'The payment fails, and your shop receives payment.failed. This cannot be undone.',
    caution: null,
    done: 'Rejected.',
    variant: 'danger',
  },
};

/** The decisions each kind offers; empty for those that are settled with a note. */
export const DECISIONS_OF: { readonly [K in AttentionKindName]: readonly DecisionName[] } = {
  paid_late: ['mark_paid', 'dismiss'],
  needs_review: ['confirm', 'reject'],
  coins_lost: [],
  underpaid: [],
  overpaid: [],
  coins_on_closed: [],
  unassigned_coins: [],
};

// Helpers

/** Why coins are late. Those that arrived in time were confirmed late. */
const LATE_WORDS: { readonly [M in Item['missedDeadline']]: string } = {
  all: 'arrived in time, but was confirmed after the payment had failed.',
  some: 'is late: some arrived after the payment window closed, the rest was confirmed after the payment had failed.',
  none: 'arrived after the payment window closed.',
};

/** The amount in coins and in fiat. */
function both({ amountCrypto, amountFiat, crypto, currencyFiat }: Item): string {
  return `${amountText(amountCrypto, crypto)} (${amountText(amountFiat, currencyFiat)})`;
}
