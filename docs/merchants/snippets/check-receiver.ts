import { isPaymentEvent, verifyWebhook, type WebhookEvent } from 'quittance/client';
import { checkReceiver, type ReceiverOutcome, type ReceiverUnderTest, type WebhookRequest } from 'quittance/testing';

/** A shop in memory. Yours keeps both as tables and writes to them in one transaction. */
export function createShop(secret: string): ReceiverUnderTest {
  const seen = new Set<string>();
  const payments = new Map<string, { outcome: ReceiverOutcome; sequence: number }>();
  return {
    receive(request) {
      const event = read(request, secret);
      if (event === null) return 400;
      if (!isPaymentEvent(event) || seen.has(event.id)) return 204;
      seen.add(event.id);
      const { transaction_id: id, status, exception = null, sequence } = event;
      const known = payments.get(id);
      const fulfilled = (known?.outcome.fulfilled ?? 0) + (event.event === 'payment.completed' ? 1 : 0);
      const isOlder = known !== undefined && known.sequence > sequence;
      payments.set(
        id,
        isOlder
          ? { ...known, outcome: { ...known.outcome, fulfilled } }
          : { sequence, outcome: { status, exception, fulfilled } },
      );
      return 204;
    },
    outcomeOf: (id) => payments.get(id)?.outcome ?? null,
  };
}

/** A naive first version: treats each request as new, and the last one received as the newest. */
export function createNaiveShop(secret: string): ReceiverUnderTest {
  const payments = new Map<string, ReceiverOutcome>();
  return {
    receive(request) {
      const event = read(request, secret);
      if (event === null) return 400;
      if (!isPaymentEvent(event)) return 204;
      const { transaction_id: id, status, exception = null } = event;
      const fulfilled = (payments.get(id)?.fulfilled ?? 0) + (event.event === 'payment.completed' ? 1 : 0);
      payments.set(id, { status, exception, fulfilled });
      return 204;
    },
    outcomeOf: (id) => payments.get(id) ?? null,
  };
}

function read({ rawBody, headers }: WebhookRequest, secret: string): WebhookEvent | null {
  try {
    return verifyWebhook(rawBody, headers, secret, { mode: 'live' });
  } catch {
    return null;
  }
}

await checkReceiver(createShop);
