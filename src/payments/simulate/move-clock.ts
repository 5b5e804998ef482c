import { type Kysely, sql } from 'kysely';
import { DAY_MS, SECOND_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { MAX_CLOCK_OFFSET_MS, shiftClock } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isoTime } from '../../platform/iso-time.ts';

/** How far a simulation moves the clock of its payment or schedule; one of the two. */
export interface ClockMove {
  readonly seconds?: number;
  /** In the actor's own time. */
  readonly to?: UnixMs;
}

/** What one call can move a clock by: a yearly request falls due twice in it. */
const MAX_ADVANCE_DAYS = 731;
export const MAX_ADVANCE_MS = MAX_ADVANCE_DAYS * DAY_MS;

/**
 * The time that a clock is moved to; `offsetMs` is how far it is ahead of `now`. Throws
 * `INVALID_REQUEST`, naming the field, when there is not exactly one, and for a time out of range.
 */
export function clockTarget({ seconds, to }: ClockMove, { now, offsetMs }: { now: UnixMs; offsetMs: number }): UnixMs {
  if (seconds !== undefined && to !== undefined)
    throw rejected('to', 'to and seconds are mutually exclusive: omit one');
  const present = now + offsetMs;
  const latest = Math.min(present + MAX_ADVANCE_MS, now + MAX_CLOCK_OFFSET_MS);
  const field = to === undefined ? 'seconds' : 'to';
  if (latest <= present) {
    throw rejected(field, `${field}: this clock has reached its limit of 10 years; create a new payment or request`);
  }
  const limits = `by ${MAX_ADVANCE_DAYS} days per call and 10 years in total`;
  if (to !== undefined) {
    if (to > present && to <= latest) return to;
    const range = `after ${isoTime(present)}, the clock’s current time, and not after ${isoTime(latest)}`;
    throw rejected('to', `to must be ${range}: ${limits}`);
  }
  if (seconds === undefined) throw rejected('seconds', 'advance_clock needs either seconds or to');
  const most = Math.floor((latest - present) / SECOND_MS);
  if (seconds > most) throw rejected('seconds', `seconds must be at most ${most}: ${limits}`);
  return present + seconds * SECOND_MS;
}

/** Throws `INVALID_REQUEST` when a simulation that does not move the clock contains a move. */
export function rejectClockMove(action: string, { seconds, to }: ClockMove): void {
  const field = seconds === undefined ? 'to' : 'seconds';
  if (seconds === undefined && to === undefined) return;
  throw rejected(field, `${field} applies only to advance_clock, not to ${action}: omit it`);
}

/** Only forward, so that identical calls at the same time do not add up. */
export async function moveClockTo(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  actorId: string,
  to: UnixMs,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ clock_offset_ms: number }>`
      select clock_offset_ms from actor where id = ${actorId} for update`.execute(trx);
    const byMs = to - clock.now() - (rows[0]?.clock_offset_ms ?? 0);
    if (byMs > 0) await shiftClock(trx, actorId, byMs);
  });
}

// Helpers

function rejected(field: string, message: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', message, { field });
}
