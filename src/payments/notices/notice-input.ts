import { ASSETS, formatCoins, seenBaseUnits } from '../../../machines/index.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { fiatWorth } from '../view/fiat-worth.ts';
import type { NoticeInput } from './email-templates.ts';

/** What a notice about a live payment says, as of this step. */
export function noticeInputOf(
  { actorId: transactionId, context }: TransactionStep,
  { orderId, publicUrl }: { readonly orderId: string | null; readonly publicUrl: string },
): NoticeInput {
  const { crypto, quote } = context;
  const dueBaseUnits = BigInt(context.dueBaseUnits);
  const price = fiatWorth(dueBaseUnits, { dueBaseUnits, amountFiat: quote.amountFiat });
  const coins = (baseUnits: bigint) => `${formatCoins(baseUnits, ASSETS[crypto].decimals)} ${crypto}`;
  return {
    transactionId,
    orderId,
    price: `${price} ${quote.currencyFiat}`,
    due: coins(dueBaseUnits),
    arrived: coins(seenBaseUnits(context)),
    consoleUrl: `${publicUrl}/console/payments/${transactionId}`,
  };
}
