import type { TransactionException, TransactionStatus } from '../../../../machines/index.ts';
import type { PaymentListItem } from '../../../http/console/merchant/payments/schemas.ts';
import { Badge, type Tone } from '../badge.tsx';

interface PaymentStatusProps {
  readonly status: TransactionStatus;
  readonly exception?: TransactionException | null;
  readonly loss?: PaymentListItem['loss'];
}

/**
 * A payment's status in a shop's terms, with an explanation as tooltip, and its pending decision.
 */
export function PaymentStatus({ status, exception = null, loss = null }: PaymentStatusProps) {
  const { word, tone, about } = loss === null ? STATUS_WORDS[status] : LOSS_WORDS[loss];
  const waits = exception === null ? null : EXCEPTION_WORDS[exception];
  return (
    <span className="payment-status">
      <span title={about}>
        <Badge tone={tone}>{word}</Badge>
      </span>
      {waits === null ? null : (
        <span title={waits.about}>
          <Badge tone={waits.tone}>{waits.word}</Badge>
        </span>
      )}
    </span>
  );
}

export interface StatusTexts {
  readonly word: string;
  readonly tone: Tone;
  /** One sentence that explains the word. */
  readonly about: string;
}

const LOSS_WORDS: Readonly<Record<NonNullable<PaymentListItem['loss']>, StatusTexts>> = {
  unconfirmed: {
    word: 'Unconfirmed again',
    tone: 'warn',
    about:
      'It was paid and confirmed, but a chain reorganisation removed its coins from their blocks. Wait before you ship.',
  },
  gone: {
    word: 'Coins gone',
    tone: 'bad',
    about: 'Coins that paid it are no longer on the network. Do not ship.',
  },
  gone_settled: {
    word: 'Coins gone',
    tone: 'quiet',
    about: 'Coins that paid it are no longer on the network. This was settled.',
  },
};

export const STATUS_WORDS: Readonly<Record<TransactionStatus, StatusTexts>> = {
  pending: { word: 'Waiting', tone: 'info', about: 'Waiting for the customer to pay.' },
  awaiting_confirmation: {
    word: 'Confirming',
    tone: 'info',
    about: 'The full amount has been sent. The network is still confirming it, so do not ship yet.',
  },
  completed: { word: 'Paid', tone: 'good', about: 'Enough is confirmed, or a decision accepted it as paid.' },
  partial: {
    word: 'Partly paid',
    tone: 'warn',
    about: 'Less than the amount due has arrived; the rest can still be paid.',
  },
  expired: { word: 'Expired', tone: 'quiet', about: 'The payment window closed.' },
  failed: { word: 'Failed', tone: 'bad', about: 'This payment failed. Nothing more is expected.' },
};

export const EXCEPTION_WORDS: Readonly<Record<TransactionException, StatusTexts>> = {
  paid_late: {
    word: 'Paid late',
    tone: 'warn',
    about:
      'The coins arrived after the payment window closed, or were confirmed after the payment had failed. You decide whether to accept them.',
  },
  needs_review: {
    word: 'Needs review',
    tone: 'warn',
    about: 'Coins left the payment address before the payment could be recognised. You decide whether it was paid.',
  },
};
