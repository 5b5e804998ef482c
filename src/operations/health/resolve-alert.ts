import { sql } from 'kysely';
import { TerminalError } from '../../platform/errors.ts';
import { doOnce } from '../actions/action-log.ts';
import { requireReason } from '../actions/operator-events.ts';
import type { DeadLetterDeps } from '../dead-letters/dead-letters.ts';
import type { Operator } from '../types.ts';

/**
 * Resolves an operator alert whose cause has been dealt with, and records operator and reason.
 * Throws `ALERT_NOT_FOUND`, also for one that is resolved, `INVALID_REASON` and `REQUEST_REUSED`.
 */
export async function resolveAlert(
  { db, clock }: Pick<DeadLetterDeps, 'db' | 'clock'>,
  operator: Operator,
  alertId: number,
  { reason, requestId }: { readonly reason: string; readonly requestId: string },
): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<{ alert: string; actor: string | null }>`
    select alert, actor_id as actor from operator_alert where id = ${alertId}`.execute(db);
  const [about] = rows;
  if (about === undefined) throw alertNotFound(alertId);
  const action = {
    requestId,
    who: operator.userId,
    what: 'alert.resolved',
    subjectId: String(alertId),
    details: about,
    reason: requireReason(reason),
  } as const;
  await doOnce(db, action, {
    now,
    async change(trx) {
      const { numAffectedRows } = await sql`
        update operator_alert set resolved_at = ${new Date(now)} where id = ${alertId} and resolved_at is null`.execute(
        trx,
      );
      if (numAffectedRows !== 1n) throw alertNotFound(alertId);
    },
  });
}

// Helpers

function alertNotFound(alertId: number): TerminalError {
  return new TerminalError('ALERT_NOT_FOUND', `There is no open alert ${alertId}`);
}
