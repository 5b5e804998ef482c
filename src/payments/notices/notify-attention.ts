import type { Transaction } from 'kysely';
import type { OutputRecord, TransactionContext, UnixMs } from '../../../machines/index.ts';
import { type MerchantNotice, notifyMerchantUsers, withdrawNotices } from '../../mail/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { derivedId } from '../../platform/ids.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { attentionEmail, type MailedAttention } from './email-templates.ts';
import { missedDeadlineOf, noticeInputOf } from './notice-input.ts';

/**
 * An item of a live payment that is new, opens again after a person has ended it, or is about lost
 * coins, whose amount has changed.
 */
export interface RaisedItem {
  readonly step: TransactionStep;
  readonly kind: MailedAttention;
  /** Number of the item's changes. */
  readonly revision: number;
  /** When it was last opened. */
  readonly raisedAt: UnixMs;
  /** The coins it concerns. */
  readonly outputs: readonly OutputRecord[];
  readonly orderId: string | null;
}

/** Which loss of coins an item is about. */
export type RaisedLoss = Pick<RaisedItem, 'raisedAt'> & { readonly transactionId: string };

/**
 * Emails the users of each merchant what needs their attention: once each time it is raised. The
 * email about lost coins waits as long as other losses take to settle: most of them return within
 * minutes, when a reorganisation has put their transaction into another block. Coins that another
 * transaction spent do not return, so the email about those is not delayed.
 */
export async function notifyAttention(
  trx: Transaction<Database>,
  items: readonly RaisedItem[],
  publicUrl: string,
): Promise<void> {
  const notices = items.map(({ step, kind, revision, raisedAt, outputs, orderId }): MerchantNotice => {
    const { actorId: transactionId, at, context } = step;
    const input = noticeInputOf(step, { orderId, publicUrl });
    const isLoss = kind === 'coins_lost';
    return {
      id: isLoss ? idOfLoss({ transactionId, raisedAt }) : derivedId('ntc', kind, transactionId, String(revision)),
      merchantId: context.merchantId,
      setting: kind === 'paid_late' ? 'mailLatePayment' : 'mailNeedsAttention',
      content: attentionEmail(kind, input, {
        isConfirmed: outputs.every(({ confirmedAt }) => confirmedAt !== null),
        missedDeadline: missedDeadlineOf(context, outputs),
      }),
      at,
      sendAt: isLoss ? raisedAt + (wereSpentElsewhere(context) ? 0 : context.lossSettlesMs) : undefined,
    };
  });
  await notifyMerchantUsers(trx, notices);
}

/**
 * Withdraws the emails about losses that have ended or were settled, unless they are sent already.
 */
export async function withdrawLossEmails(trx: Transaction<Database>, losses: readonly RaisedLoss[]): Promise<void> {
  await withdrawNotices(trx, losses.map(idOfLoss));
}

// Helpers

/**
 * Whether another transaction spent coins that completed this payment. Coins that were replaced
 * without ever being confirmed count only where a merchant accepted such coins: others were
 * replaced before the payment was completed, mostly by a raised fee. Balances without a transaction
 * are replaced by the outputs that explain them.
 */
function wereSpentElsewhere({ outputs, completedBy }: TransactionContext): boolean {
  return outputs.some(
    ({ txid, goneReason, verified }) =>
      txid !== null && goneReason === 'replaced' && (verified !== null || completedBy === 'merchant'),
  );
}

/** The same for all revisions of a loss, so that each replaces the waiting email. */
function idOfLoss({ transactionId, raisedAt }: RaisedLoss): string {
  return derivedId('ntc', 'coins_lost', transactionId, raisedAt);
}
