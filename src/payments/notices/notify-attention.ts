import type { Transaction } from 'kysely';
import type { OutputRecord } from '../../../machines/index.ts';
import { type MerchantNotice, notifyMerchantUsers } from '../../mail/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { derivedId } from '../../platform/ids.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { attentionMail, type MailedAttention } from './mail-templates.ts';
import { noticeInputOf } from './notice-input.ts';

/** An item of a live payment that is new, or opens again after a person has ended it. */
export interface RaisedItem {
  readonly step: TransactionStep;
  readonly kind: MailedAttention;
  /** Of the item; counts its changes. */
  readonly revision: number;
  /** The coins it concerns. */
  readonly outputs: readonly OutputRecord[];
  readonly orderId: string | null;
}

/** Mails the users of each merchant what needs their attention: once each time it is raised. */
export async function notifyAttention(
  trx: Transaction<Database>,
  items: readonly RaisedItem[],
  publicUrl: string,
): Promise<void> {
  const notices = items.map(({ step, kind, revision, outputs, orderId }): MerchantNotice => {
    const { actorId: transactionId, at, context } = step;
    const input = noticeInputOf(step, { orderId, publicUrl });
    return {
      id: derivedId('ntc', kind, transactionId, String(revision)),
      merchantId: context.merchantId,
      setting: kind === 'paid_late' ? 'mailLatePayment' : 'mailNeedsAttention',
      content: attentionMail(kind, input, { isConfirmed: outputs.every(({ confirmedAt }) => confirmedAt !== null) }),
      at,
    };
  });
  await notifyMerchantUsers(trx, notices);
}
