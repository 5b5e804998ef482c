import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/index.ts';
import type { Taken } from './destinations.ts';

/**
 * Outputs that a payment takes. Each event folds all of them, so somebody who sends dust could otherwise make every later event of
 * the batch that all payments share slower.
 */
const MAX_OUTPUTS = 100;

export interface Room {
  /** Whether a payment takes this output; asked in the order in which they came, and remembered. */
  admits(output: Taken): boolean;
}

/**
 * Which of these outputs, all unknown to their payments, fit in. Those that were announced to a payment and are still on their way
 * count as its own, and so do `taken`. What was turned away once stays away, so that no coin is both.
 */
export async function findRoom(db: Kysely<Database>, asked: readonly Taken[], taken: readonly Taken[]): Promise<Room> {
  if (asked.length === 0) return { admits: () => true };
  const ids = [...new Set(asked.map(({ transactionId }) => transactionId))];
  // One statement, so that an output which is folded meanwhile is found either on its way or in its payment.
  const { rows } = await sql<{ transaction_id: string; known: number; under_way: string[]; turned_away: string[] }>`
    select asked.transaction_id,
      (select count(*) from (
        select 1 from payment where payment.transaction_id = asked.transaction_id limit ${MAX_OUTPUTS}
      ) as known) as known,
      array(
        select output_id from (
          select topic as output_id from announced_event where actor_id = asked.transaction_id
          union
          select told.output_id from unnest(
            ${taken.map(({ transactionId }) => transactionId)}::text[], ${taken.map(({ outputId }) => outputId)}::text[]
          ) as told (transaction_id, output_id) where told.transaction_id = asked.transaction_id
        ) as fresh
        where not exists (
          select 1 from payment
          where payment.transaction_id = asked.transaction_id and payment.output_id = fresh.output_id
        )
      ) as under_way,
      array(
        select output_id from unnest(${asked.map(({ outputId }) => outputId)}::text[]) as told (id)
        join stray_payment on stray_payment.transaction_id = asked.transaction_id and stray_payment.output_id = told.id
          and stray_payment.reason = 'too_many_outputs'
      ) as turned_away
    from unnest(${ids}::text[]) as asked (transaction_id)`.execute(db);
  const rooms = new Map(
    rows.map((row) => [
      row.transaction_id,
      { known: row.known, fresh: new Set(row.under_way), turnedAway: new Set(row.turned_away) },
    ]),
  );
  return {
    admits({ transactionId, outputId }) {
      const room = rooms.get(transactionId);
      if (room === undefined || room.fresh.has(outputId)) return true;
      if (room.turnedAway.has(outputId) || room.known + room.fresh.size >= MAX_OUTPUTS) return false;
      room.fresh.add(outputId);
      return true;
    },
  };
}
