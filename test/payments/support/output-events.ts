import type { ActorEvent } from '../../../src/platform/engine/index.ts';
import { CLOSES_AT } from '../../machines/transaction/terms.ts';

/** The only output of the transaction `id` is seen, by default just before the window closes. */
export function seen(id: string, order: number, amount: bigint, firstSeenAt = CLOSES_AT - 1): ActorEvent {
  return {
    type: 'chain.output_seen',
    outputId: `${id}:0`,
    txid: id,
    amountBaseUnits: amount.toString(),
    order,
    firstSeenAt,
  };
}

/** The same output reaches its confirmations. */
export function confirmed(id: string, order: number, amount: bigint, firstSeenAt?: number): ActorEvent {
  const block = { height: 101, blockHash: 'main-101' };
  return { ...seen(id, order, amount, firstSeenAt), type: 'chain.output_confirmed', ...block };
}
