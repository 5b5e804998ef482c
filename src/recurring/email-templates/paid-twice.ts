import type { EmailContent } from '../../mail/index.ts';

/**
 * To the users of a merchant: a customer has paid one period twice. `lostTransactionId`: the
 * payment that paid the period, if its coins have left the network since.
 */
export function paidTwiceEmail(input: {
  readonly transactionId: string;
  readonly scheduleId: string;
  readonly reference: string | null;
  readonly periodNo: number;
  readonly lostTransactionId: string | null;
}): Pick<EmailContent, 'subject' | 'blocks'> {
  const { transactionId, scheduleId, reference, periodNo, lostTransactionId } = input;
  return {
    subject: 'A recurring payment was paid twice',
    blocks: [
      {
        kind: 'paragraph',
        text:
          lostTransactionId === null
            ? 'A customer has paid one period of a recurring payment request twice. Refund the second payment, or agree on something else with the customer: it does not reduce later requests.'
            : 'A customer has paid one period of a recurring payment request again, after the coins of the first payment had left the network. Do not refund the second payment while they are gone: it is the only money for this period.',
      },
      {
        kind: 'details',
        details: [
          ['Payment', transactionId],
          ...(lostTransactionId === null ? [] : [['First payment, without its coins', lostTransactionId] as const]),
          ['Schedule', scheduleId],
          ...(reference === null ? [] : [['Reference', reference] as const]),
          ['Period', String(periodNo)],
        ],
      },
    ],
  };
}
