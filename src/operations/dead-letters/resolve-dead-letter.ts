import { beginAction, settleAction } from '../actions/action-log.ts';
import { requireReason } from '../actions/operator-events.ts';
import type { Operator } from '../types.ts';
import { type DeadLetterDeps, dismissDeadLetter, retryDeadLetter } from './dead-letters.ts';

export interface DeadLetterRequest {
  readonly what: 'retry' | 'dismiss';
  readonly reason: string;
  /** Idempotency key of the request. */
  readonly requestId: string;
}

/**
 * Retries or dismisses a dead letter and records operator and reason. Throws
 * `DEAD_LETTER_NOT_FOUND`, `INVALID_REASON` and `REQUEST_REUSED`.
 */
export async function resolveDeadLetter(
  deps: DeadLetterDeps,
  operator: Operator,
  letterId: string,
  { what, reason, requestId }: DeadLetterRequest,
): Promise<{ outcome: 'settled' | 'failed' }> {
  const { db, clock } = deps;
  const action = {
    requestId,
    who: operator.userId,
    what: what === 'retry' ? 'dead_letter.retried' : 'dead_letter.dismissed',
    subjectId: letterId,
    details: {},
    reason: requireReason(reason),
  } as const;
  const { outcome: earlier } = await beginAction(db, action, clock.now());
  if (earlier === 'settled' || earlier === 'failed') return { outcome: earlier };
  const outcome = what === 'retry' ? await retryDeadLetter(deps, letterId) : await dismiss(deps, letterId);
  await settleAction(db, requestId, { outcome, now: clock.now() });
  return { outcome };
}

// Helpers

async function dismiss(deps: DeadLetterDeps, letterId: string): Promise<'settled'> {
  await dismissDeadLetter(deps, letterId);
  return 'settled';
}
