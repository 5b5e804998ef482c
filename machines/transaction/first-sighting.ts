import type { OutputRecord } from './context.ts';
import type { OutputEvent } from './events.ts';

/**
 * When the transaction of an output was first seen, in the mempool or in a block: what decides
 * whether it was in time, whenever it is mined.
 */
export type Sighting = Pick<OutputRecord, 'firstSeenAt' | 'firstSeenOrder'>;

export function sightingOf({ order, firstSeenAt, firstSeenOrder = order }: OutputEvent): Sighting {
  return { firstSeenAt, firstSeenOrder };
}

export function earlierSighting(known: Sighting, other: Sighting): Sighting {
  const { firstSeenAt, firstSeenOrder } = other.firstSeenOrder < known.firstSeenOrder ? other : known;
  return { firstSeenAt, firstSeenOrder };
}

/** All outputs of a transaction share its first sighting, even if a reorg changed the log index. */
export function seenTogether(outputs: readonly OutputRecord[], txid: string | null): OutputRecord[] {
  const ofIt = outputs.filter((output) => txid !== null && output.txid === txid);
  const [only, another] = ofIt;
  if (only === undefined || another === undefined) return [...outputs];
  const first = ofIt.reduce((one, other) => (other.firstSeenOrder < one.firstSeenOrder ? other : one));
  const { firstSeenAt, firstSeenOrder } = first;
  return outputs.map((output) => {
    const isLater = output.txid === txid && output.firstSeenOrder > firstSeenOrder;
    return isLater ? { ...output, firstSeenAt, firstSeenOrder } : output;
  });
}
