import type { MerchantNotification, TransactionContext, UnixMs } from '../../../machines/index.ts';
import { paymentUrl } from '../view/merchant-view.ts';
import type { LineItem } from './attachment.ts';

/**
 * The exact JSON text of a payment event. Amounts are decimal strings; `sequence` increases by one
 * with every event of a transaction, because deliveries may arrive out of order.
 */
export function paymentEventBody({
  id,
  at,
  notification,
  context,
  details,
  publicUrl,
}: {
  readonly id: string;
  readonly at: UnixMs;
  readonly notification: MerchantNotification;
  readonly context: TransactionContext;
  readonly details: {
    readonly orderId: string | null;
    readonly items?: readonly LineItem[] | null;
    readonly metadata: Readonly<Record<string, unknown>> | null;
  };
  readonly publicUrl: string;
}): string {
  const { event, status, exception, sequence } = notification;
  const { quote } = context;
  const { items } = details;
  const hasReceipt = event === 'payment.completed' || event === 'payment.overpaid';
  // Undefined fields are left out.
  return JSON.stringify({
    id,
    event,
    mode: context.mode,
    timestamp: new Date(at).toISOString(),
    sequence,
    transaction_id: context.transactionId,
    status,
    exception: exception ?? undefined,
    currency_crypto: context.crypto,
    currency_fiat: quote.currencyFiat,
    amount_fiat: quote.amountFiat,
    amount_usd: quote.amountUsd,
    amount_crypto: quote.amountCrypto,
    order_id: details.orderId,
    items: items ?? undefined,
    receipt_url: hasReceipt ? paymentUrl(publicUrl, context.transactionId) : undefined,
    metadata: details.metadata,
  });
}
