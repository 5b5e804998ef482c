import type { Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import type { PreparedInput, StartDraft } from '../engine/index.ts';
import { takeAddresses } from '../wallets/index.ts';
import type { TransactionAttachment } from './attachment.ts';

/** Gives every transaction of the batch its address, in the transaction that starts it. */
export async function prepareTransactions(
  trx: Transaction<Database>,
  drafts: readonly StartDraft[],
): Promise<readonly PreparedInput[]> {
  const requests = drafts.map(({ actorId, attachment }) => ({
    transactionId: actorId,
    derivationKeyId: (attachment as TransactionAttachment).derivationKeyId,
  }));
  const taken = await takeAddresses(trx, requests);
  return drafts.map((draft, place) => ({ input: { ...draft.input, depositAddress: taken[place]?.address } }));
}
