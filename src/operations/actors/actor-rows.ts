import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deliveryMachine, scheduleMachine, transactionMachine } from '../../../machines/index.ts';
import { ORDER_NAME } from '../../payments/index.ts';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import type { ActorSubject, ListedActor } from '../types.ts';
import { merchantOfActor } from './predicate.ts';

/**
 * The columns of `actor` that a list shows, with its next timer and its
 * number of open dead letters.
 */
export const actorColumns: RawBuilder<unknown> = sql`
  actor.id, actor.kind, actor.state, ${merchantOfActor} as "merchantId", actor.state_entered_at as "stateEnteredAt",
  actor.created_at as "createdAt", actor.sequence,
  (select json_build_object('name', name, 'dueAt', floor(extract(epoch from due_at) * 1000),
      'firesAt', floor(extract(epoch from fires_at) * 1000), 'gate', gate, 'height', height)
    from timer where timer.actor_id = actor.id order by fires_at nulls last, name limit 1) as "nextTimer",
  (select count(*) from dead_letter where dead_letter.actor_id = actor.id and resolved_at is null) as "deadLetters"`;

/** Named like its columns, because an alert names the one that is unreadable. */
export interface StoredActorRow extends Omit<ListedActor, 'subject' | 'since' | 'steps'> {
  readonly stateEnteredAt: number;
  readonly sequence: number;
}

export function toListedActor(row: StoredActorRow, subjects: ReadonlyMap<string, ActorSubject>): ListedActor {
  const { stateEnteredAt: since, sequence: steps, ...actor } = row;
  return { ...actor, subject: subjects.get(row.id) ?? null, since, steps };
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

/**
 * What these actors of one kind are about, by their ids; actors without a row of their feature are
 * left out. One statement, of at most a page of ids.
 */
export async function readSubjectsOf(
  db: Kysely<Database>,
  kind: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ActorSubject>> {
  const about = SUBJECTS[kind];
  if (about === undefined || ids.length === 0) return new Map();
  const { rows } = await readByIndex(db, (trx) =>
    sql<ActorSubject & { readonly id: string }>`
      select about.*, merchant.name as "merchantName" from (${about} where about.id = any(${ids}::text[])) as about
      join merchant on merchant.id = about.merchant_id`.execute(trx),
  );
  return new Map(
    rows.map(({ id, merchantName, mode, amountFiat, currencyFiat, amountCrypto, crypto, label }) => [
      id,
      { merchantName, mode, amountFiat, currencyFiat, amountCrypto, crypto, label },
    ]),
  );
}

// Helpers

const SUBJECTS: Readonly<Record<string, RawBuilder<unknown>>> = {
  [transactionMachine.id]: sql`
    select id, merchant_id, mode, amount_fiat as "amountFiat", currency_fiat as "currencyFiat",
      amount_crypto as "amountCrypto", crypto, ${ORDER_NAME} as label
    from transaction_terms as about`,
  [scheduleMachine.id]: sql`
    select id, merchant_id, mode, amount_fiat as "amountFiat", currency_fiat as "currencyFiat",
      null as "amountCrypto", crypto, coalesce(reference, description) as label
    from schedule as about`,
  // The path and query of an endpoint may hold a token.
  [deliveryMachine.id]: sql`
    select about.id, endpoint.merchant_id, event.mode, null as "amountFiat", null as "currencyFiat",
      null as "amountCrypto", null as crypto,
      about.event || ' to ' || substring(endpoint.url from '//([^/?]+)') as label
    from webhook_delivery as about
    join webhook_endpoint as endpoint on endpoint.id = about.endpoint_id
    join webhook_event as event on event.id = about.webhook_event_id`,
};
