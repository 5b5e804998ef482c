import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Observation, ReportOptions } from '../../chains/index.ts';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import {
  findPendingObservations,
  type ObservationCommand,
  type ObservationMessage,
} from '../../platform/engine/index.ts';
import { chainEventCommand, outputTopic } from './chain-events.ts';
import type { AssignedObservation } from './destinations.ts';

/** An observation with the command that sends it. */
export interface ObservationToSend extends AssignedObservation {
  readonly command: ObservationCommand;
}

/** Observations to process; ones that their payments already have are in neither list. */
export interface SortedObservations {
  readonly fresh: readonly ObservationToSend[];
  /** Equal to an observation, but still pending. */
  readonly inProgress: readonly ObservationMessage[];
}

/**
 * Gives every observation its first sighting, see `inheritFirstSightings`, and filters out what
 * payments already know, unless `isForced` is set. A watcher that starts reports the newest blocks
 * and the mempool again, and one whose poll failed reports its findings again: thousands of events
 * at the worst time, each a commit of its actor, ahead of new ones. A different first sighting alone
 * does not make an observation new. A loss is always sent, because it is reported only once.
 *
 * It filters only for the watcher that holds the fencing token, see `requireFencingToken`: reports
 * of earlier watchers are pending or processed by then.
 */
export async function filterNewObservations(
  db: Kysely<Database>,
  assigned: readonly AssignedObservation[],
  { isForced }: Pick<ReportOptions, 'isForced'>,
): Promise<SortedObservations> {
  if (assigned.length === 0) return { fresh: [], inProgress: [] };
  // Pending ones are read before recorded and known ones, so that an event processed in between is
  // found in at least one of the two.
  const topics = assigned.map(({ transactionId, observation }) => outputTopic(transactionId, observation));
  const pendingMessages = await findPendingObservations(db, topics);
  const recorded = await findSightings(db, assigned);
  const sighted = inheritFirstSightings(assigned, pendingMessages, recorded).map((each): ObservationToSend => {
    return { ...each, command: chainEventCommand(each.transactionId, each.observation) };
  });
  if (isForced) return { fresh: sighted, inProgress: [] };
  const known = await findKnown(db, sighted);
  const timesReported = countOutputs(sighted);
  const fresh: ObservationToSend[] = [];
  const inProgress: ObservationMessage[] = [];
  for (const [index, each] of sighted.entries()) {
    const { command, observation } = each;
    const message = pendingMessages[index] ?? null;
    // Reported twice here: the last must follow the first, even if the output was known before.
    const mustFollow = timesReported.get(command.topic) !== 1 || observation.isOutdating === true;
    if (mustFollow) fresh.push(each);
    else if (message === null) {
      if (!known.has(index)) fresh.push(each);
    } else if (isSameReport(message.data, command)) inProgress.push(message);
    else fresh.push(each);
  }
  return { fresh, inProgress };
}

// Helpers

/**
 * Assigns to every observation of an output the first sighting that its payment received or is
 * about to receive. A watcher forgets an output that is gone, and a rescan only knows the block's
 * time. Without this, two observations of the same coins could have different sightings, and the
 * order in which they are processed would decide whether a payment is late.
 *
 * An unproven amount is replaced by the one already known for that block: a node proves what
 * arrived only while it has the state of the block, and a rescan of an old one would add the fee
 * that the token took.
 */
function inheritFirstSightings(
  assigned: readonly AssignedObservation[],
  pendingMessages: readonly (ObservationMessage | null)[],
  recorded: ReadonlyMap<number, Sighting>,
): readonly AssignedObservation[] {
  const sightings = new Map<string, FirstSighting>();
  return assigned.map((each, index) => {
    const { transactionId } = each;
    const sent = pendingMessages[index]?.data.event as unknown as PendingEvent | undefined;
    const observation = withKnownAmount(each.observation, [sent, recorded.get(index)]);
    const key = `${transactionId} ${observation.outputId}`;
    const pending = sent === undefined ? undefined : sightingOf(sent);
    const first = sightings.get(key) ?? pending ?? recorded.get(index)?.first;
    sightings.set(key, first ?? sightingOf(observation));
    return { ...each, observation: { ...observation, ...first } };
  });
}

/** What is known of an output in a block, or in none. */
interface KnownAmount {
  readonly amountBaseUnits: bigint | string;
  readonly blockHash?: string | null;
}

function withKnownAmount(observation: Observation, known: readonly (KnownAmount | undefined)[]): Observation {
  const { isUnproven, status } = observation;
  if (isUnproven !== true || !('blockHash' in status)) return observation;
  const same = known.find((each) => each?.blockHash === status.blockHash);
  return same === undefined ? observation : { ...observation, amountBaseUnits: BigInt(same.amountBaseUnits) };
}

interface Sighting extends KnownAmount {
  readonly first: FirstSighting;
}

/**
 * First sightings of outputs recorded by payments, or unassigned because their payment had no room
 * for them, by index. A payment that has recorded one knows its order.
 */
async function findSightings(
  db: Kysely<Database>,
  assigned: readonly AssignedObservation[],
): Promise<ReadonlyMap<number, Sighting>> {
  const requested = assigned.map(({ transactionId, observation }, index) => {
    return { transaction_id: transactionId, output_id: observation.outputId, index };
  });
  const { rows } = await sql<SightingRow>`
    select requested.index, round(extract(epoch from known.first_seen_at) * 1000)::int8 as first_seen_at,
      known.amount_base_units, known.block_hash
    from ${unnestRows('requested', { text: ['transaction_id', 'output_id'], int4: ['index'] }, requested)}
    join (
      select transaction_id, output_id, first_seen_at, amount_base_units, block_hash from payment
      union all
      select transaction_id, output_id, first_seen_at, amount_base_units, null from unassigned_payment where reason = 'too_many_outputs'
    ) as known on known.transaction_id = requested.transaction_id and known.output_id = requested.output_id`.execute(
    db,
  );
  return new Map(
    rows.map(({ index, first_seen_at: firstSeenAt, amount_base_units: amountBaseUnits, block_hash: blockHash }) => {
      return [index, { first: { firstSeenAt }, amountBaseUnits, blockHash }];
    }),
  );
}

interface SightingRow {
  index: number;
  first_seen_at: number;
  amount_base_units: bigint;
  block_hash: string | null;
}

const REPORTED_COLUMNS = {
  text: ['transaction_id', 'output_id', 'txid', 'status', 'block_hash'],
  numeric: ['amount_base_units'],
  int4: ['index'],
} as const;

/** Indexes of the observations that their payments have processed. */
async function findKnown(db: Kysely<Database>, assigned: readonly AssignedObservation[]): Promise<ReadonlySet<number>> {
  const reported = assigned.map(
    ({ transactionId, observation: { outputId, txid, amountBaseUnits, status } }, index) => ({
      transaction_id: transactionId,
      output_id: outputId,
      txid,
      amount_base_units: amountBaseUnits.toString(),
      status: status.kind,
      block_hash: 'blockHash' in status ? status.blockHash : null,
      index,
    }),
  );
  const { rows } = await sql<{ index: number }>`
    select reported.index
    from ${unnestRows('reported', REPORTED_COLUMNS, reported)}
    join payment on payment.transaction_id = reported.transaction_id and payment.output_id = reported.output_id
    where payment.txid is not distinct from reported.txid and payment.amount_base_units = reported.amount_base_units
      and payment.block_hash is not distinct from reported.block_hash
      and (payment.presence = reported.status
        or reported.status = 'confirmed' and payment.presence = 'block' and payment.confirmed_at is not null)
      and reported.status <> 'gone'`.execute(db);
  return new Set(rows.map(({ index }) => index));
}

function countOutputs(reported: readonly ObservationToSend[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { command } of reported) counts.set(command.topic, (counts.get(command.topic) ?? 0) + 1);
  return counts;
}

/** Ignores orders, which differ each time, and whether the first sighting was another report. */
function isSameReport(reported: ObservationCommand, own: ObservationCommand): boolean {
  return isDeepStrictEqual(withoutOrders(reported), withoutOrders(own));
}

function withoutOrders({ event }: ObservationCommand): object {
  const { firstSeenOrder: _, outdates, ...rest } = event as ReportedEvent;
  return { ...rest, order: 0, ...(outdates === undefined ? {} : { outdates: outdates.outputIds }) };
}

type FirstSighting = Pick<Observation, 'firstSeenAt' | 'firstSeenOrder'>;

type PendingEvent = Pick<Observation, 'firstSeenAt' | 'firstSeenOrder' | 'order'> & KnownAmount;

type ReportedEvent = ObservationCommand['event'] & Partial<Pick<Observation, 'firstSeenOrder' | 'outdates'>>;

function sightingOf({ firstSeenAt, order, firstSeenOrder = order }: PendingEvent): FirstSighting {
  return { firstSeenAt, firstSeenOrder };
}
