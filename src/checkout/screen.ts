import type { UnixMs } from '../../machines/index.ts';
import { assertNever } from '../errors.ts';
import { BLIND_AFTER_MS, type PublicVersion } from '../payments/index.ts';

/**
 * What a customer is shown, one screen each:
 *
 * - waiting    nothing has come yet
 * - partial    something has come; the same address takes the rest
 * - checking   the network has not been looked at lately, or the window is over and the last look is still to come
 * - seen       enough has come and is being confirmed
 * - completed  paid
 * - expired    the window is over; the address is taken off the page
 * - late       coins came after that; the shop decides
 * - reviewing  the shop looks at something odd
 * - failed     the coins were lost or refused
 */
export const SCREENS = [
  'waiting',
  'partial',
  'checking',
  'seen',
  'completed',
  'expired',
  'late',
  'reviewing',
  'failed',
] as const;
export type Screen = (typeof SCREENS)[number];

/** How eagerly a page follows its transaction: pushed at once, asked for now and then, or not at all. */
export type Pace = 'live' | 'slow' | 'still';

export const PACES: { readonly [S in Screen]: Pace } = {
  waiting: 'live',
  partial: 'live',
  checking: 'live',
  seen: 'live',
  reviewing: 'live',
  completed: 'still',
  // Late coins may still turn up, and the shop may still decide.
  expired: 'slow',
  late: 'slow',
  failed: 'slow',
};

/** The screen of a transaction at this moment of the wall clock. */
export function screenOf(transaction: PublicVersion, now: UnixMs): Screen {
  const { status, exception } = transaction;
  switch (status) {
    case 'pending':
    case 'partial':
      if (exception === 'needs_review') return 'reviewing';
      if (remainingMs(transaction, now) <= 0 || isBlind(transaction, now)) return 'checking';
      return status === 'pending' ? 'waiting' : 'partial';
    case 'awaiting_confirmation':
      return 'seen';
    case 'expired':
      return exception === 'paid_late' ? 'late' : 'expired';
    case 'completed':
    case 'failed':
      return status;
    default:
      return assertNever(status, 'status');
  }
}

/** Milliseconds until the window closes, in the transaction's own time; negative when it is over. */
export function remainingMs({ expiresAt, clockOffsetMs }: PublicVersion, now: UnixMs): number {
  return expiresAt - (now + clockOffsetMs);
}

/** Whether coins could be on the network without our knowing. A simulation is never blind. */
export function isBlind({ isSimulated, lookedUntil }: PublicVersion, now: UnixMs): boolean {
  return !isSimulated && (lookedUntil === null || now - lookedUntil > BLIND_AFTER_MS);
}

/**
 * A short text that changes whenever the page would. The height matters only while confirmations are shown. Used
 * as ETag and as SSE event id, so it is made of letters, digits and dots only.
 */
export function versionOf(transaction: PublicVersion, now: UnixMs): string {
  const screen = screenOf(transaction, now);
  const showsConfirmations = screen === 'seen' || screen === 'partial' || screen === 'late';
  const height = showsConfirmations ? (transaction.tipHeight ?? 0) : 0;
  const windowIsOver = remainingMs(transaction, now) <= 0;
  return [
    transaction.sequence,
    screen,
    height,
    transaction.clockOffsetMs,
    isBlind(transaction, now) ? 'blind' : 'sees',
    windowIsOver ? 'over' : 'open',
  ].join('.');
}
