import { ID, QUEUE } from './storage.ts';

/**
 * Counts of actors by state and of payments by what their lists filter for. Triggers of the writing
 * statements keep them, so that no writer can omit it.
 */
export const counts: readonly string[] = [
  // Two commits that update the same row block each other, and two that update several in different
  // orders deadlock. So a commit locks a slot that no other is using until it ends. If all are
  // taken, it waits for one while holding none. The number distinguishes these advisory locks from
  // others: "tran" in ASCII.
  `create function take_count_slot() returns int4 language plpgsql as $slot$
    declare
      first int4 := pg_backend_pid() % 16;
      place int4;
    begin
      for step in 0..15 loop
        place := (first + step) % 16;
        if pg_try_advisory_xact_lock(1953653102, place) then
          return place;
        end if;
      end loop;
      perform pg_advisory_xact_lock(1953653102, first);
      return first;
    end $slot$`,

  `create table actor_count (
    kind ${ID} not null,
    state ${ID} not null,
    slot int4 not null,
    actors int8 not null,
    primary key (kind, state, slot)
  ) with (fillfactor = 50, ${QUEUE})`,
  actorCounter('count_actors', {
    change: 'actors',
    changes: 'select kind, state, count(*) as actors from new_rows group by kind, state',
  }),
  actorCounter('recount_actors', {
    change: 'actors',
    changes: `
        select kind, state, sum(change) as actors
        from (
          select kind, state, 1 as change from new_rows union all select kind, state, -1 from old_rows
        ) as moves
        group by kind, state having sum(change) <> 0
      `,
  }),
  actorCounter('uncount_actors', {
    change: '-actors',
    changes: 'select kind, state, count(*) as actors from old_rows group by kind, state',
  }),
  ...triggers('actor', 'actors'),
  // Archiving an actor decrements one count and increments the other in one commit.
  `create trigger archived_actor_inserted after insert on archived_actor referencing new table as new_rows
    for each statement execute function count_actors()`,
  `create trigger archived_actor_deleted after delete on archived_actor referencing old table as old_rows
    for each statement execute function uncount_actors()`,

  // An empty exception stands for none.
  `create table transaction_count (
    merchant_id ${ID} not null,
    mode ${ID} not null,
    status ${ID} not null,
    crypto ${ID} not null,
    exception ${ID} not null,
    slot int4 not null,
    transactions int8 not null,
    primary key (merchant_id, mode, status, crypto, exception, slot)
  ) with (fillfactor = 50, ${QUEUE})`,
  transactionCounter(
    'count_transactions',
    `select merchant_id, mode, status, crypto, coalesce(exception, ''), place, count(*) from new_rows
      group by merchant_id, mode, status, crypto, exception`,
  ),
  transactionCounter(
    'recount_transactions',
    `select merchant_id, mode, status, crypto, exception, place, sum(change)
      from (
        select merchant_id, mode, status, crypto, coalesce(exception, '') as exception, 1 as change from new_rows
        union all
        select merchant_id, mode, status, crypto, coalesce(exception, ''), -1 from old_rows
      ) as changes
      group by merchant_id, mode, status, crypto, exception
      having sum(change) <> 0`,
  ),
  transactionCounter(
    'uncount_transactions',
    `select merchant_id, mode, status, crypto, coalesce(exception, ''), place, -count(*) from old_rows
      group by merchant_id, mode, status, crypto, exception`,
  ),
  ...triggers('transaction_status', 'transactions'),
];

// Helpers

function actorCounter(name: string, { change, changes }: { change: string; changes: string }): string {
  return `create function ${name}() returns trigger language plpgsql as $count$
    begin
      insert into actor_count as counted (kind, state, slot, actors)
      select kind, state, place, ${change}
      from (${changes}) as changes
      cross join (select take_count_slot() as place) as slot
      order by kind, state
      on conflict (kind, state, slot) do update set actors = counted.actors + excluded.actors;
      return null;
    end $count$`;
}

function transactionCounter(name: string, changes: string): string {
  return `create function ${name}() returns trigger language plpgsql as $count$
    declare
      place int4 := take_count_slot();
    begin
      insert into transaction_count as counted (merchant_id, mode, status, crypto, exception, slot, transactions)
      ${changes}
      order by merchant_id, mode, status, crypto, exception
      on conflict (merchant_id, mode, status, crypto, exception, slot)
      do update set transactions = counted.transactions + excluded.transactions;
      return null;
    end $count$`;
}

/** The rows of `table` before and after a statement go to the functions that count `what`. */
function triggers(table: string, what: string): readonly string[] {
  return [
    `create trigger ${table}_inserted after insert on ${table} referencing new table as new_rows
      for each statement execute function count_${what}()`,
    `create trigger ${table}_updated after update on ${table} referencing old table as old_rows new table as new_rows
      for each statement execute function recount_${what}()`,
    `create trigger ${table}_deleted after delete on ${table} referencing old table as old_rows
      for each statement execute function uncount_${what}()`,
  ];
}
