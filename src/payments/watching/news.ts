import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Observation } from '../../chains/index.ts';
import type { Database } from '../../db/index.ts';
import { type AnnouncedCommand, type AnnouncedMessage, findAnnounced } from '../../engine/index.ts';
import { chainEventCommand } from '../chain-events.ts';

/** An observation, and the payment it belongs to. */
export interface Owned {
  readonly transactionId: string;
  readonly observation: Observation;
}

/** What is to be done about observations; what their payments know already is in neither. */
export interface Sorted {
  readonly news: readonly Owned[];
  /** Says the same as an observation, and has not been taken yet. */
  readonly underWay: readonly AnnouncedMessage[];
}

/**
 * Leaves out what payments know. A watcher that starts says again all that is in the newest blocks and in the mempool, and one whose look
 * failed says again what it found: thousands of events at the worst of moments, each a commit of its actor, in front of
 * those that are new.
 *
 * Only for the watcher whose turn it is, see `holdTurn`: what its predecessors told is announced or taken by then. What was
 * announced is read before what was taken, so an event that is being taken meanwhile is found in one of them.
 */
export async function sortKnown(db: Kysely<Database>, owned: readonly Owned[]): Promise<Sorted> {
  if (owned.length === 0) return { news: [], underWay: [] };
  const commands = owned.map(({ transactionId, observation }) => chainEventCommand(transactionId, observation));
  const announced = await findAnnounced(db, commands);
  const known = await findKnown(db, owned);
  const timesTold = countOutputs(commands);
  const news: Owned[] = [];
  const underWay: AnnouncedMessage[] = [];
  for (const [place, each] of owned.entries()) {
    const command = commands[place] as AnnouncedCommand;
    const message = announced[place] ?? null;
    // Told twice here, the last must follow the first, although it is where the output was before.
    if (timesTold.get(command.topic) !== 1) news.push(each);
    else if (message === null) {
      if (!known.has(place + 1)) news.push(each);
    } else if (saysTheSame(message.data, command)) underWay.push(message);
    else news.push(each);
  }
  return { news, underWay };
}

// Helpers

/** Places, from 1, of the observations that their payments have taken in the same or an earlier telling. */
async function findKnown(db: Kysely<Database>, owned: readonly Owned[]): Promise<ReadonlySet<number>> {
  const column = <T>(read: (observation: Observation) => T) => owned.map(({ observation }) => read(observation));
  const { rows } = await sql<{ place: number }>`
    select told.place
    from unnest(
      ${owned.map(({ transactionId }) => transactionId)}::text[], ${column(({ outputId }) => outputId)}::text[],
      ${column(({ txid }) => txid)}::text[], ${column(({ amountBaseUnits }) => amountBaseUnits.toString())}::numeric[],
      ${column(({ standing }) => standing.kind)}::text[],
      ${column(({ standing }) => ('blockHash' in standing ? standing.blockHash : null))}::text[],
      ${column(({ firstSeenAt }) => firstSeenAt)}::int8[]
    ) with ordinality as told (transaction_id, output_id, txid, amount_base_units, standing, block_hash, first_seen_at, place)
    join payment on payment.transaction_id = told.transaction_id and payment.output_id = told.output_id
    where payment.txid is not distinct from told.txid and payment.amount_base_units = told.amount_base_units
      and payment.block_hash is not distinct from told.block_hash
      and payment.first_seen_at <= to_timestamp(told.first_seen_at / 1000.0)
      and (payment.presence = told.standing
        or told.standing = 'confirmed' and payment.presence = 'block' and payment.confirmed_at is not null)
      and told.standing <> 'gone'`.execute(db);
  return new Set(rows.map(({ place }) => place));
}

function countOutputs(commands: readonly AnnouncedCommand[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { topic } of commands) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return counts;
}

/** The order apart, which is another one each time. A sighting that is earlier than the one told is news. */
function saysTheSame(told: AnnouncedCommand, own: AnnouncedCommand): boolean {
  const [theirs, ours] = [told, own].map(({ event }) => event as unknown as ToldEvent) as [ToldEvent, ToldEvent];
  return (
    theirs.firstSeenAt <= ours.firstSeenAt &&
    isDeepStrictEqual({ ...theirs, order: 0, firstSeenAt: 0 }, { ...ours, order: 0, firstSeenAt: 0 })
  );
}

interface ToldEvent {
  readonly order: number;
  readonly firstSeenAt: number;
}
