import { type Block, type EmailContent, paragraph } from '../../mail/index.ts';
import type { AttentionKind } from '../attention/attention-of.ts';
import type { MissedDeadline } from '../view/surplus.ts';

/** What a notice says about its payment. Texts are plain and may be any input of a merchant. */
export interface NoticeInput {
  readonly transactionId: string;
  readonly orderId: string | null;
  /** With currency: `25.00 EUR`. */
  readonly price: string;
  /** With coin: `0.25 LTC`. */
  readonly due: string;
  /** What arrived, with coin. */
  readonly arrived: string;
  /** The page of the payment in the console. */
  readonly consoleUrl: string;
}

/** The kinds of items that are emailed: the ones that a commit of a payment raises. */
export type MailedAttention = Exclude<AttentionKind, 'unassigned_coins'>;

type Content = Pick<EmailContent, 'subject' | 'blocks'>;

/** To the users of a merchant, once: its first live payment is complete. */
export function firstPaymentEmail(input: NoticeInput): Content {
  return {
    subject: 'Your first live payment is complete',
    blocks: [
      paragraph('A customer has paid you with real coins for the first time. The payment is confirmed.'),
      listed(input),
      paragraph(
        'The coins are in your own wallet. Check that they are there: if not, the wallet in the console is not yours, and you should accept no more payments until that is fixed.',
      ),
      link(input),
    ],
  };
}

export const NOT_CONFIRMED =
  'Some of these coins are not confirmed yet, and their sender can still take them back: wait before you refund any.';

/** The coins that an item concerns. */
export interface ConcernedCoins {
  readonly isConfirmed: boolean;
  /** Which arrived in time, and were confirmed after the payment had failed. */
  readonly missedDeadline: MissedDeadline;
}

/** To the users of a merchant: something about a payment needs their attention. */
export function attentionEmail(
  kind: MailedAttention,
  input: NoticeInput,
  { isConfirmed, missedDeadline }: ConcernedCoins,
): Content {
  const [subject, sentence] = kind === 'paid_late' ? LATE[missedDeadline] : SENTENCES[kind];
  const caution = isConfirmed ? [] : [paragraph(NOT_CONFIRMED)];
  return { subject, blocks: [paragraph(sentence), ...caution, listed(input), link(input)] };
}

// Helpers

type Sentences = readonly [subject: string, sentence: string];

const LATE: Readonly<Record<MissedDeadline, Sentences>> = {
  all: [
    'A payment was confirmed late',
    'Coins arrived in time, but the network confirmed them only after the payment had failed. Decide whether the payment counts: mark it as paid, or dismiss it and refund the coins.',
  ],
  some: [
    'A payment was late',
    'Some coins arrived after the payment window closed. Others arrived in time, but the network confirmed them only after the payment had failed. Decide whether the payment counts: mark it as paid, or dismiss it and refund the coins.',
  ],
  none: [
    'A payment arrived late',
    'Coins arrived after the payment window closed. Decide whether the payment counts: mark it as paid, or dismiss it and refund the coins.',
  ],
};

const SENTENCES: Readonly<Record<Exclude<MailedAttention, 'paid_late'>, Sentences>> = {
  needs_review: [
    'A payment needs review',
    'Coins were moved out of the address of this payment, and no matching incoming payment was seen. Check whether they are in your wallet, then confirm or reject the payment.',
  ],
  coins_lost: [
    'Coins of a paid order have disappeared',
    'Coins that completed this payment are no longer on the network: the order is no longer paid. Do not ship. If you have, ask the customer to pay again.',
  ],
  underpaid: [
    'A payment ended underpaid',
    'The payment ended without the full amount. Agree with the customer on the rest, or refund the coins.',
  ],
  overpaid: ['A customer paid too much', 'The payment is complete, and more arrived than was due. Refund the excess.'],
  coins_on_closed: [
    'Coins arrived for a closed payment',
    'Coins arrived after this payment was closed, or returned after you had settled their loss. Agree with the customer what they are for, or refund them.',
  ],
};

function listed({ transactionId, orderId, price, due, arrived }: NoticeInput): Block {
  return {
    kind: 'details',
    details: [
      ['Payment', transactionId],
      ...(orderId === null ? [] : [['Order', orderId] as const]),
      ['Price', price],
      ['Due', due],
      ['Arrived', arrived],
    ],
  };
}

function link({ consoleUrl }: NoticeInput): Block {
  return { kind: 'link', text: 'Open the payment', url: consoleUrl };
}
