import type { Kysely } from 'kysely';
import type { ScheduleStatus, UnixMs } from '../../machines/index.ts';
import { auditRequest, type RequestAuthor } from '../merchants/index.ts';
import { type ClockMove, clockTarget, moveClockTo, rejectClockMove, type Scope } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/index.ts';
import { dueTimersOf, type Engine, readClockOffset, timerCommand } from '../platform/engine/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { isoTime } from '../platform/iso-time.ts';
import type { ScheduleSimulation, ScheduleSimulationName, ScheduleView } from './schedule.ts';
import { getSchedule, requireSchedule } from './schedule-rows.ts';

export interface SimulateScheduleDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliver'>;
  readonly clock: Clock;
}

/**
 * Test clock and simulated customer of one schedule; returns the schedule afterwards. Advancing
 * affects only the schedule's own clock, which never goes back; everything due in between happens
 * at its time and in its order. Throws `SCHEDULE_NOT_FOUND`, `FORBIDDEN` for a live schedule,
 * `INVALID_REQUEST` for a time out of range, `INVALID_STATE` when the customer cannot do this now.
 * `author` is the user, for the audit log; null for API clients.
 */
export async function simulateSchedule(
  deps: SimulateScheduleDeps,
  scope: Scope,
  scheduleId: string,
  simulation: ScheduleSimulation,
  author: RequestAuthor | null = null,
): Promise<ScheduleView> {
  const { mode, status } = await requireSchedule(deps.db, scope, scheduleId);
  if (mode !== 'test') throw new TerminalError('FORBIDDEN', 'Only schedules of test keys can be simulated');
  const { action } = simulation;
  if (action !== 'advance_clock') {
    rejectClockMove(action, simulation);
    if (!POSSIBLE_IN[action].includes(status)) throw rejected(action, status);
  }
  if (author !== null) {
    const entry = { merchantId: scope.merchantId, what: 'schedule.simulated', subjectId: scheduleId } as const;
    const { to } = simulation;
    const details = { ...simulation, ...(to === undefined ? {} : { to: isoTime(to) }) };
    await auditRequest(deps.db, author, { ...entry, details });
  }
  if (action === 'advance_clock') {
    await advance(deps, scheduleId, simulation);
  } else {
    const command = { actorId: scheduleId, eventId: `simulate:${newId('req')}`, event: { type: EVENTS[action] } };
    const { outcome } = await deps.engine.deliver(command);
    if (outcome !== 'applied') throw rejected(action, status);
  }
  return getSchedule(deps, scope, scheduleId);
}

// Helpers

type CustomerAction = Exclude<ScheduleSimulationName, 'advance_clock'>;

const EVENTS: { readonly [A in CustomerAction]: string } = {
  confirm: 'customer.confirmed',
  stop: 'customer.stopped',
  bounce: 'mail.bounced',
};

const POSSIBLE_IN: { readonly [A in CustomerAction]: readonly ScheduleStatus[] } = {
  confirm: ['pending_confirmation'],
  stop: ['pending_confirmation', 'active', 'paused'],
  bounce: ['pending_confirmation', 'active', 'paused'],
};

function rejected(action: string, status: ScheduleStatus): TerminalError {
  return new TerminalError('INVALID_STATE', `${action} is not possible while the schedule is ${status}`);
}

/**
 * More timers than a weekly schedule sets in one call; more than that means a loop in the chart.
 */
const MAX_TIMERS = 1_000;

async function advance(deps: SimulateScheduleDeps, scheduleId: string, move: ClockMove): Promise<void> {
  const clock = { now: deps.clock.now(), offsetMs: await readClockOffset(deps.db, scheduleId) };
  const target = clockTarget(move, clock);
  for (let fired = 0; fired < MAX_TIMERS; fired += 1) {
    const next = await nextTimer(deps, scheduleId, target);
    await moveClockTo(deps, scheduleId, next?.dueAt ?? target);
    if (next === null) return;
    await deps.engine.deliver(timerCommand(next));
  }
  throw new Error('the timers of a schedule do not end');
}

/** The first timer due by `until`, in the schedule's own time; null without one. */
async function nextTimer({ db }: SimulateScheduleDeps, actorId: string, until: UnixMs) {
  const [first] = await dueTimersOf(db, { actorId, now: until - (await readClockOffset(db, actorId)) });
  return first ?? null;
}
