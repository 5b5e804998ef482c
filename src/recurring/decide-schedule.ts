import type { Kysely } from 'kysely';
import { MAX_CONFIRMATIONS, type ScheduleStatus } from '../../machines/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/index.ts';
import type { Engine } from '../platform/engine/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { requireRoomFor } from './admit-recipients.ts';
import { DECISION_EVENTS, type ScheduleDecision, type ScheduleView } from './schedule.ts';
import { getSchedule, requireSchedule, type ScheduleRow } from './schedule-rows.ts';

export interface DecideDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliver'>;
  readonly clock: Clock;
  /** Emails that each merchant may send within 24 hours to customers who have not confirmed. */
  readonly maxUnconfirmed: number;
}

/**
 * Carries out a merchant's decision and returns the schedule afterwards. Throws
 * `SCHEDULE_NOT_FOUND`, `INVALID_STATE` when its status does not allow the decision, and
 * `RECIPIENT_LIMIT_REACHED`. `by` is the id of the user, for the audit log; null for a request with
 * an API key.
 */
export async function decideSchedule(
  deps: DecideDeps,
  scope: Scope,
  scheduleId: string,
  decision: ScheduleDecision,
  by: string | null = null,
): Promise<ScheduleView> {
  const row = await requireSchedule(deps.db, scope, scheduleId);
  // Checked first, so that a rejection leaves no journal entry; in a race the chart rejects.
  if (!isTimeFor(decision, row)) throw rejected(decision, row);
  if (decision === 'resend-confirmation' && row.mode === 'live') {
    const { clock, db, maxUnconfirmed } = deps;
    const to = { customerEmail: row.customer_email, merchantId: row.merchant_id };
    await requireRoomFor(db, to, { now: clock.now(), maxUnconfirmed });
  }
  const { outcome } = await deps.engine.deliver({
    actorId: scheduleId,
    eventId: `merchant:${newId('req')}`,
    event: { type: DECISION_EVENTS[decision], ...(by === null ? {} : { by }) },
  });
  const after = await requireSchedule(deps.db, scope, scheduleId);
  if (outcome !== 'applied') throw rejected(decision, after);
  return getSchedule(deps, scope, scheduleId);
}

// Helpers

const POSSIBLE_IN: { readonly [D in ScheduleDecision]: readonly ScheduleStatus[] } = {
  pause: ['active'],
  resume: ['paused'],
  cancel: ['pending_confirmation', 'active', 'paused'],
  'resend-confirmation': ['pending_confirmation'],
};

function isTimeFor(decision: ScheduleDecision, { status, confirmations_sent: sent }: ScheduleRow): boolean {
  return POSSIBLE_IN[decision].includes(status) && (decision !== 'resend-confirmation' || sent < MAX_CONFIRMATIONS);
}

const NEEDS: { readonly [D in ScheduleDecision]: string } = {
  pause: 'Only an active schedule can be paused',
  resume: 'Only a paused schedule can be resumed',
  cancel: 'Only a schedule that has not ended can be cancelled',
  'resend-confirmation': 'Only a schedule that is awaiting confirmation can resend its email',
};

function rejected(decision: ScheduleDecision, { status }: ScheduleRow): TerminalError {
  if (decision === 'resend-confirmation' && status === 'pending_confirmation') {
    const message = `The customer was asked ${MAX_CONFIRMATIONS} times, the maximum`;
    return new TerminalError('INVALID_STATE', message);
  }
  return new TerminalError('INVALID_STATE', `${NEEDS[decision]}; this one is ${status}`);
}
