import { type Delivery, signDelivery, type WebhookRequest } from './deliveries.ts';
import { inMode } from './event.ts';
import type { Forgery } from './scenario.ts';

/**
 * A request the receiver must reject, sent instead of a delivery: an event that would release goods
 * if accepted. `other_mode` is signed by the service: it is what a test payment sends, and no one
 * has paid for it.
 */
export function forge({ event, attempt }: Delivery, how: Forgery, secret: string): WebhookRequest {
  const claimed = { id: `${event.id}x`, ...claimOf(event.event), sequence: 1_000 } as const;
  const body = JSON.stringify({ ...JSON.parse(event.body), ...claimed });
  const forged = { event: { ...event, ...claimed, body }, attempt };
  const other = `whsec_${Buffer.alloc(32, 'somebody else').toString('base64')}`;
  switch (how) {
    case 'wrong_secret':
      return signDelivery(forged, other, Date.now());
    case 'changed_body': {
      const genuine = signDelivery({ event, attempt }, secret, Date.now());
      return { headers: genuine.headers, rawBody: Buffer.from(body) };
    }
    case 'other_mode':
      return signDelivery(
        { event: inMode(forged.event, event.mode === 'live' ? 'test' : 'live'), attempt },
        secret,
        Date.now(),
      );
    case 'unsigned':
      return { headers: { 'content-type': 'application/json' }, rawBody: Buffer.from(body) };
  }
}

// Helpers

function claimOf(event: string) {
  if (event.startsWith('payment.')) return { event: 'payment.completed', status: 'completed' } as const;
  const transaction_id = `txn_${'0'.repeat(26)}`;
  return { event: 'recurring.payment.completed', status: 'active', period_no: 1_000, transaction_id } as const;
}
