import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { beginAction, settleAction } from '../actions/action-log.ts';
import { buildOperatorEvent, requireReason } from '../actions/operator-events.ts';
import { leavesOf } from '../actors/charts.ts';
import type { OperationsDeps } from '../actors/population.ts';
import { actorPredicate } from '../actors/predicate.ts';
import type { ActorFilter, Operator } from '../types.ts';
import { getRun, type Run, type RunTask } from './run.ts';

/**
 * The items of a run: events go to the actors that match a filter, retries to all open dead
 * letters or those of one queue.
 */
export type RunPlan = {
  readonly reason: string;
  /** Idempotency key of the run. */
  readonly requestId: string;
} & (
  | { readonly task: Extract<RunTask, { what: 'send_event' }>; readonly filter: ActorFilter }
  | { readonly task: Extract<RunTask, { what: 'retry_dead_letter' }>; readonly filter: null }
);

/**
 * Maximum number of items of a run. A filter that matches more is rejected; of dead letters, the
 * oldest are used.
 */
const MAX_ITEMS = 10_000;

/**
 * Records what a run would do, without doing it. Each item is stored, for an actor with its current
 * step, so that the run skips actors that have moved on since. Throws what `leavesOf` and
 * `buildOperatorEvent` throw, `NOTHING_TO_DO`, `TOO_MANY_ITEMS` and `REQUEST_REUSED`.
 */
export async function planRun(deps: OperationsDeps, operator: Operator, plan: RunPlan): Promise<Run> {
  const { db, clock } = deps;
  const { task, filter, requestId } = plan;
  const reason = requireReason(plan.reason);
  if (filter !== null) {
    leavesOf(deps.kinds, filter.kind, filter.state);
    buildOperatorEvent({ kind: filter.kind }, { ...task, reason }, operator.userId);
  }
  const id = newId('req');
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql`
        insert into operation_run (id, request_id, who, task, filter, reason, state, total, created_at)
        values (${id}, ${requestId}, ${operator.userId}, ${JSON.stringify(task)}::jsonb, ${JSON.stringify(filter)}::jsonb,
          ${reason}, 'planned', 0, ${new Date(clock.now())})
        on conflict (request_id) do nothing returning id`.execute(trx);
    if (rows.length === 0) return;
    const total = await writeItems(trx, deps, id, plan);
    requireSize(total);
    await sql`update operation_run set total = ${total} where id = ${id}`.execute(trx);
    await recordRun(trx, { id, total, now: clock.now(), who: operator.userId, plan: { ...plan, reason } });
  });
  const run = await getRun(db, { requestId });
  const isSame = run.who === operator.userId && run.reason === reason;
  if (isSame && isDeepStrictEqual([run.task, run.filter], [task, filter])) return run;
  throw new TerminalError(
    'REQUEST_REUSED',
    'requestId was already used for another run; generate a new one for each run',
    {
      field: 'requestId',
    },
  );
}

// Helpers

async function writeItems(
  trx: Transaction<Database>,
  { kinds, clock }: OperationsDeps,
  runId: string,
  plan: RunPlan,
): Promise<number> {
  // Archived actors are left out, because they accept no more events.
  const [found, limit] =
    plan.filter !== null
      ? [
          sql`
        select id as subject_id, sequence as expected_sequence, state_entered_at as sort_time from actor
        where state = any(${leavesOf(kinds, plan.filter.kind, plan.filter.state)}::text[])
          and ${actorPredicate(plan.filter, clock.now())}`,
          MAX_ITEMS + 1,
        ]
      : [openDeadLetters(plan.task.queue ?? null), MAX_ITEMS];
  const { numAffectedRows } = await sql`
    insert into operation_item (run_id, position, subject_id, expected_sequence)
    select ${runId}, row_number() over (order by sort_time, subject_id), subject_id, expected_sequence
    from (${found} order by sort_time, subject_id limit ${limit}) as found`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

function openDeadLetters(queue: string | null) {
  return sql`
    select id::text as subject_id, null::int8 as expected_sequence, created_at as sort_time from dead_letter
    where resolved_at is null and (${queue}::text is null or queue = ${queue})`;
}

interface RecordedRun {
  readonly id: string;
  readonly total: number;
  readonly now: UnixMs;
  readonly who: string;
  readonly plan: RunPlan;
}

/** A run is also listed among the operator actions. */
async function recordRun(trx: Transaction<Database>, { id, total, now, who, plan }: RecordedRun): Promise<void> {
  const { task, filter, reason, requestId } = plan;
  const what = task.what === 'send_event' ? 'events.planned' : 'dead_letters.retry_planned';
  const { what: _, ...requested } = task;
  const details = { total, ...requested, ...(filter === null ? {} : { filter }) };
  await beginAction(trx, { requestId, who, what, subjectId: id, details, reason }, now);
  await settleAction(trx, requestId, { outcome: 'planned', now });
}

function requireSize(total: number): void {
  if (total === 0) throw new TerminalError('NOTHING_TO_DO', 'The filter matches no actors');
  if (total <= MAX_ITEMS) return;
  throw new TerminalError('TOO_MANY_ITEMS', `A run can have at most ${MAX_ITEMS} items; narrow the filter`);
}
