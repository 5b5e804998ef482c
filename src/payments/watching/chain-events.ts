import type { ChainEvent } from '../../../machines/index.ts';
import type { BalanceDrop, Observation } from '../../chains/index.ts';
import { partitionOf } from '../../platform/bus/index.ts';
import {
  type ActorEvent,
  actorQueue,
  type ObservationCommand,
  type ObservationMessage,
} from '../../platform/engine/index.ts';
import { assertNever } from '../../platform/errors.ts';

type OutputEvent = Exclude<ChainEvent, { readonly type: 'chain.balance_dropped' }>;

/** An event without `at`, which the engine sets. */
type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/** The topic of an output's observations: the newest replaces older ones that are pending. */
export function outputTopic(
  transactionId: string,
  { outputId }: Pick<Observation, 'outputId'>,
): Pick<ObservationCommand, 'actorId' | 'topic'> {
  return { actorId: transactionId, topic: outputId };
}

/**
 * An observation as the event of its actor. The id contains output and order: an observation sent
 * again is the same event, a newer one of the same output is another.
 */
export function chainEventCommand(transactionId: string, observation: Observation): ObservationCommand {
  const { outputId, order } = observation;
  return {
    ...outputTopic(transactionId, observation),
    eventId: `chain:${outputId}:${order}`,
    event: { ...toEvent(observation) },
  };
}

/** The observation passed to `chainEventCommand`, without its location. */
export function observationOf(event: ActorEvent): Omit<Observation, 'network' | 'watchKey' | 'asset'> {
  const { outputId, order, txid, amountBaseUnits, firstSeenAt, spends = [], ...rest } = event as unknown as OutputEvent;
  const sighted = { outputId, order, txid, amountBaseUnits: BigInt(amountBaseUnits), firstSeenAt, spends };
  switch (rest.type) {
    case 'chain.output_seen':
      return { ...sighted, status: { kind: 'mempool' } };
    case 'chain.output_mined':
      return { ...sighted, status: { kind: 'block', height: rest.height, blockHash: rest.blockHash } };
    case 'chain.output_confirmed':
      return { ...sighted, status: { kind: 'confirmed', height: rest.height, blockHash: rest.blockHash } };
    case 'chain.output_dropped':
      return { ...sighted, status: { kind: 'gone', reason: rest.reason } };
    default:
      return assertNever(rest, 'event');
  }
}

/** A balance drop as the event of its actor. The same block seen again yields the same event. */
export function balanceDropCommand(transactionId: string, drop: BalanceDrop): ObservationCommand {
  const { asset, height, blockHash, missingBaseUnits, expectedBaseUnits } = drop;
  const eventId = `balance:${asset}:${height}:${blockHash}`;
  const event: Unstamped<ChainEvent> = {
    type: 'chain.balance_dropped',
    missingBaseUnits: missingBaseUnits.toString(),
    expectedBaseUnits: expectedBaseUnits.toString(),
  };
  // Each loss is kept until processed; if it is reported again, the newest report replaces the
  // older.
  return { actorId: transactionId, topic: `balance:${asset}:${expectedBaseUnits}`, eventId, event };
}

/** A command for the actor of a transaction, as a bus message. */
export function actorMessage(command: ObservationCommand): ObservationMessage {
  return {
    queue: actorQueue('transaction'),
    partition: partitionOf(command.actorId),
    id: `${command.actorId}:${command.eventId}`,
    data: command,
  };
}

// Helpers

/** Caps what is stored of a transaction with thousands of inputs. */
const MAX_SPENDS = 8;

/**
 * The inputs of a transaction that a payment keeps to recognise a replacement: the lowest ones.
 * Their ids are hashes, so a replacement that only adds inputs still shares one of them, except in
 * rare cases of very many inputs. A balance that no transaction explains spends nothing.
 */
function keptSpends({ txid, spends = [] }: Observation): { readonly spends?: readonly string[] } {
  return txid === null || spends.length === 0 ? {} : { spends: [...spends].sort().slice(0, MAX_SPENDS) };
}

function toEvent(observation: Observation): Unstamped<ChainEvent> {
  const { status, outputId, order, txid, amountBaseUnits, firstSeenAt, firstSeenOrder, outdates } = observation;
  const more = {
    ...keptSpends(observation),
    ...(firstSeenOrder === undefined ? {} : { firstSeenOrder }),
    ...(outdates === undefined ? {} : { outdates }),
  };
  const sighted = { outputId, order, txid, amountBaseUnits: amountBaseUnits.toString(), firstSeenAt, ...more };
  switch (status.kind) {
    case 'mempool':
      return { type: 'chain.output_seen', ...sighted };
    case 'block':
      return { type: 'chain.output_mined', ...sighted, height: status.height, blockHash: status.blockHash };
    case 'confirmed':
      return {
        type: 'chain.output_confirmed',
        ...sighted,
        height: status.height,
        blockHash: status.blockHash,
        ...(status.byLock === true ? { byLock: true } : {}),
      };
    case 'gone':
      return { type: 'chain.output_dropped', ...sighted, reason: status.reason };
    default:
      return assertNever(status, 'status');
  }
}
