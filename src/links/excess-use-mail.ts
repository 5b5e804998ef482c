import type { MailContent } from '../mail/index.ts';
import { derivedId } from '../platform/ids.ts';

/** To the users of a merchant: a payment link was paid more often than it is for. */
export function excessUseMail({
  transactionId,
  title,
  maxUses,
}: {
  readonly transactionId: string;
  readonly title: string;
  /** How often it can be paid. */
  readonly maxUses: number | null;
}): Pick<MailContent, 'subject' | 'blocks'> {
  return {
    subject: 'A payment link was paid once too often',
    blocks: [
      {
        kind: 'paragraph',
        text: 'A customer opened a payment link before it was used up, and paid it after others had. The payment is complete, but counts for no use of the link: deliver once more, or give the coins back.',
      },
      {
        kind: 'details',
        details: [
          ['Payment', transactionId],
          ['Payment link', title],
          ['Can be paid', maxUses === 1 ? 'once' : `${maxUses} times`],
        ],
      },
    ],
  };
}

/** The same about a payment that does not exist. */
export function sampleExcessUseMail(): Pick<MailContent, 'subject' | 'blocks'> {
  return excessUseMail({ transactionId: derivedId('txn', 'sample'), title: 'Invoice 1001', maxUses: 1 });
}
