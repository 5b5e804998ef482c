import { BY_INDEX } from './storage.ts';

/**
 * Functions that delete old rows of append-only tables. They run with the rights of the table owner
 * and enforce the retention rules themselves, so that the service's role needs no right to delete.
 */
export function expire(searchPath: string): readonly string[] {
  return RULES.flatMap((rule) => expireFunction(rule, searchPath));
}

interface Rule {
  readonly name: string;
  readonly table: string;
  readonly key: readonly string[];
  /**
   * Which rows are older than `before`, by columns that cannot be changed once a row is written.
   */
  readonly isOld: string;
  /** A few days less than the minimum setting, to allow for clock skew. */
  readonly leastDays: number;
}

const RULES: readonly Rule[] = [
  {
    name: 'expire_audit_entries',
    table: 'audit_entry',
    key: ['id'],
    isOld: 'occurred_at < before',
    leastDays: 360,
  },
  {
    name: 'expire_operator_actions',
    table: 'operator_action',
    key: ['request_id'],
    isOld: 'asked_at < before',
    leastDays: 360,
  },
  {
    // An actor's row can be changed until it is archived; its journal cannot. No actor finishes
    // before it is created, because its own time starts then and never runs backwards: so months
    // after the cutoff are not scanned.
    name: 'expire_archived_actors',
    table: 'actor_archive',
    key: ['id', 'created_at'],
    isOld: 'greatest(state_entered_at, last_entry_at) < before and created_at < before',
    leastDays: 390,
  },
];

/**
 * Deletes up to `most` rows written before a given time, and rejects a time within the minimum
 * retention. Returns the first key column of each.
 */
function expireFunction({ name, table, key, isOld, leastDays }: Rule, searchPath: string): readonly string[] {
  const isSame = key.map((column) => `kept.${column} = old.${column}`).join(' and ');
  return [
    `create function ${name}(before timestamptz, most int8) returns setof text
    language plpgsql security definer ${searchPath} ${BY_INDEX} as $expire$
    begin
      if before is null or before > now() - interval '${leastDays} days' then
        raise exception 'rows of ${table} are kept for ${leastDays} days at least' using errcode = 'insufficient_privilege';
      end if;
      return query delete from ${table} as kept using (
        select ${key.join(', ')} from ${table} where ${isOld} limit most for update skip locked
      ) as old where ${isSame} returning kept.${key[0]}::text;
    end $expire$`,
    `revoke execute on function ${name}(timestamptz, int8) from public`,
  ];
}
