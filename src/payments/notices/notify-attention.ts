import type { Transaction } from 'kysely';
import type { Database } from '../../db/index.ts';
import { derivedId } from '../../ids.ts';
import { type MerchantNotice, notifyMerchantUsers } from '../../mail/index.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { attentionMail, type MailedAttention } from './mail-templates.ts';
import { noticeFactsOf } from './notice-facts.ts';

/** An item of a live payment that was raised for the first time. */
export interface RaisedItem {
  readonly step: TransactionStep;
  readonly kind: MailedAttention;
  readonly orderId: string | null;
}

/** Mails the users of each merchant what needs their attention: once per payment and kind. */
export async function notifyAttention(
  trx: Transaction<Database>,
  items: readonly RaisedItem[],
  publicUrl: string,
): Promise<void> {
  const notices = items.map(({ step, kind, orderId }): MerchantNotice => {
    const { actorId: transactionId, at, context } = step;
    const facts = noticeFactsOf(step, { orderId, publicUrl });
    return {
      id: derivedId('ntc', kind, transactionId),
      merchantId: context.merchantId,
      kind,
      setting: kind === 'paid_late' ? 'mailLatePayment' : 'mailNeedsAttention',
      subjectId: transactionId,
      data: { arrived: facts.arrived },
      content: attentionMail(kind, facts),
      at,
    };
  });
  await notifyMerchantUsers(trx, notices);
}
