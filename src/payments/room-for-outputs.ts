import { type Kysely, sql } from 'kysely';
import type { ChainEvent } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import type { Taken } from './destinations.ts';

/**
 * Outputs that a payment counts at a time: so many small ones, and as many that each are a hundredth
 * of what is due or more, or half of what is still missing. Dust keeps no larger coin out.
 */
const PLACES = 100;
const SMALL_PARTS = 100n;
const DROPPED = 'chain.output_dropped' satisfies ChainEvent['type'];
/**
 * Outputs that a payment takes in all, also those that are gone. Each event folds all of them, so
 * without an end every later event of the batch that all payments share would become slower. The
 * last hundred are not for small ones, however often these are replaced.
 */
const MOST_TAKEN = 400;
const MOST_SMALL_AND_OTHERS = MOST_TAKEN - PLACES;

export interface Room {
  /** Whether a payment takes this output; asked in the order in which they came, and remembered. */
  admits(output: Taken): boolean;
}

/**
 * Which of these outputs, all unknown to their payments, fit in. Those that were announced to a
 * payment and are still on their way count as its own, and so do `taken`; those that the same call
 * of the sink reports as `gone` leave their places. What was turned away once stays away, so that no coin is both.
 */
export async function findRoom(
  db: Kysely<Database>,
  asked: readonly Taken[],
  { taken, gone }: { readonly taken: readonly Taken[]; readonly gone: readonly Taken[] },
): Promise<Room> {
  if (asked.length === 0) return { admits: () => true };
  const ids = [...new Set(asked.map(({ transactionId }) => transactionId))];
  const column = (of: readonly Taken[], name: 'transactionId' | 'outputId') => of.map((each) => each[name]);
  // One statement, so that an output which is folded meanwhile is found either on its way or in its payment.
  const { rows } = await sql<Row>`
    select asked.transaction_id, transaction.due_base_units,
      array(
        select (case when payment.presence = 'gone' or payment.output_id in (
            select reported.output_id
            from unnest(${column(gone, 'transactionId')}::text[], ${column(gone, 'outputId')}::text[])
              as reported (transaction_id, output_id)
            where reported.transaction_id = payment.transaction_id
            union all
            select topic from announced_event
            where actor_id = payment.transaction_id and data::jsonb -> 'event' ->> 'type' = ${DROPPED}
          ) then null else payment.amount_base_units end)::text
        from payment where payment.transaction_id = asked.transaction_id limit ${MOST_TAKEN}
      ) as known,
      coalesce((
        select jsonb_object_agg(fresh.output_id, fresh.amount::text) from (
          select topic as output_id, case when bool_or(data::jsonb -> 'event' ->> 'type' = ${DROPPED}) then null
            else max((data::jsonb -> 'event' ->> 'amountBaseUnits')::numeric) end as amount
          from announced_event
          where actor_id = asked.transaction_id and jsonb_exists(data::jsonb -> 'event', 'amountBaseUnits')
          group by topic
          union
          select carried.output_id, carried.amount
          from unnest(
            ${column(taken, 'transactionId')}::text[], ${column(taken, 'outputId')}::text[],
            ${taken.map(({ amountBaseUnits }) => amountBaseUnits.toString())}::numeric[]
          ) as carried (transaction_id, output_id, amount) where carried.transaction_id = asked.transaction_id
        ) as fresh
        where not exists (
          select 1 from payment
          where payment.transaction_id = asked.transaction_id and payment.output_id = fresh.output_id
        )
      ), '{}') as under_way,
      array(
        select output_id from unnest(${column(asked, 'outputId')}::text[]) as wanted (id)
        join stray_payment on stray_payment.transaction_id = asked.transaction_id and stray_payment.output_id = wanted.id
          and stray_payment.reason = 'too_many_outputs'
      ) as turned_away
    from unnest(${ids}::text[]) as asked (transaction_id)
    join transaction on transaction.id = asked.transaction_id`.execute(db);
  const goneIds = new Set(gone.map(({ transactionId, outputId }) => `${transactionId} ${outputId}`));
  const rooms = new Map(
    rows.map((row) => [row.transaction_id, openRoom(row, (id) => goneIds.has(`${row.transaction_id} ${id}`))]),
  );
  return { admits: (output) => rooms.get(output.transactionId)?.(output) ?? true };
}

// Helpers

interface Row {
  transaction_id: string;
  due_base_units: bigint;
  /** Amounts of the outputs it knows; null for those that are gone. */
  known: (string | null)[];
  /** Amounts of those on their way to it, by id; null for those whose loss is on its way too. */
  under_way: Record<string, string | null>;
  turned_away: string[];
}

function openRoom(row: Row, isGone: (outputId: string) => boolean): (output: Taken) => boolean {
  const isSmall = (amount: bigint) => amount * SMALL_PARTS < row.due_base_units;
  const turnedAway = new Set(row.turned_away);
  const fresh = new Map(Object.entries(row.under_way).map(([id, amount]) => [id, isGone(id) ? null : amount]));
  const counted = () =>
    [...row.known, ...fresh.values()].flatMap((amount) => (amount === null ? [] : [BigInt(amount)]));
  return ({ outputId, amountBaseUnits }) => {
    if (fresh.has(outputId)) return true;
    const all = counted();
    const missing = all.reduce((rest, amount) => rest - amount, row.due_base_units);
    const isLargePart = missing > 0n && amountBaseUnits * 2n >= missing;
    const isSmallOutput = isSmall(amountBaseUnits) && !isLargePart;
    const ofItsSize = all.filter((amount) => isSmall(amount) === isSmallOutput);
    const most = isSmallOutput ? MOST_SMALL_AND_OTHERS : MOST_TAKEN;
    if (turnedAway.has(outputId) || ofItsSize.length >= PLACES || row.known.length + fresh.size >= most) return false;
    fresh.set(outputId, amountBaseUnits.toString());
    return true;
  };
}
