import type { AttentionItemInfo, AttentionKindName } from '../../../../http/console/merchant/attention/schemas.ts';
import type { DecisionName } from '../../../../http/console/merchant/payment/schemas.ts';
import { amountText } from '../../../ui/amount-text.ts';

type Item = Pick<
  AttentionItemInfo,
  'amountCrypto' | 'amountFiat' | 'crypto' | 'currencyFiat' | 'dueCrypto' | 'paidCrypto' | 'isConfirmed'
>;

interface KindWords {
  readonly title: string;
  /** What happened. */
  what(item: Item): string;
  /** What to do about items that are settled with a note; the others have decisions. */
  readonly advice: string;
  /** The suggested note. */
  readonly note: string;
}

/** Labels of every kind of attention item, in a shop's terms. */
export const KIND_WORDS: { readonly [K in AttentionKindName]: KindWords } = {
  paid_late: {
    title: 'Paid late',
    what: (item) =>
      `${both(item)} arrived after the time to pay had run out. In all, ${amountText(item.paidCrypto, item.crypto)} of ${amountText(item.dueCrypto, item.crypto)} is there.`,
    advice:
      'Mark it as paid if you will still deliver. Otherwise dismiss it, and send the coins back from your wallet.',
    note: '',
  },
  needs_review: {
    title: 'Needs review',
    what: (item) =>
      `${amountText(item.amountCrypto, item.crypto)} left the payment address and no known payment explains it. The time to pay is paused.`,
    advice: 'Check your wallet. Confirm the payment if the money is there; reject it if not.',
    note: '',
  },
  coins_lost: {
    title: 'Coins are gone',
    what: (item) =>
      `${both(item)} that this payment was completed with is no longer on the network. ${amountText(item.paidCrypto, item.crypto)} of ${amountText(item.dueCrypto, item.crypto)} is left.`,
    advice:
      'Do not ship. If you have, ask your customer to pay again. Then mark this as settled. If the coins come back, this ends by itself.',
    note: 'Paid again',
  },
  underpaid: {
    title: 'Paid too little',
    what: (item) =>
      `${both(item)} arrived of ${amountText(item.dueCrypto, item.crypto)}, and the payment has ended: the order is not paid.${item.isConfirmed ? ' The coins are in your wallet.' : ''}`,
    advice:
      'Ask your customer to pay the rest in a new payment, or send the coins back from your wallet. Then mark this as settled.',
    note: 'Refunded',
  },
  overpaid: {
    title: 'Paid too much',
    what: (item) => `The order is paid, and ${both(item)} came on top of what was due.`,
    advice: 'Send the excess back from your wallet, or agree on something else. Then mark this as settled.',
    note: 'Refunded',
  },
  coins_on_closed: {
    title: 'Coins after the end',
    what: (item) => `${both(item)} came when the payment was closed already. It changes nothing about the order.`,
    advice:
      'Find out from your customer what it is for, and send it back from your wallet if it was a mistake. Then settle this.',
    note: 'Refunded',
  },
  unassigned_coins: {
    title: 'Too many parts',
    what: (item) =>
      `${both(item)} came in more outputs than a payment counts, which is a hundred. It is in your wallet and changes nothing about the order.`,
    advice: 'Find out what it is for: most often it is dust, sent to many addresses. Then settle this.',
    note: 'Dust',
  },
};

export const ATTENTION_KIND_NAMES = Object.keys(KIND_WORDS) as readonly AttentionKindName[];

interface DecisionWords {
  readonly button: string;
  readonly title: string;
  /** The consequence. */
  readonly consequence: string;
  readonly done: string;
  readonly look: 'main' | 'danger';
}

export const DECISION_WORDS: { readonly [D in DecisionName]: DecisionWords } = {
  mark_paid: {
    button: 'Mark as paid',
    title: 'Mark this payment as paid',
    consequence:
      'The payment is completed with what is there, and your shop gets payment.completed: it will deliver. This cannot be undone.',
    done: 'Marked as paid.',
    look: 'main',
  },
  dismiss: {
    button: 'Dismiss',
    title: 'Dismiss the late coins',
    consequence:
      'The payment stays expired and your shop is not notified. The coins stay in your wallet: sending them back is up to you. If more coins come, you are asked again.',
    done: 'Dismissed.',
    look: 'danger',
  },
  confirm: {
    button: 'It was paid',
    title: 'Confirm that it was paid',
    consequence:
      'The payment is completed, and your shop gets payment.completed: it will deliver. This cannot be undone.',
    done: 'Confirmed.',
    look: 'main',
  },
  reject: {
    button: 'It was not paid',
    title: 'Reject the payment',
    consequence: 'The payment fails, and your shop gets payment.failed. This cannot be undone.',
    done: 'Rejected.',
    look: 'danger',
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

/** The amount in coins and in fiat. */
function both({ amountCrypto, amountFiat, crypto, currencyFiat }: Item): string {
  return `${amountText(amountCrypto, crypto)} (${amountText(amountFiat, currencyFiat)})`;
}
