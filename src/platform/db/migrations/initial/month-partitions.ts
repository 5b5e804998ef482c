/**
 * Functions to create and drop partitions by month. They run with the rights of the table owner, so
 * that the service's role needs none, and work only on the partitioned tables of this schema.
 */
export function monthPartitions(searchPath: string): readonly string[] {
  return [
    // Returns the number of rows moved from the default partition to the new ones. On a lock
    // timeout everything is rolled back, and the next call retries. A new partition grants no
    // privileges, whatever the owner's default privileges: it is accessed through its parent table.
    `create function make_month_partitions(parent text, earliest timestamptz, latest timestamptz) returns int8
    language plpgsql security definer ${searchPath} set lock_timeout = '2s' as $make$
    declare
      key text;
      month timestamp;
      name text;
      lower_bound text;
      upper_bound text;
      moved int8;
      total int8 := 0;
      holder text;
    begin
      select attname into strict key from pg_partitioned_table
        join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
      where partrelid = (quote_ident(current_schema()) || '.' || quote_ident(parent))::regclass;
      perform pg_advisory_xact_lock(hashtext('month partitions of ' || parent));
      for month in execute format(
        'select generate_series(date_trunc(''month'', $1 at time zone ''UTC''), $2 at time zone ''UTC'', ''1 month'')
        union select date_trunc(''month'', %I at time zone ''UTC'') from %I order by 1', key, parent || '_default')
        using earliest, latest
      loop
        name := parent || to_char(month, '_YYYY_MM');
        continue when to_regclass(quote_ident(name)) is not null;
        lower_bound := to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00';
        upper_bound := to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00';
        -- First of all, so that nothing comes into the default partition behind the move.
        execute format('lock table only %I in access exclusive mode', parent || '_default');
        execute format('create table %I (like %I including all)', name, parent);
        for holder in
          select distinct case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end
          from pg_class cross join aclexplode(relacl) where pg_class.oid = quote_ident(name)::regclass and grantee <> relowner
        loop
          execute format('revoke all on %I from %s', name, holder);
        end loop;
        execute format('with gone as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from gone',
          parent || '_default', key, lower_bound, key, upper_bound, name);
        get diagnostics moved = row_count;
        total := total + moved;
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, lower_bound, upper_bound);
      end loop;
      return total;
    end $make$`,

    // Returns the names of the dropped partitions. One that is in use is left to the next call.
    // Only attempts are dropped with their rows, when they are old enough. Others must be empty,
    // which is checked again under the lock, so the partition must be small: vacuum has truncated
    // one that was emptied. In an older snapshot, rows inserted since would be invisible, and it
    // would seem empty.
    `create function drop_month_partitions(parent text, before timestamptz, only_empty boolean) returns text[]
    language plpgsql security definer ${searchPath} set lock_timeout = '500ms' as $drop$
    declare
      name text;
      has_rows boolean;
      dropped text[] := '{}';
    begin
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'partitions are dropped in a transaction that is read committed';
      end if;
      if only_empty is not true and (parent <> 'webhook_attempt' or before > now() - interval '6 days') then
        raise exception 'only attempts are dropped with their rows, after 6 days at least' using errcode = 'insufficient_privilege';
      end if;
      for name in
        select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent = (quote_ident(current_schema()) || '.' || quote_ident(parent))::regclass
          and relname ~ ('^' || parent || '_[0-9]{4}_[0-9]{2}$')
          and (to_timestamp(right(relname, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC' <= before
        order by relname
      loop
        if only_empty then
          continue when pg_relation_size(quote_ident(name)::regclass) > 8388608;
          execute format('select exists (select from %I)', name) into has_rows;
          continue when has_rows;
        end if;
        begin
          -- The parent first, in the order in which all others lock.
          execute format('lock table only %I in access exclusive mode', parent);
          execute format('lock table only %I in access exclusive mode', name);
          if only_empty then
            execute format('select exists (select from %I)', name) into has_rows;
          end if;
          if not only_empty or not has_rows then
            execute format('drop table %I', name);
            dropped := dropped || name;
          end if;
        exception when lock_not_available then
          null;
        end;
      end loop;
      return dropped;
    end $drop$`,

    // Operators grant execution to the service's role; no other role needs it.
    `revoke execute on function make_month_partitions(text, timestamptz, timestamptz) from public`,
    `revoke execute on function drop_month_partitions(text, timestamptz, boolean) from public`,
  ];
}
