import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beginAction, type OperatorActionKind, settleAction } from '../actions/action-log.ts';
import type { OperationsDeps } from '../actors/population.ts';
import type { Operator } from '../types.ts';
import { getRun, moveRun, type Run, type RunMove } from './run.ts';

const ACTION_KINDS: Readonly<Record<RunMove, OperatorActionKind>> = {
  start: 'run.started',
  pause: 'run.paused',
  cancel: 'run.cancelled',
};

/**
 * Starts, pauses or cancels a run and records the operator, who need not be the one that
 * planned it. The recorded reason is that of the plan. A request without effect is not
 * recorded. Throws what `moveRun` throws.
 */
export function moveRunAsOperator(
  { db, clock }: Pick<OperationsDeps, 'db' | 'clock'>,
  operator: Operator,
  runId: string,
  move: RunMove,
): Promise<Run> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    await sql`select id from operation_run where id = ${runId} for update`.execute(trx);
    const before = await getRun(trx, { runId });
    const run = await moveRun(trx, runId, move, now);
    if (run.state === before.state) return run;
    const requestId = randomUUID();
    const { reason, total } = run;
    const action = {
      requestId,
      who: operator.userId,
      what: ACTION_KINDS[move],
      subjectId: runId,
      details: { total },
      reason,
    };
    await beginAction(trx, action, now);
    await settleAction(trx, requestId, { outcome: 'done', now });
    return run;
  });
}
