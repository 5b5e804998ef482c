import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type AuditedAction, userAuthor, writeAudit } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { DECISION_EVENTS } from '../schedule.ts';
import type { ScheduleAttachment, ScheduleStep } from '../schedule-step.ts';
import { type StoredSchedule, storedScheduleOf } from './stored-schedules.ts';

/**
 * Writes audit entries for what users create and decide, in the commit of the step: a crash keeps
 * both or neither, and rejected or repeated requests leave none. Such steps are rare, so one
 * statement each is enough. `now` is wall-clock time: a test schedule has its own clock.
 */
export async function saveAuditEntries(
  trx: Transaction<Database>,
  steps: readonly ScheduleStep[],
  { schedules, now }: { readonly schedules: ReadonlyMap<string, StoredSchedule>; readonly now: () => UnixMs },
): Promise<void> {
  for (const step of steps) {
    const action = auditedActionOf(step);
    if (action === null) continue;
    const { merchantId, mode } = storedScheduleOf(schedules, step.actorId);
    const entry = { merchantId, what: action.what, subjectId: step.actorId, details: { mode } };
    await writeAudit({ trx, who: userAuthor(action.by), now: now() }, entry);
  }
}

/** Whether a step is an audited action and so needs the row of its schedule. */
export function isAudited(step: ScheduleStep): boolean {
  return auditedActionOf(step) !== null;
}

// Helpers

interface UserAction {
  readonly what: AuditedAction;
  readonly by: string;
}

const ACTIONS: ReadonlyMap<unknown, AuditedAction> = new Map([
  [DECISION_EVENTS.pause, 'schedule.paused'],
  [DECISION_EVENTS.resume, 'schedule.resumed'],
  [DECISION_EVENTS.cancel, 'schedule.cancelled'],
  [DECISION_EVENTS['resend-confirmation'], 'schedule.confirmation_resent'],
]);

function auditedActionOf({ outcome, event, attachment }: ScheduleStep): UserAction | null {
  if (outcome === 'started') {
    // Created by `createSchedule`; the engine passes it through unchanged.
    const { createdBy } = attachment as ScheduleAttachment;
    return createdBy === undefined ? null : { what: 'schedule.created', by: createdBy };
  }
  const what = ACTIONS.get(event.type);
  if (outcome !== 'applied' || what === undefined || !('by' in event) || typeof event.by !== 'string') return null;
  return { what, by: event.by };
}
