import type {
  PaymentInfo,
  TimelineEntryInfo,
  TimelineWho,
  UnassignedInfo,
} from '../../../../http/console/merchant/payment/schemas.ts';
import { amountText } from '../../../ui/values/amount-text.ts';
import { timestampText } from '../../../ui/values/time-text.ts';
import { timesText } from '../../../ui/values/word-text.ts';
import { areAllReplaced, goneIn, type SeenSplit } from './gone-coins.ts';
import {
  dismissalIn,
  NOTED_KINDS,
  notedIn,
  partSettledIn,
  type SettledItems,
  settlementOf,
} from './settlement-notes.ts';

export interface StatusWords {
  /** The status in a few words. */
  readonly title: string;
  /** What it means, and what happens next. */
  readonly next: string;
  readonly tone: 'info' | 'good' | 'warn' | 'bad';
}

type Split = PaymentInfo['splits'][number];

type PaymentState = Pick<
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
  readonly attention: SettledItems;
  readonly splits: readonly (SeenSplit & Partial<Pick<Split, 'isGivenUp'>>)[];
  readonly unassigned: readonly Pick<UnassignedInfo, 'reason' | 'asset' | 'amountCrypto' | 'isConfirmed'>[];
  readonly timeline: readonly Pick<TimelineEntryInfo, 'who' | 'becomes'>[];
};

/** A payment's status for a shop owner without knowledge of blockchains. */
export function statusWordsOf(payment: PaymentState): StatusWords {
  if (payment.exception === 'paid_late') return paidLate(payment);
  if (payment.exception === 'needs_review') return needsReview(payment);
  if (payment.loss !== null)
    return payment.status === 'awaiting_confirmation' ? lostUnconfirmed(payment) : lost(payment);
  return WORDS[payment.status](payment);
}

// Helpers

const WORDS: { readonly [S in PaymentInfo['status']]: (payment: PaymentState) => StatusWords } = {
  pending: (payment) => {
    const { due, crypto, expiresAt } = payment;
    const wrong = wrongCoinIn(payment);
    const gone = goneIn(payment);
    const until = `pay ${amountText(due.crypto, crypto)} until ${timestampText(expiresAt)}.`;
    return wrong === null
      ? {
          title: 'Waiting for the customer to pay',
          next: `${gone ?? 'Nothing has arrived yet.'} The customer can ${until}`,
          tone: gone === null ? 'info' : 'warn',
        }
      : { title: WRONG_COIN, next: joined(gone, wrong, `The customer can still ${until}`), tone: 'warn' };
  },
  partial: (payment) => {
    const { paid, remaining, crypto, expiresAt } = payment;
    const what = `${amountText(paid.crypto, crypto)} has arrived, ${amountText(remaining.crypto, crypto)} is still due. The customer can send the rest to the same address until ${timestampText(expiresAt)}.`;
    return {
      title: 'Only part of the amount has arrived',
      next: joined(what, goneIn(payment), wrongCoinIn(payment)),
      tone: 'warn',
    };
  },
  awaiting_confirmation: ({ paid, crypto, confirmationsRequired }) => ({
    title: 'Paid, being confirmed',
    next: `${amountText(paid.crypto, crypto)} was sent. It counts once the network has confirmed it ${timesText(confirmationsRequired)}. Do not ship before that. No action is needed.`,
    tone: 'info',
  }),
  completed: (payment) => (payment.completedBy === 'merchant' ? accepted(payment) : confirmed(payment)),
  expired: (payment) => (isZero(payment.paid.crypto) ? endedWithoutCoins(payment) : endedWithCoins(payment)),
  failed: (payment) => {
    const { paid, crypto, splits, attention } = payment;
    const title = 'This payment failed';
    if (isZero(paid.crypto)) {
      const what = `The coins were withdrawn or never confirmed, so nothing was paid. If they arrive within ${WATCHED}, you can decide here.`;
      return { title, next: joined(what, wrongCoinIn(payment)), tone: 'bad' };
    }
    const what = `The order is not paid, but ${amountText(paid.crypto, crypto)} ${hasUnconfirmed(splits) ? 'was sent to' : 'arrived at'} the address.`;
    const { sentence, isComplete } = settlementOf(attention);
    const advice = isComplete ? null : 'Agree with your customer how to handle it.';
    return { title, next: joined(what, sentence, advice, cautionOf(splits)), tone: isComplete ? 'info' : 'bad' };
  },
};

function accepted({ splits, attention, timeline }: PaymentState): StatusWords {
  const shipping = hasUnconfirmed(splits)
    ? 'Some of what has arrived is not confirmed yet, and its sender can still take it back: you may lose it if you ship or refund now.'
    : 'You can ship.';
  return {
    title: 'Accepted as paid',
    next: joined(acceptedBy(timeline), shipping, partSettledIn(attention)),
    tone: 'good',
  };
}

function acceptedBy(timeline: PaymentState['timeline']): string {
  const decision = timeline.findLast(({ becomes }) => becomes?.status === 'completed');
  const who = decision === undefined ? null : whoIn(decision.who);
  return who === null ? 'Accepted as paid by a decision.' : `Accepted as paid by ${who}.`;
}

/** Null unless a person, the shop or an operator can have decided. */
function whoIn(who: TimelineWho): string | null {
  switch (who.kind) {
    case 'person':
      return who.email ?? 'a former user';
    case 'shop':
      return 'your shop';
    case 'operator':
      return 'the operators of this service';
    case 'chain':
    case 'clock':
    case 'customer':
    case 'service':
      return null;
  }
}

function confirmed({ paid, crypto, splits, attention }: PaymentState): StatusWords {
  const sentence = partSettledIn(attention);
  const arrived = amountText(paid.crypto, crypto);
  const what = hasUnconfirmed(splits)
    ? `Enough is confirmed: you can ship. In total, ${arrived} has arrived.`
    : `${arrived} ${sentence === null ? 'is in your wallet' : 'was confirmed'}. You can ship.`;
  return { title: 'Paid and confirmed', next: joined(what, sentence, cautionOf(splits)), tone: 'good' };
}

function endedWithoutCoins(payment: PaymentState): StatusWords {
  const wrong = wrongCoinIn(payment);
  const watched = `The address is watched for ${WATCHED}. Coins that arrive by then appear here and under Needs attention.`;
  return { title: 'Not paid in time', next: joined(wrong, watched), tone: wrong === null ? 'info' : 'warn' };
}

const WRONG_COIN = 'The wrong coin has arrived';

/** What to do about coins of another asset than the requested one; null when there are none. */
function wrongCoinIn({ unassigned, crypto }: PaymentState): string | null {
  const others = unassigned.filter(({ reason }) => reason === 'other_asset');
  const [first] = others;
  if (first === undefined) return null;
  const what =
    others.length === 1
      ? amountText(first.amountCrypto, first.asset)
      : `Coins in ${ASSET_LIST.format(new Set(others.map(({ asset }) => asset)))}`;
  const advice = others.every(({ isConfirmed }) => isConfirmed)
    ? 'Agree with your customer how to handle it, or refund it from your wallet.'
    : 'Agree with your customer how to handle it. Its sender can still take it back: wait before you refund it.';
  return `${what} arrived, but ${crypto} was requested. ${advice}`;
}

const ASSET_LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function endedWithCoins({ paid, crypto, splits, attention }: PaymentState): StatusWords {
  const { sentence, isComplete } = settlementOf(attention);
  const caution = cautionOf(splits);
  const isThere = sentence === null && caution === null ? ' and is in your wallet' : '';
  const what = `${amountText(paid.crypto, crypto)} arrived${isThere}, but the order is not paid.`;
  const dismissal = dismissalIn(attention);
  const unlessDone = dismissal === null ? '' : ' if you have not yet';
  const refund =
    caution === null ? `, or refund the ${sentence === null ? 'coins' : 'rest'} from your wallet${unlessDone}` : '';
  const waits = splits.some((split) => split.isGivenUp && !isFinal(split));
  const ask = waits ? WAIT_FOR_GIVEN_UP : `Ask your customer for a new payment${refund}.`;
  // The item below has the advice about the rest.
  const hasItem = attention.some(({ settledAt, kind }) => settledAt === null && NOTED_KINDS.has(kind));
  const refundLate = caution === null ? 'Refund the late coins from your wallet if you have not yet. ' : '';
  const askOrDecide = dismissal === null || !hasItem || waits ? ask : `${refundLate}What to do with the rest is below.`;
  const advice = isComplete && !waits ? null : askOrDecide;
  return {
    title: 'Not paid in full in time',
    next: joined(what, dismissal, sentence, advice, caution),
    tone: isComplete ? 'info' : 'warn',
  };
}

/** Of a payment that awaits confirmation, after its window. */
function lostUnconfirmed({ splits }: PaymentState): StatusWords {
  const then =
    'the payment ends within 20 minutes, and coins that came later wait for your decision. Do not ship. No action is needed.';
  return areAllReplaced(splits)
    ? {
        title: REPLACED,
        next: `Another transaction spends the coins that were sent in time, so they do not count. If no payment takes their place, ${then}`,
        tone: 'warn',
      }
    : {
        title: 'Payment no longer on the network',
        next: `Coins that were sent in time are no longer on the network. They may return; otherwise ${then}`,
        tone: 'warn',
      };
}

const REPLACED = 'Payment replaced by another transaction';

function lost({ loss, paid, due, crypto, attention, splits }: PaymentState): StatusWords {
  if (loss === 'unconfirmed') {
    return {
      title: 'The coins are unconfirmed again',
      next: 'A chain reorganisation removed coins of it from their blocks after confirmation. Wait until they are confirmed again before you ship.',
      tone: 'warn',
    };
  }
  const noted = notedIn(attention);
  const isAllGone = isZero(paid.crypto);
  const left = joined(
    isAllGone
      ? `None of the ${amountText(due.crypto, crypto)} is on the network any more.`
      : `${amountText(paid.crypto, crypto)} of ${amountText(due.crypto, crypto)} is left on the network.`,
    noted === null ? null : `What is beyond the amount due was ${noted}`,
  );
  const reversed = isAllGone ? 'Payment reversed by the network' : 'Part of the payment reversed by the network';
  const title = areAllReplaced(splits) ? REPLACED : reversed;
  if (loss === 'gone_settled') {
    const note = attention.find(({ kind }) => kind === 'coins_lost')?.note ?? '';
    return {
      title,
      next: `${left} This was settled: “${note}”`,
      tone: 'info',
    };
  }
  return {
    title,
    next: `${left} Do not ship. If you have, ask your customer to pay again.`,
    tone: 'bad',
  };
}

function paidLate({ paid, due, crypto, splits }: PaymentState): StatusWords {
  const what = `${amountText(paid.crypto, crypto)} of ${amountText(due.crypto, crypto)} has arrived. Mark it as paid if you will still deliver, or dismiss it to leave the order unpaid.`;
  return {
    title: 'Coins arrived late: do you accept them?',
    next: joined(what, hasUnconfirmed(splits) ? LATE_NOT_CONFIRMED : null),
    tone: 'warn',
  };
}

function needsReview({ missing, crypto }: PaymentState): StatusWords {
  const amount = missing === null ? 'Some coins' : amountText(missing.crypto, crypto);
  return {
    title: 'Coins left the address: was it paid?',
    next: `${amount} left the payment address and no known payment explains it. The payment window is paused. Check your wallet: confirm if the coins are there, reject if not. If the payment appears on the network, this resolves automatically.`,
    tone: 'warn',
  };
}

/** See `MONITORING_MS`. True also after it. */
const WATCHED = '30 days after the payment window';

const NOT_CONFIRMED =
  'Some of it is not confirmed yet, and its sender can still take it back: wait before you refund any.';

const LATE_NOT_CONFIRMED =
  'Some of it is not confirmed yet, and its sender can still take it back: wait before you deliver or refund any.';

const WAIT_FOR_GIVEN_UP =
  'Some coins were not confirmed by the deadline and may still be: wait for that before you ask for a new payment.';

function cautionOf(splits: PaymentState['splits']): string | null {
  return hasUnconfirmed(splits) ? NOT_CONFIRMED : null;
}

export function hasUnconfirmed(splits: PaymentState['splits']): boolean {
  return splits.some((split) => !isFinal(split));
}

function isFinal({ status }: PaymentState['splits'][number]): boolean {
  return status !== 'detected' && status !== 'confirming';
}

function joined(...sentences: readonly (string | null)[]): string {
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

function isZero(amount: string): boolean {
  return /^0(?:\.0*)?$/.test(amount);
}
