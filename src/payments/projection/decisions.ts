import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type AuditedAction, userAuthor, writeAudit } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { isId } from '../../platform/ids.ts';
import { DECISION_EVENTS, type DecisionEvent, isByOperator, isDecision } from '../decide/decision.ts';
import { emailOperatorDecision } from '../decide/email-operator-decision.ts';
import type { TransactionStep } from './transaction-step.ts';

/**
 * Writes the audit entry of each decision in the commit of the decision, so that a crash leaves
 * both or neither; rejected or repeated decisions leave none. Emails the owners when an operator
 * decides. Decisions are rare, so one statement each is fine.
 */
export async function projectDecisions(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  const byOperator = new Map<string, { readonly transactionId: string; readonly now: UnixMs }>();
  for (const { actorId, eventId, event, wallAt: now, outcome, context } of steps) {
    if (outcome !== 'applied' || !isDecision(event)) continue;
    const { merchantId, mode } = context;
    await writeAudit(
      { trx, who: isId('key', event.by) ? `API key ${event.by}` : userAuthor(event.by), now },
      {
        merchantId,
        what: ACTIONS[event.type],
        subjectId: actorId,
        details: event.reason === undefined ? {} : { reason: event.reason },
      },
    );
    if (mode === 'live' && isByOperator(eventId)) byOperator.set(merchantId, { transactionId: actorId, now });
  }
  // In one order for all batches, so that two that run at the same time do not lock each other out.
  for (const [merchantId, decision] of [...byOperator].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await emailOperatorDecision(trx, { merchantId, ...decision });
  }
}

// Helpers

const ACTIONS: { readonly [T in DecisionEvent['type']]: AuditedAction } = {
  [DECISION_EVENTS.mark_paid]: 'payment.marked_paid',
  [DECISION_EVENTS.dismiss]: 'payment.dismissed',
  [DECISION_EVENTS.confirm]: 'payment.confirmed',
  [DECISION_EVENTS.reject]: 'payment.rejected',
};

export const DECISION_ACTIONS: readonly AuditedAction[] = Object.values(ACTIONS);
