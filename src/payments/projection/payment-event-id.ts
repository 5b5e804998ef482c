import type { MerchantNotification, PaymentEvent, TransactionContext } from '../../../machines/index.ts';
import { webhookEventId } from '../../webhooks/index.ts';

/**
 * Id of the webhook event of a notification; `context` is the one after the step. The sum is part
 * of the id of events that are raised again when it changes: a restored payment may report another
 * sum under the same sequence number. Everything else in the payload follows from the type.
 */
export function paymentEventId(
  transactionId: string,
  { event, sequence }: MerchantNotification,
  { partialNotifiedBaseUnits, overpaidNotifiedBaseUnits }: TransactionContext,
): string {
  const sums: Partial<Record<PaymentEvent, string | null>> = {
    'payment.partial': partialNotifiedBaseUnits,
    'payment.overpaid': overpaidNotifiedBaseUnits,
  };
  const baseUnits = sums[event] ?? null;
  return webhookEventId(transactionId, { event, sequence, ...(baseUnits === null ? {} : { baseUnits }) });
}
