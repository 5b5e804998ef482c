import { type Kysely, sql } from 'kysely';

/**
 * Lists with constant cost whatever their length, their totals, and one open payment per shopper.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A keyed hash: the address itself is not kept after the request.
  await sql`alter table transaction add column client_hash text`.execute(db);
  await sql`
    create index transaction_open_client on transaction (merchant_id, mode, client_hash)
    where client_hash is not null and status = 'pending'`.execute(db);

  // A list filtered by status only, or by coin only, merges a few ranges of this index.
  await sql`
    create index transaction_listing_status
    on transaction (merchant_id, mode, status, crypto, created_at desc, id desc)`.execute(db);
  await sql`
    create index transaction_listing_exception
    on transaction (merchant_id, mode, exception, crypto, created_at desc, id desc)
    where exception is not null`.execute(db);
  await sql`
    create index transaction_listing_order on transaction (merchant_id, mode, order_id, created_at desc, id desc)
    where order_id is not null`.execute(db);

  await sql`
    create table transaction_count (
      merchant_id text not null,
      mode text not null,
      status text not null,
      crypto text not null,
      exception text not null,
      slot int4 not null,
      transactions int8 not null,
      primary key (merchant_id, mode, status, crypto, exception, slot)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    insert into transaction_count (merchant_id, mode, status, crypto, exception, slot, transactions)
    select merchant_id, mode, status, crypto, coalesce(exception, ''), 0, count(*) from transaction
    group by merchant_id, mode, status, crypto, exception`.execute(db);

  // Two commits that update the same row block each other, and two that update several in different
  // orders deadlock. So a commit locks a slot that no other is using until it ends. If all are
  // taken, it waits for one while holding none. The number distinguishes these advisory locks from
  // others: "tran" in ASCII.
  await sql`
    create function take_count_slot() returns int4 language plpgsql as $slot$
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
    end $slot$`.execute(db);

  // Counted by a trigger of the writing statement, so that no writer can omit it.
  await sql`
    create function count_transactions() returns trigger language plpgsql as $count$
    declare
      place int4 := take_count_slot();
    begin
      insert into transaction_count as counted (merchant_id, mode, status, crypto, exception, slot, transactions)
      select merchant_id, mode, status, crypto, coalesce(exception, ''), place, count(*) from new_rows
      group by merchant_id, mode, status, crypto, exception
      order by merchant_id, mode, status, crypto, exception
      on conflict (merchant_id, mode, status, crypto, exception, slot)
      do update set transactions = counted.transactions + excluded.transactions;
      return null;
    end $count$`.execute(db);
  await sql`
    create function recount_transactions() returns trigger language plpgsql as $count$
    declare
      place int4 := take_count_slot();
    begin
      insert into transaction_count as counted (merchant_id, mode, status, crypto, exception, slot, transactions)
      select merchant_id, mode, status, crypto, exception, place, sum(change)
      from (
        select merchant_id, mode, status, crypto, coalesce(exception, '') as exception, 1 as change from new_rows
        union all
        select merchant_id, mode, status, crypto, coalesce(exception, ''), -1 from old_rows
      ) as changes
      group by merchant_id, mode, status, crypto, exception
      having sum(change) <> 0
      order by merchant_id, mode, status, crypto, exception
      on conflict (merchant_id, mode, status, crypto, exception, slot)
      do update set transactions = counted.transactions + excluded.transactions;
      return null;
    end $count$`.execute(db);
  await sql`
    create function uncount_transactions() returns trigger language plpgsql as $count$
    declare
      place int4 := take_count_slot();
    begin
      insert into transaction_count as counted (merchant_id, mode, status, crypto, exception, slot, transactions)
      select merchant_id, mode, status, crypto, coalesce(exception, ''), place, -count(*) from old_rows
      group by merchant_id, mode, status, crypto, exception
      order by merchant_id, mode, status, crypto, exception
      on conflict (merchant_id, mode, status, crypto, exception, slot)
      do update set transactions = counted.transactions + excluded.transactions;
      return null;
    end $count$`.execute(db);
  await sql`
    create trigger transaction_inserted after insert on transaction referencing new table as new_rows
    for each statement execute function count_transactions()`.execute(db);
  await sql`
    create trigger transaction_updated after update on transaction referencing old table as old_rows new table as new_rows
    for each statement execute function recount_transactions()`.execute(db);
  await sql`
    create trigger transaction_deleted after delete on transaction referencing old table as old_rows
    for each statement execute function uncount_transactions()`.execute(db);
}
