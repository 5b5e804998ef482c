import {
  ASSETS,
  formatCoins,
  missedDeadline,
  type OutputRecord,
  type TransactionContext,
} from '../../../machines/index.ts';
import { paidBaseUnits } from '../projection/paid.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { fiatWorth } from '../view/fiat-worth.ts';
import type { MissedDeadline } from '../view/surplus.ts';
import type { NoticeInput } from './email-templates.ts';

/** What a notice about a live payment says, as of this step. */
export function noticeInputOf(
  step: TransactionStep,
  { orderId, publicUrl }: { readonly orderId: string | null; readonly publicUrl: string },
): NoticeInput {
  const { actorId: transactionId, context } = step;
  const { crypto, quote } = context;
  const dueBaseUnits = BigInt(context.dueBaseUnits);
  const price = fiatWorth(dueBaseUnits, { dueBaseUnits, amountFiat: quote.amountFiat });
  const coins = (baseUnits: bigint) => `${formatCoins(baseUnits, ASSETS[crypto].decimals)} ${crypto}`;
  return {
    transactionId,
    orderId,
    price: `${price} ${quote.currencyFiat}`,
    due: coins(dueBaseUnits),
    arrived: coins(paidBaseUnits(step)),
    consoleUrl: `${publicUrl}/console/payments/${transactionId}`,
  };
}

/** Which of these coins missed the confirmation deadline; others that are late arrived late. */
export function missedDeadlineOf(context: TransactionContext, outputs: readonly OutputRecord[]): MissedDeadline {
  const missed = outputs.filter((output) => missedDeadline(context, output));
  if (missed.length === 0) return 'none';
  return missed.length === outputs.length ? 'all' : 'some';
}
