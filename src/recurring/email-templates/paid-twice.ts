import type { EmailContent } from '../../mail/index.ts';

/** To the users of a merchant: a customer has paid one period twice. */
export function paidTwiceEmail(input: {
  readonly transactionId: string;
  readonly scheduleId: string;
  readonly reference: string | null;
  readonly periodNo: number;
}): Pick<EmailContent, 'subject' | 'blocks'> {
  const { transactionId, scheduleId, reference, periodNo } = input;
  return {
    subject: 'A recurring payment was paid twice',
    blocks: [
      {
        kind: 'paragraph',
        text: 'A customer has paid one period of a recurring payment request twice. Refund the second payment, or agree on something else with the customer: it does not reduce later requests.',
      },
      {
        kind: 'details',
        details: [
          ['Payment', transactionId],
          ['Schedule', scheduleId],
          ...(reference === null ? [] : [['Reference', reference] as const]),
          ['Period', String(periodNo)],
        ],
      },
    ],
  };
}
