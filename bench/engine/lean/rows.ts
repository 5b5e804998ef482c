import {
  type MerchantNotification,
  paymentStatusOf,
  statePath,
  type TransactionContext,
} from '../../../machines/index.ts';
import { statusOf, termsOf } from '../../../src/payments/projection/transaction-rows.ts';
import type { TransactionStep } from '../../../src/payments/projection/transaction-step.ts';
import { paymentEventBody } from '../../../src/payments/projection/webhook-body.ts';
import type { ActorKind } from '../../../src/platform/engine/index.ts';

export type Stepped = ReturnType<ActorKind['stepper']['step']>;
type Effects = Stepped[1];

export interface Actor {
  readonly id: string;
  readonly timers: Record<string, number>;
  snapshot: Stepped[0];
}

export function changeTimers(timers: Actor['timers'], effects: Effects): void {
  for (const { type, params } of effects) {
    const { timer, dueAt } = params as { timer: string; dueAt: number };
    if (type === 'startTimer') timers[timer] = dueAt;
    if (type === 'cancelTimer') delete timers[timer];
  }
}

export function webhookRows(context: TransactionContext, effects: Effects, at: number) {
  const { transactionId, merchantId, mode } = context;
  const notifications = effects.filter(({ type }) => type === 'notifyMerchant');
  return notifications.map(({ params }) => {
    const notification = params as MerchantNotification;
    const id = `${transactionId.replace('txn', 'evt')}${notification.sequence}`;
    const details = { orderId: null, metadata: { cart: 'bench' } };
    const body = paymentEventBody({ id, at, notification, context, details, publicUrl: 'http://127.0.0.1' });
    const { event } = notification;
    return { id, transaction_id: transactionId, merchant_id: merchantId, mode, event, body, created_at: at };
  });
}

export function actorRow({ id, snapshot: { value, context, status }, timers }: Actor): object {
  const { network: gate } = context as TransactionContext;
  const due = Object.values(timers);
  const due_at = due.length === 0 ? null : Math.min(...due);
  return { id, state: statePath(value), snapshot: { value, context, status }, timers, gate, due_at };
}

/** The agreed terms; the attachment has those that the chart does not need. */
export function termsRow({ snapshot: { context } }: Actor, attachment: unknown): object {
  const { transactionId: id, createdAt } = context as TransactionContext;
  return { id, created_at: createdAt, ...termsOf({ context, attachment } as TransactionStep) };
}

export function statusRow({ id: actorId, snapshot: { value, context } }: Actor): object {
  const { merchantId, mode } = context as TransactionContext;
  const row = statusOf({ actorId, context, state: statePath(value) } as TransactionStep);
  return { ...row, mode, merchant_id: merchantId };
}

export function coinRows({ id, snapshot }: Actor): object[] {
  return (snapshot.context as TransactionContext).outputs.map((output) => {
    return {
      id,
      output_id: output.outputId,
      txid: output.txid,
      amount_base_units: output.amountBaseUnits,
      presence: output.presence,
      status: paymentStatusOf(output),
      height: output.height,
      block_hash: output.blockHash,
      first_seen_at: output.firstSeenAt,
      confirmed_at: output.confirmedAt,
    };
  });
}
