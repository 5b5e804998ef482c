import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { invalidCursor } from '../../platform/errors.ts';
import { type OperatorAction, REJECTED } from './action-log.ts';

/** An action that an operator performed or requested. */
export interface ListedAction extends Omit<OperatorAction, 'who'> {
  /** Current email; null when the login no longer exists. */
  readonly who: { readonly userId: string; readonly email: string | null };
  readonly requestedAt: UnixMs;
  /** Null while the outcome is not known. */
  readonly outcome: string | null;
}

export interface ActionPage {
  readonly actions: readonly ListedAction[];
  readonly cursor: string | null;
}

export interface ActionListRequest {
  /** User id or email of an operator; null for all. */
  readonly who: string | null;
  /** As the previous page returned it; null for the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

export const MAX_ACTIONS_PER_PAGE = 200;

/**
 * Operator actions, newest first; within one millisecond, by descending transaction
 * id. Throws `INVALID_CURSOR`.
 */
export async function listActions(
  db: Kysely<Database>,
  { who, cursor, limit }: ActionListRequest,
): Promise<ActionPage> {
  const pageSize = Math.min(limit, MAX_ACTIONS_PER_PAGE);
  const isTheirs =
    who === null
      ? sql`true`
      : sql`action.who = any(array(
          select id from merchant_user where lower(email) = lower(${who}) union all select ${who}::text))`;
  const isBefore =
    cursor === null
      ? sql`true`
      : sql`(action.asked_at, action.inserted_xid, action.request_id) < (
          select asked_at, inserted_xid, request_id from operator_action
          where request_id = ${readCursor(cursor)})`;
  const { rows } = await sql<ListedAction>`
      select request_id as "requestId", json_build_object('userId', action.who, 'email', person.email) as who, what,
        subject_id as "subjectId", details, reason, asked_at as "requestedAt",
        outcome || case when done > 0 and starts_with(outcome, ${REJECTED}) then '; ' || done || ' migrated' else '' end as outcome
      from (
        select * from operator_action as action where ${isTheirs} and ${isBefore}
        order by ${NEWEST_FIRST} limit ${pageSize + 1}
      ) as action
      left join merchant_user as person on person.id = action.who
      order by ${NEWEST_FIRST}`.execute(db);
  const actions = rows.slice(0, pageSize);
  return { actions, cursor: rows.length > pageSize ? (actions.at(-1)?.requestId ?? null) : null };
}

// Helpers

/** Transaction ids increase. */
const NEWEST_FIRST = sql`asked_at desc, inserted_xid desc, request_id desc`;

function readCursor(cursor: string): string {
  if (/^[\w-]{1,100}$/.test(cursor)) return cursor;
  throw invalidCursor();
}
