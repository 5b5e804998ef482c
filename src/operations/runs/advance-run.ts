import { sql } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import { unnestRows } from '../../platform/db/index.ts';
import type { Engine } from '../../platform/engine/index.ts';
import { findRestingActor } from '../../platform/engine/index.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import { buildOperatorEvent } from '../actions/operator-events.ts';
import { operatorEventId, readEventOutcome } from '../actions/send-event.ts';
import type { OperationsDeps } from '../actors/population.ts';
import { type DeadLetterDeps, retryDeadLetter } from '../dead-letters/dead-letters.ts';
import type { RunTask } from './run.ts';

export interface AdvanceDeps extends OperationsDeps, Pick<DeadLetterDeps, 'bus'> {
  readonly engine: Pick<Engine, 'deliver' | 'deliverIf'>;
  /** Called between performing and recording, where tests end the process. */
  readonly crash?: () => void;
}

/** A run can be paused or cancelled between two batches. */
const BATCH_ITEMS = 50;
/** Delay before the next batch of a run whose batch failed; other runs proceed. */
const PAUSE_AFTER_FAILURE_MS = 30_000;
/** A process that has not finished its batch by then is considered crashed. */
const LEASE_MS = MINUTE_MS;

/**
 * Performs one batch of a running run, under a lease. Each item is an event whose id names the run,
 * or the retry of a dead letter that is then resolved, so a repetition after a crash has no further
 * effect. Resolves with false when there is no run to advance. Rejects with `RetryableError` when
 * the rest must wait; completed items are recorded.
 */
export async function advanceRun(deps: AdvanceDeps): Promise<boolean> {
  const run = await claimRun(deps);
  if (run === null) return false;
  const items = await openItems(deps, run.id);
  const results = await Promise.allSettled(items.map((item) => perform(deps, run, item)));
  deps.crash?.();
  const ended = results.flatMap((result, index) => {
    const item = items[index];
    return result.status === 'fulfilled' && item !== undefined ? [{ position: item.position, ...result.value }] : [];
  });
  await settleItems(deps, run.id, ended);
  const rejected = results.find((result) => result.status === 'rejected');
  const pauseMs = rejected === undefined ? 0 : PAUSE_AFTER_FAILURE_MS;
  await release(deps, run.id, { isOver: items.length < BATCH_ITEMS && ended.length === items.length, pauseMs });
  if (rejected !== undefined) throw rejected.reason;
  return true;
}

// Helpers

interface ClaimedRun {
  readonly id: string;
  readonly who: string;
  readonly task: RunTask;
  readonly reason: string;
}

interface Item {
  readonly position: number;
  readonly subject_id: string;
  readonly expected_sequence: number | null;
}

interface Ended {
  readonly outcome: string;
  readonly detail: string | null;
}

async function claimRun({ db, clock }: AdvanceDeps): Promise<ClaimedRun | null> {
  const now = clock.now();
  const { rows } = await sql<ClaimedRun>`
    update operation_run set leased_until = ${new Date(now + LEASE_MS)}
    where id = (
      select id from operation_run where state = 'running' and leased_until <= ${new Date(now)}
      order by leased_until, created_at, id limit 1 for update skip locked
    )
    returning id, who, task, reason`.execute(db);
  return rows[0] ?? null;
}

async function openItems({ db }: AdvanceDeps, runId: string): Promise<Item[]> {
  const { rows } = await sql<Item>`
    select position, subject_id, expected_sequence from operation_item
    where run_id = ${runId} and outcome is null order by position limit ${BATCH_ITEMS}`.execute(db);
  return rows;
}

/**
 * A permanent failure is the item's outcome; a temporary one is thrown, and the item stays open.
 */
async function perform(deps: AdvanceDeps, run: ClaimedRun, item: Item): Promise<Ended> {
  try {
    return run.task.what === 'send_event'
      ? await sendTo(deps, run, run.task, item)
      : { outcome: await retryDeadLetter(deps, item.subject_id), detail: null };
  } catch (error) {
    if (error instanceof RetryableError) throw error;
    return { outcome: 'refused', detail: messageOf(error) };
  }
}

async function sendTo(
  { db, kinds, engine }: AdvanceDeps,
  run: ClaimedRun,
  task: Extract<RunTask, { what: 'send_event' }>,
  { subject_id: actorId, expected_sequence: expectedSequence }: Item,
): Promise<Ended> {
  const actor = await findRestingActor(db, kinds, actorId);
  if (actor === null || expectedSequence === null) return { outcome: 'unknown_actor', detail: null };
  const event = buildOperatorEvent(
    { kind: actor.kind.name, context: actor.context },
    { ...task, reason: run.reason },
    run.who,
  );
  const eventId = operatorEventId(run.id);
  const { outcome } = await engine.deliverIf({ actorId, eventId, event, expectedSequence });
  // Only this run uses this event id, so a duplicate is its own delivery before a crash.
  const ended = outcome === 'duplicate' ? (await readEventOutcome(db, actorId, eventId)).outcome : outcome;
  return { outcome: ended, detail: null };
}

async function settleItems(
  { db, clock }: AdvanceDeps,
  runId: string,
  ended: readonly (Ended & { readonly position: number })[],
): Promise<void> {
  if (ended.length === 0) return;
  await sql`
    update operation_item set outcome = result.outcome, detail = result.detail, settled_at = ${new Date(clock.now())}
    from ${unnestRows('result', { int4: ['position'], text: ['outcome', 'detail'] }, ended)}
    where run_id = ${runId} and operation_item.position = result.position and operation_item.outcome is null`.execute(
    db,
  );
}

/** Moves the run behind other waiting runs, so that all make progress. */
async function release(
  { db, clock }: AdvanceDeps,
  runId: string,
  { isOver, pauseMs }: { readonly isOver: boolean; readonly pauseMs: number },
): Promise<void> {
  const until = new Date(clock.now() + pauseMs);
  await sql`update operation_run set leased_until = ${until} where id = ${runId}`.execute(db);
  if (!isOver) return;
  await sql`
    update operation_run set state = 'done', ended_at = ${new Date(clock.now())}
    where id = ${runId} and state = 'running'
      and not exists (select from operation_item where run_id = ${runId} and outcome is null)`.execute(db);
}
