import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import type { ActorSubject, ListedActor, TimerInfo } from '../types.ts';
import { merchantOfActor } from './predicate.ts';

/**
 * The columns of `actor` that a list shows, with its next timer and its
 * number of open dead letters.
 */
export const actorColumns: RawBuilder<unknown> = sql`
  actor.id, actor.kind, actor.state, actor.state_entered_at, actor.created_at, actor.sequence,
  ${merchantOfActor} as merchant_id,
  (select json_build_object('name', name, 'dueAt', floor(extract(epoch from due_at) * 1000),
      'firesAt', floor(extract(epoch from fires_at) * 1000), 'gate', gate, 'height', height)
    from timer where timer.actor_id = actor.id order by fires_at nulls last, name limit 1) as next_timer,
  (select count(*) from dead_letter where dead_letter.actor_id = actor.id and resolved_at is null) as dead_letters`;

export interface StoredActorRow {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly state_entered_at: number;
  readonly created_at: number;
  readonly sequence: number;
  readonly merchant_id: string | null;
  readonly next_timer: TimerInfo | null;
  readonly dead_letters: number;
}

export function toListedActor(row: StoredActorRow, subjects: ReadonlyMap<string, ActorSubject>): ListedActor {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    merchantId: row.merchant_id,
    subject: subjects.get(row.id) ?? null,
    since: row.state_entered_at,
    createdAt: row.created_at,
    steps: row.sequence,
    nextTimer: row.next_timer,
    deadLetters: row.dead_letters,
  };
}

/** Merchant ids by actor id, for those of these actors that belong to a merchant. One statement. */
export async function readMerchantsOf(
  db: Kysely<Database>,
  actors: readonly { readonly actorId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(actors.map(({ actorId }) => actorId))];
  if (ids.length === 0) return new Map();
  const rows = await readByIndex(db, async (trx) => {
    const found = await sql<{ id: string; merchant_id: string | null }>`
      select actor.id, ${merchantOfActor} as merchant_id from actor where actor.id = any(${ids}::text[])`.execute(trx);
    return found.rows;
  });
  return new Map(rows.flatMap(({ id, merchant_id: merchantId }) => (merchantId === null ? [] : [[id, merchantId]])));
}
