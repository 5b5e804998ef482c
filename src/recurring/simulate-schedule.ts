import { type Kysely, sql } from 'kysely';
import { DAY_MS, type ScheduleStatus, type UnixMs } from '../../machines/index.ts';
import { type Asker, auditRequest } from '../merchants/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, whileDatabaseAnswers } from '../platform/db/index.ts';
import {
  dueTimersOf,
  type Engine,
  MAX_CLOCK_OFFSET_MS,
  readClockOffset,
  shiftClock,
  timerCommand,
} from '../platform/engine/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { isoTime } from '../platform/iso-time.ts';
import type { ScheduleSimulation, ScheduleView } from './schedule.ts';
import { getSchedule, requireSchedule } from './schedule-rows.ts';

export interface SimulateScheduleDeps {
  readonly db: Kysely<Database>;
  readonly engine: Pick<Engine, 'deliver'>;
  readonly clock: Clock;
}

/** Maximum advance of the clock per call. */
export const MAX_ADVANCE_MS = 731 * DAY_MS;

/**
 * Test clock and simulated customer of one schedule; returns the schedule afterwards. Advancing
 * affects only the schedule's own clock, which never goes back; everything due in between happens
 * at its time and in its order. Throws `SCHEDULE_NOT_FOUND`, `FORBIDDEN` for a live schedule,
 * `INVALID_REQUEST` for a time out of range, `INVALID_STATE` when the customer cannot do this now.
 * `asker` is the user, for the audit log; null for API clients.
 */
export async function simulateSchedule(
  deps: SimulateScheduleDeps,
  scope: Scope,
  scheduleId: string,
  simulation: ScheduleSimulation,
  asker: Asker | null = null,
): Promise<ScheduleView> {
  const { mode, status } = await requireSchedule(deps.db, scope, scheduleId);
  if (mode !== 'test') throw new TerminalError('FORBIDDEN', 'Only schedules of test keys can be simulated');
  if (simulation.action !== 'advance_to' && !POSSIBLE_IN[simulation.action].includes(status)) {
    throw refused(simulation.action, status);
  }
  if (asker !== null) {
    const entry = { merchantId: scope.merchantId, what: 'schedule.simulated', subjectId: scheduleId } as const;
    await auditRequest(deps.db, asker, { ...entry, details: { ...simulation } });
  }
  if (simulation.action === 'advance_to') {
    await whileDatabaseAnswers(() => advance(deps, scheduleId, simulation.to));
  } else {
    const type = EVENTS[simulation.action];
    const command = { actorId: scheduleId, eventId: `simulate:${newId('req')}`, event: { type } };
    const { outcome } = await deps.engine.deliver(command);
    if (outcome !== 'applied') {
      throw refused(simulation.action, status);
    }
  }
  return getSchedule(deps, scope, scheduleId);
}

// Helpers

const EVENTS = { confirm: 'customer.confirmed', stop: 'customer.stopped', bounce: 'mail.bounced' } as const;

const POSSIBLE_IN: { readonly [A in keyof typeof EVENTS]: readonly ScheduleStatus[] } = {
  confirm: ['pending_confirmation'],
  stop: ['pending_confirmation', 'active', 'paused'],
  bounce: ['pending_confirmation', 'active', 'paused'],
};

function refused(action: string, status: ScheduleStatus): TerminalError {
  return new TerminalError('INVALID_STATE', `${action} is not possible while the schedule is ${status}`);
}

/**
 * More timers than a weekly schedule sets within `MAX_ADVANCE_MS`; more than that means a loop in
 * the chart.
 */
const MAX_TIMERS = 1_000;

async function advance(deps: SimulateScheduleDeps, scheduleId: string, to: string): Promise<void> {
  const target = readTarget(to, deps.clock.now(), await readClockOffset(deps.db, scheduleId));
  for (let fired = 0; fired < MAX_TIMERS; fired += 1) {
    const next = await nextTimer(deps, scheduleId, target);
    await moveClock(deps, scheduleId, next?.dueAt ?? target);
    if (next === null) return;
    await deps.engine.deliver(timerCommand(next));
  }
  throw new Error('the timers of a schedule do not come to an end');
}

function readTarget(to: string, now: UnixMs, offsetMs: number): UnixMs {
  const target = Date.parse(to);
  const present = now + offsetMs;
  const latest = Math.min(present + MAX_ADVANCE_MS, now + MAX_CLOCK_OFFSET_MS);
  if (Number.isFinite(target) && target > present && target <= latest) return target;
  const from = isoTime(present);
  const limit =
    latest > present
      ? `and not after ${isoTime(latest)}: by 731 days in one call, and by 10 years in all`
      : 'and its clock has been moved forward by the 10 years there are; create a new schedule to start over';
  const message = `advance_to must be after ${from}, where the schedule is now, ${limit}`;
  throw new TerminalError('INVALID_REQUEST', message, { field: 'advance_to' });
}

/** The first timer due by `until`, in the schedule's own time; null without one. */
async function nextTimer({ db }: SimulateScheduleDeps, actorId: string, until: UnixMs) {
  const [first] = await dueTimersOf(db, { actorId, now: until - (await readClockOffset(db, actorId)) });
  return first ?? null;
}

/**
 * Only forward, and to a time instead of by a duration, so that concurrent identical calls do not
 * add up.
 */
async function moveClock({ db, clock }: SimulateScheduleDeps, scheduleId: string, to: UnixMs | null): Promise<void> {
  if (to === null) return;
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ clock_offset_ms: number }>`
      select clock_offset_ms from actor where id = ${scheduleId} for update`.execute(trx);
    const byMs = to - clock.now() - (rows[0]?.clock_offset_ms ?? 0);
    if (byMs > 0) await shiftClock(trx, scheduleId, byMs);
  });
}
