import type { Transaction } from 'kysely';
import { HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import { emailOwners } from '../../accounts/index.ts';
import type { Database } from '../../platform/db/index.ts';

/**
 * Emails the owners, in the commit of the decision, that an operator decided a live payment of
 * theirs. One email an hour: an operator may decide thousands after a fault of a node.
 */
export async function emailOperatorDecision(
  trx: Transaction<Database>,
  { merchantId, transactionId, now }: { readonly merchantId: string; readonly transactionId: string; now: UnixMs },
): Promise<void> {
  const about = `decided_by_operator:${merchantId}:${Math.floor(now / HOUR_MS)}`;
  const content = {
    subject: 'An operator of the service decided a payment',
    blocks: [
      { kind: 'paragraph', text: `An operator of the service decided the payment ${transactionId} of your shop.` },
      {
        kind: 'paragraph',
        text: 'If you did not ask for this, hold back the order and contact the operator. The audit log names all such payments; further ones in this hour are not emailed.',
      },
    ],
  } as const;
  await emailOwners({ trx, now }, { merchantId, about, content });
}
