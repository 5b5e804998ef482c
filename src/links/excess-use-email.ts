import type { EmailContent } from '../mail/index.ts';
import { derivedId } from '../platform/ids.ts';

/** To the users of a merchant: a payment link was paid more times than allowed. */
export function excessUseEmail({
  transactionId,
  title,
  maxUses,
  lostTransactionId,
}: {
  readonly transactionId: string;
  readonly title: string;
  /** How often it can be paid. */
  readonly maxUses: number | null;
  /** A payment that counts as a use, if its coins have left the network since. */
  readonly lostTransactionId: string | null;
}): Pick<EmailContent, 'subject' | 'blocks'> {
  return {
    subject: 'A payment link was paid more times than allowed',
    blocks: [
      {
        kind: 'paragraph',
        text: 'A customer opened a payment link before it was used up, and paid it after other customers had. The payment is complete but does not count as a use of the link: deliver to this customer too, or refund the coins.',
      },
      ...(lostTransactionId === null ? [] : [LOST]),
      {
        kind: 'details',
        details: [
          ['Payment', transactionId],
          ...(lostTransactionId === null ? [] : [['Counted payment, without its coins', lostTransactionId] as const]),
          ['Payment link', title],
          ['Can be paid', maxUses === 1 ? 'once' : `${maxUses} times`],
        ],
      },
    ],
  };
}

/** The same about a payment that does not exist. */
export function sampleExcessUseEmail(): Pick<EmailContent, 'subject' | 'blocks'> {
  return excessUseEmail({
    transactionId: derivedId('txn', 'sample'),
    title: 'Invoice 1001',
    maxUses: 1,
    lostTransactionId: null,
  });
}

// Helpers

const LOST = {
  kind: 'paragraph',
  text: 'The coins of a payment that counts as a use have left the network since. If this is the same customer, this payment replaces it: do not refund it.',
} as const;
