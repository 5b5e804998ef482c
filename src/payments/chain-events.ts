import type { ChainEvent } from '../../machines/index.ts';
import type { Observation } from '../chains/index.ts';
import type { EventCommand } from '../engine/index.ts';
import { assertNever } from '../errors.ts';

/** An event less the moment, which the engine stamps. */
type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/**
 * An observation as the event of its actor. The id names output, order and standing: observing the same thing twice is
 * one event, observing a change is another.
 */
export function chainEventCommand(transactionId: string, observation: Observation): EventCommand {
  const { outputId, order } = observation;
  return { actorId: transactionId, eventId: `chain:${outputId}:${order}`, event: { ...toEvent(observation) } };
}

// Helpers

function toEvent({
  standing,
  outputId,
  order,
  txid,
  amountBaseUnits,
  firstSeenAt,
}: Observation): Unstamped<ChainEvent> {
  const sighted = { outputId, order, txid, amountBaseUnits: amountBaseUnits.toString(), firstSeenAt };
  switch (standing.kind) {
    case 'mempool':
      return { type: 'chain.output_seen', ...sighted };
    case 'block':
      return { type: 'chain.output_mined', ...sighted, height: standing.height, blockHash: standing.blockHash };
    case 'confirmed':
      return { type: 'chain.output_confirmed', ...sighted, height: standing.height, blockHash: standing.blockHash };
    case 'gone':
      return { type: 'chain.output_dropped', ...sighted, reason: standing.reason };
    default:
      return assertNever(standing, 'standing');
  }
}
