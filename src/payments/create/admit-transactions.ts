import type { Transaction } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import type { PreparedInput, StartDraft } from '../../platform/engine/index.ts';
import { allocateAddresses } from '../../wallets/index.ts';
import type { TransactionAttachment } from '../projection/attachment.ts';
import { type Admission, admissionInput } from './admission.ts';
import { findStartsBeyondKeys } from './keyless-payments.ts';
import { ClientIsBusyError, findBusyClients } from './open-payment-of-client.ts';

/** Decides which starts of a batch are admitted and gives each an address, in the same commit. */
export async function admitTransactions(
  trx: Transaction<Database>,
  drafts: readonly StartDraft[],
  admission?: Admission,
): Promise<readonly PreparedInput[]> {
  const busy = await findBusyClients(trx, drafts);
  const beyond = await findStartsBeyondKeys(
    trx,
    drafts.filter((draft) => !busy.has(draft)),
  );
  const free = drafts.filter((draft) => !busy.has(draft) && !beyond.has(draft));
  const decisions = (await admission?.(trx, free.map(admissionInput))) ?? [];
  const rejections = new Map<StartDraft, Error>(beyond);
  for (const draft of busy) rejections.set(draft, new ClientIsBusyError());
  for (const [index, draft] of free.entries()) {
    const rejection = decisions[index] ?? null;
    if (rejection !== null) rejections.set(draft, rejection);
  }
  const admitted = drafts.filter((draft) => !rejections.has(draft));
  const requests = admitted.map(({ actorId, attachment }) => ({
    transactionId: actorId,
    derivationKeyId: (attachment as TransactionAttachment).derivationKeyId,
  }));
  const taken = requests.length === 0 ? [] : await allocateAddresses(trx, requests);
  const addressOf = new Map(admitted.map((draft, index) => [draft, taken[index]?.address]));
  return drafts.map((draft) => {
    const rejection = rejections.get(draft);
    return rejection === undefined
      ? { input: { ...draft.input, depositAddress: addressOf.get(draft) } }
      : { rejection };
  });
}
