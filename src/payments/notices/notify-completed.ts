import { sql, type Transaction } from 'kysely';
import { type MerchantNotice, notifyMerchantUsers } from '../../mail/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { isSimulated, parseNetworkName } from '../../wallets/index.ts';
import { isCompleting } from '../projection/completions.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { type CustomerRow, customerColumns, emailCustomers } from './email-customers.ts';
import { firstPaymentEmail } from './email-templates.ts';
import { noticeInputOf } from './notice-input.ts';

/**
 * Emails customers their receipts, and the users of a merchant that its first live payment ever is
 * complete, in the commit that completes a payment. One statement per commit that completes live
 * payments, by primary key, and none in any other. Merchants are locked in order, so that of two
 * first payments only one sends an email, and two processes cannot deadlock.
 */
export async function notifyCompleted(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  publicUrl: string,
): Promise<void> {
  const completing = new Map(steps.filter(isLiveCompletion).map((step) => [step.actorId, step]));
  if (completing.size === 0) return;
  const firsts = firstOfEachMerchant([...completing.values()].filter(isReal)).map(({ actorId, at, context }) => {
    return { merchant_id: context.merchantId, transaction_id: actorId, at };
  });
  const { rows } = await sql<CustomerRow & { readonly id: string; readonly isFirst: boolean }>`
    with unpaid as (
      select merchant.id, first.transaction_id, first.at
      from merchant join ${unnestRows('first', FIRST_COLUMNS, firsts)} on first.merchant_id = merchant.id
      where first_paid_at is null order by merchant.id for no key update of merchant
    ), paid as (
      update merchant set first_paid_at = unpaid.at from unpaid where merchant.id = unpaid.id
      returning unpaid.transaction_id
    )
    select transaction.id, paid.transaction_id is not null as "isFirst", ${customerColumns('receipt')}
    from transaction join merchant on merchant.id = transaction.merchant_id
    left join paid on paid.transaction_id = transaction.id
    where transaction.id = any(${[...completing.keys()]}::text[])`.execute(trx);
  const payments = rows.flatMap((row) => {
    const step = completing.get(row.id);
    return step === undefined ? [] : [{ step, row }];
  });
  await emailCustomers(trx, 'receipt', payments, publicUrl);
  const first = payments.filter(({ row }) => row.isFirst);
  await notifyMerchantUsers(
    trx,
    first.map(({ step, row: { orderId } }) => noticeOf(step, { orderId, publicUrl })),
  );
}

// Helpers

const FIRST_COLUMNS = { text: ['merchant_id', 'transaction_id'], timestamptz: ['at'] } as const;

/** Paid by coins that are confirmed in a main network, not by a decision of the merchant. */
function isReal({ context: { network, completedBy } }: TransactionStep): boolean {
  return completedBy === 'chain' && parseNetworkName(network).kind === 'mainnet';
}

/** Payments to the operator for the service itself do not count. */
function isLiveCompletion(step: TransactionStep): boolean {
  const { mode, type, network } = step.context;
  return mode === 'live' && type !== 'billing' && !isSimulated(network) && isCompleting(step);
}

function firstOfEachMerchant(steps: readonly TransactionStep[]): TransactionStep[] {
  const first = new Map(steps.toReversed().map((step) => [step.context.merchantId, step]));
  return [...first.values()];
}

function noticeOf(
  step: TransactionStep,
  payment: { readonly orderId: string | null; readonly publicUrl: string },
): MerchantNotice {
  const { at, context } = step;
  const { merchantId } = context;
  return {
    id: derivedId('ntc', 'first_payment', merchantId),
    merchantId,
    setting: 'mailFirstPayment',
    content: firstPaymentEmail(noticeInputOf(step, payment)),
    at,
  };
}
