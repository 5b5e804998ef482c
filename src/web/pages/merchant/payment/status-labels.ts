import type { PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { amountText } from '../../../ui/amount-text.ts';
import { timestampText } from '../../../ui/time-text.ts';
import { timesText } from '../../../ui/word-text.ts';

export interface StatusWords {
  /** The status in a few words. */
  readonly title: string;
  /** What it means, and what happens next. */
  readonly next: string;
  readonly tone: 'info' | 'good' | 'warn' | 'bad';
}

type Standing = Pick<
  PaymentInfo,
  | 'status'
  | 'exception'
  | 'due'
  | 'paid'
  | 'remaining'
  | 'missing'
  | 'crypto'
  | 'confirmationsRequired'
  | 'completedBy'
  | 'loss'
  | 'expiresAt'
> & {
  readonly attention: readonly Pick<PaymentInfo['attention'][number], 'kind' | 'note'>[];
  readonly splits: readonly Pick<PaymentInfo['splits'][number], 'status'>[];
};

/** A payment's status for a shop owner without knowledge of blockchains. */
export function statusWordsOf(payment: Standing): StatusWords {
  if (payment.exception === 'paid_late') return paidLate(payment);
  if (payment.exception === 'needs_review') return needsReview(payment);
  if (payment.loss !== null) return lost(payment);
  return WORDS[payment.status](payment);
}

// Helpers

const WORDS: { readonly [S in PaymentInfo['status']]: (payment: Standing) => StatusWords } = {
  pending: ({ due, crypto, expiresAt }) => ({
    title: 'Waiting for the customer to pay',
    next: `Nothing has arrived yet. The customer can pay ${amountText(due.crypto, crypto)} until ${timestampText(expiresAt)}.`,
    tone: 'info',
  }),
  partial: ({ paid, remaining, crypto, expiresAt }) => ({
    title: 'Only part of the amount has arrived',
    next: `${amountText(paid.crypto, crypto)} has arrived, ${amountText(remaining.crypto, crypto)} is still due. The customer can send the rest to the same address until ${timestampText(expiresAt)}.`,
    tone: 'warn',
  }),
  awaiting_confirmation: ({ paid, crypto, confirmationsRequired }) => ({
    title: 'Paid, being confirmed',
    next: `${amountText(paid.crypto, crypto)} was sent. It counts once the network has confirmed it ${timesText(confirmationsRequired)}. Do not ship before that. No action is needed.`,
    tone: 'info',
  }),
  completed: ({ paid, crypto, completedBy, splits }) =>
    completedBy === 'merchant'
      ? {
          title: 'Accepted as paid',
          next: `A user of your shop accepted it with ${amountText(paid.crypto, crypto)}. You can ship.`,
          tone: 'good',
        }
      : {
          title: 'Paid and confirmed',
          next: hasUnconfirmed(splits)
            ? `Enough is confirmed: you can ship. In total, ${amountText(paid.crypto, crypto)} has arrived. ${NOT_CONFIRMED}`
            : `${amountText(paid.crypto, crypto)} is in your wallet. You can ship.`,
          tone: 'good',
        },
  expired: ({ paid, crypto, splits }) =>
    isZero(paid.crypto)
      ? {
          title: 'Not paid in time',
          next: 'The address is still watched for 30 days. If coins arrive, they appear here and under Needs attention.',
          tone: 'info',
        }
      : {
          title: 'Not paid in full in time',
          next: hasUnconfirmed(splits)
            ? `${amountText(paid.crypto, crypto)} arrived, but the order is not paid. Ask your customer for a new payment. ${NOT_CONFIRMED}`
            : `${amountText(paid.crypto, crypto)} arrived and is in your wallet, but the order is not paid. Ask your customer for a new payment, or refund the coins from your wallet.`,
          tone: 'warn',
        },
  failed: ({ paid, crypto }) => ({
    title: 'This payment failed',
    next: isZero(paid.crypto)
      ? 'The coins were withdrawn or never confirmed, so nothing was paid. If they still arrive, you can decide here.'
      : `The order is not paid, but ${amountText(paid.crypto, crypto)} arrived at the address. Agree with your customer how to handle it.`,
    tone: 'bad',
  }),
};

function lost({ loss, paid, due, crypto, attention }: Standing): StatusWords {
  if (loss === 'unconfirmed') {
    return {
      title: 'The coins are unconfirmed again',
      next: `A chain reorganisation removed ${amountText(paid.crypto, crypto)} from its blocks after confirmation. Wait until it is confirmed again before you ship.`,
      tone: 'warn',
    };
  }
  const left = `${amountText(paid.crypto, crypto)} of ${amountText(due.crypto, crypto)} is left on the network.`;
  if (loss === 'gone_settled') {
    const note = attention.find(({ kind }) => kind === 'coins_lost')?.note ?? '';
    return {
      title: 'The coins have disappeared',
      next: `${left} This was settled: “${note}”`,
      tone: 'info',
    };
  }
  return {
    title: 'The coins have disappeared',
    next: `${left} Do not ship. If you have, ask your customer to pay again.`,
    tone: 'bad',
  };
}

function paidLate({ paid, due, crypto }: Standing): StatusWords {
  return {
    title: 'Coins arrived late: do you accept them?',
    next: `${amountText(paid.crypto, crypto)} of ${amountText(due.crypto, crypto)} has arrived. Mark it as paid if you will still deliver, or dismiss it to leave the order unpaid.`,
    tone: 'warn',
  };
}

function needsReview({ missing, crypto }: Standing): StatusWords {
  const amount = missing === null ? 'Some coins' : amountText(missing.crypto, crypto);
  return {
    title: 'Coins left the address: was it paid?',
    next: `${amount} left the payment address and no known payment explains it. The payment window is paused. Check your wallet: confirm if the coins are there, reject if not. If the payment appears on the network, this resolves automatically.`,
    tone: 'warn',
  };
}

const NOT_CONFIRMED =
  'Some of it is not confirmed yet, and its sender can still take it back: wait before you refund any.';

function hasUnconfirmed(splits: Standing['splits']): boolean {
  return splits.some(({ status }) => status === 'detected' || status === 'confirming');
}

function isZero(amount: string): boolean {
  return /^0(?:\.0*)?$/.test(amount);
}
