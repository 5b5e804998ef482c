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
    title: 'Only a part has arrived',
    next: `${amountText(paid.crypto, crypto)} came, ${amountText(remaining.crypto, crypto)} is still missing. The customer can send the rest to the same address until ${timestampText(expiresAt)}.`,
    tone: 'warn',
  }),
  awaiting_confirmation: ({ paid, crypto, confirmationsRequired }) => ({
    title: 'Paid, and being confirmed',
    next: `${amountText(paid.crypto, crypto)} was sent. It counts as soon as the network has confirmed it ${timesText(confirmationsRequired)}. Do not ship before that; nothing needs to be done.`,
    tone: 'info',
  }),
  completed: ({ paid, crypto, completedBy }) =>
    completedBy === 'merchant'
      ? {
          title: 'Accepted as paid',
          next: `A user of your shop accepted it with ${amountText(paid.crypto, crypto)}. You can ship.`,
          tone: 'good',
        }
      : {
          title: 'Paid and confirmed',
          next: `${amountText(paid.crypto, crypto)} is in your wallet. You can ship.`,
          tone: 'good',
        },
  expired: ({ paid, crypto }) =>
    isZero(paid.crypto)
      ? {
          title: 'Not paid in time',
          next: 'The address is still watched for 30 days. If coins arrive, they appear here and under Needs attention.',
          tone: 'info',
        }
      : {
          title: 'Not paid in full in time',
          next: `${amountText(paid.crypto, crypto)} came and is in your wallet, but the order is not paid. Agree with your customer: ask for a new payment, or send the coins back from your wallet.`,
          tone: 'warn',
        },
  failed: ({ paid, crypto }) => ({
    title: 'This payment failed',
    next: isZero(paid.crypto)
      ? 'The coins were withdrawn or never confirmed, so nothing was paid. If they arrive after all, you can decide here.'
      : `The order is not paid, but ${amountText(paid.crypto, crypto)} came to the address. Agree with your customer what becomes of it.`,
    tone: 'bad',
  }),
};

function lost({ loss, paid, due, crypto, attention }: Standing): StatusWords {
  if (loss === 'unconfirmed') {
    return {
      title: 'The coins are unconfirmed again',
      next: `A reorganisation took ${amountText(paid.crypto, crypto)} out of its blocks after it was confirmed. Wait until it is confirmed again before you ship.`,
      tone: 'warn',
    };
  }
  const left = `${amountText(paid.crypto, crypto)} of ${amountText(due.crypto, crypto)} is left on the network.`;
  if (loss === 'gone_settled') {
    const note = attention.find(({ kind }) => kind === 'coins_lost')?.note ?? '';
    return {
      title: 'The coins are gone',
      next: `${left} This was settled: “${note}”`,
      tone: 'info',
    };
  }
  return {
    title: 'The coins are gone',
    next: `${left} Do not ship. If you have, ask your customer to pay again.`,
    tone: 'bad',
  };
}

function paidLate({ paid, due, crypto }: Standing): StatusWords {
  return {
    title: 'Coins came too late: do you accept them?',
    next: `${amountText(paid.crypto, crypto)} of ${amountText(due.crypto, crypto)} is there. Mark it as paid if you still deliver, or dismiss it and the order stays unpaid.`,
    tone: 'warn',
  };
}

function needsReview({ missing, crypto }: Standing): StatusWords {
  const amount = missing === null ? 'Some coins' : amountText(missing.crypto, crypto);
  return {
    title: 'Coins left the address: was it paid?',
    next: `${amount} left the payment address and no known payment explains it. The time to pay is paused. Look into your wallet: confirm if the money is there, reject if it is not. If the payment turns up on the network, this settles by itself.`,
    tone: 'warn',
  };
}

function isZero(amount: string): boolean {
  return /^0(?:\.0*)?$/.test(amount);
}
