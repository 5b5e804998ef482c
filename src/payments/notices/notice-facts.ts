import { ASSETS, formatCoins, seenBaseUnits } from '../../../machines/index.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import type { NoticeFacts } from './mail-templates.ts';

/** The facts of a notice about a live payment, as of this step. */
export function noticeFactsOf(
  { actorId: transactionId, context }: TransactionStep,
  { orderId, publicUrl }: { readonly orderId: string | null; readonly publicUrl: string },
): NoticeFacts {
  const { crypto, quote, dueBaseUnits } = context;
  const coins = (baseUnits: bigint) => `${formatCoins(baseUnits, ASSETS[crypto].decimals)} ${crypto}`;
  return {
    transactionId,
    orderId,
    price: `${quote.amountFiat} ${quote.currencyFiat}`,
    due: coins(BigInt(dueBaseUnits)),
    arrived: coins(seenBaseUnits(context)),
    consoleUrl: `${publicUrl}/console/payments/${transactionId}`,
  };
}
