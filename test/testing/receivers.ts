import type { Mode } from '../../machines/index.ts';
import {
  isPaymentEvent,
  type PaymentWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from '../../src/client/index.ts';
import type { ReceiverOutcome, ReceiverUnderTest } from '../../src/testing/index.ts';

/** One way to mishandle webhooks, as real shops do. */
export type Mistake =
  | 'counts_repeats'
  | 'believes_the_last_to_come'
  | 'ignores_the_signature'
  | 'ignores_the_mode'
  | 'forgets_the_exception'
  | 'waits_between_looking_and_writing'
  | 'refuses_what_it_knows'
  | 'never_fulfils';

/** A receiver that is correct except for one mistake, or without any when null. */
export function createReceiver(secret: string, mistake: Mistake | null, mode: Mode = 'live'): ReceiverUnderTest {
  const seen = new Set<string>();
  const payments = new Map<string, ReceiverOutcome & { readonly sequence: number }>();

  function read(rawBody: Buffer, headers: Readonly<Record<string, string>>): WebhookEvent {
    if (mistake === 'ignores_the_signature') return JSON.parse(rawBody.toString());
    return verifyWebhook(rawBody, headers, secret, { mode: mistake === 'ignores_the_mode' ? 'both' : mode });
  }

  return {
    async receive({ rawBody, headers }) {
      try {
        const event = read(rawBody, headers);
        if (!isPaymentEvent(event)) return 204;
        const isKnown = seen.has(event.id) && mistake !== 'counts_repeats';
        if (isKnown) return mistake === 'refuses_what_it_knows' ? 409 : 204;
        if (mistake === 'waits_between_looking_and_writing') await new Promise((resolve) => setImmediate(resolve));
        seen.add(event.id);
        const known = payments.get(event.transaction_id);
        const isNews =
          known === undefined || event.sequence > known.sequence || mistake === 'believes_the_last_to_come';
        const sent = { status: event.status, exception: exceptionOf(event), sequence: event.sequence };
        const hasPaid = event.event === 'payment.completed' && mistake !== 'never_fulfils';
        payments.set(event.transaction_id, {
          ...(isNews ? sent : known),
          fulfilled: (known?.fulfilled ?? 0) + (hasPaid ? 1 : 0),
        });
        return 204;
      } catch (error) {
        if (error instanceof WebhookError) return 400;
        throw error;
      }
    },
    outcomeOf(transactionId) {
      const found = payments.get(transactionId);
      if (found === undefined) return null;
      const { status, exception, fulfilled } = found;
      return { status, exception, fulfilled };
    },
  };

  function exceptionOf({ exception }: PaymentWebhook): ReceiverOutcome['exception'] {
    return mistake === 'forgets_the_exception' ? null : (exception ?? null);
  }
}
