import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { ActorFilter } from '../types.ts';

/** What a run does to each of its items. */
export type RunTask =
  | { readonly what: 'send_event'; readonly type: string; readonly fields: Readonly<Record<string, unknown>> }
  /** All open dead letters, or those of one queue. */
  | { readonly what: 'retry_dead_letter'; readonly queue?: string };

/**
 * - planned     its items are recorded; nothing has been done
 * - running     a worker processes its items, a batch at a time
 * - paused      no items are processed until it is started again
 * - cancelled   the remaining items will not be processed
 * - done        every item has an outcome
 */
export type RunState = 'planned' | 'running' | 'paused' | 'cancelled' | 'done';

/** A bulk run: one task for many items, as planned. */
export interface Run {
  readonly id: string;
  readonly who: string;
  readonly task: RunTask;
  /** Null for dead letters. */
  readonly filter: ActorFilter | null;
  readonly reason: string;
  readonly state: RunState;
  readonly total: number;
  /** Number of items by outcome; open items are not included. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly createdAt: UnixMs;
  /** Time of the latest change. */
  readonly updatedAt: UnixMs;
  readonly endedAt: UnixMs | null;
}

/** One run, by its id or by the id of the request that planned it. Throws `RUN_NOT_FOUND`. */
export async function getRun(
  db: Kysely<Database>,
  named: { readonly runId: string } | { readonly requestId: string },
): Promise<Run> {
  const isNamed = 'runId' in named ? sql`id = ${named.runId}` : sql`request_id = ${named.requestId}`;
  const { rows } = await sql<Run>`select ${runColumns} from operation_run where ${isNamed}`.execute(db);
  if (rows[0] === undefined) throw new TerminalError('RUN_NOT_FOUND', 'Run not found');
  return rows[0];
}

const NEWEST_RUNS = 50;

/** The newest runs, newest first. */
export async function listRuns(db: Kysely<Database>): Promise<Run[]> {
  const { rows } = await sql<Run>`
      select ${runColumns} from operation_run order by created_at desc, id desc limit ${NEWEST_RUNS}`.execute(db);
  return rows;
}

/** Moves that operators may make, and from which states. */
const MOVES = {
  start: { from: ['planned', 'paused'], to: 'running' },
  pause: { from: ['running'], to: 'paused' },
  cancel: { from: ['planned', 'running', 'paused'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly RunState[]; to: RunState }>;

export type RunMove = keyof typeof MOVES;

/**
 * Starts, pauses or cancels a run; repeating it changes nothing. A batch in progress is completed.
 * Throws `RUN_NOT_FOUND`, and `INVALID_STATE` when the run has ended.
 */
export async function moveRun(db: Kysely<Database>, runId: string, move: RunMove, now: UnixMs): Promise<Run> {
  const { from, to } = MOVES[move];
  const endedAt = to === 'cancelled' ? new Date(now) : null;
  await sql`
      update operation_run set state = ${to}, ended_at = ${endedAt}
      where id = ${runId} and state = any(${from}::text[])`.execute(db);
  const run = await getRun(db, { runId });
  if (run.state === to || (move === 'start' && run.state === 'done')) return run;
  throw new TerminalError('INVALID_STATE', `Cannot ${move} a run that is ${run.state}`);
}

/**
 * Cancels runs that were planned before a given time and are still planned or paused, because their
 * actors have moved on. Returns how many.
 */
export async function cancelForgottenRuns(db: Kysely<Database>, plannedBefore: UnixMs, now: UnixMs): Promise<number> {
  const { numAffectedRows } = await sql`
    update operation_run set state = 'cancelled', ended_at = ${new Date(now)}
    where state in ('planned', 'paused') and created_at < ${new Date(plannedBefore)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

// Helpers

const runColumns = sql`
  id, who, task, filter, reason, state, total, created_at as "createdAt", ended_at as "endedAt",
  greatest(created_at, ended_at, (select max(settled_at) from operation_item where run_id = operation_run.id))
    as "updatedAt",
  coalesce((
    select json_object_agg(outcome, items) from (
      select outcome, count(*) as items from operation_item
      where run_id = operation_run.id and outcome is not null group by outcome
    ) as ended
  ), '{}'::json) as outcomes`;
