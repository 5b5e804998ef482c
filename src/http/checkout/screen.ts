import type { UnixMs } from '../../../machines/index.ts';
import { BLIND_AFTER_MS, type ViewVersion } from '../../payments/index.ts';
import { assertNever } from '../../platform/errors.ts';

/**
 * The screens that a customer can see:
 *
 * - waiting    no coins have arrived
 * - partial    part of the amount has arrived; the rest goes to the same address
 * - checking   the network has not been polled recently, or the window has closed and the last poll
 *   is pending
 * - seen       the full amount has arrived and is being confirmed, perhaps again
 * - completed  paid
 * - lost       the full amount had arrived, but its coins have left the network again
 * - expired    the window has closed; the address is no longer shown
 * - late       coins arrived after that; the shop decides
 * - reviewing  the shop reviews an irregularity
 * - failed     the coins were lost or rejected
 */
export const SCREENS = [
  'waiting',
  'partial',
  'checking',
  'seen',
  'completed',
  'lost',
  'expired',
  'late',
  'reviewing',
  'failed',
] as const;
export type Screen = (typeof SCREENS)[number];

/** How a page follows its transaction: updates are pushed, polled now and then, or not at all. */
export type UpdateMode = 'live' | 'slow' | 'still';

export const UPDATE_MODES: { readonly [S in Screen]: UpdateMode } = {
  waiting: 'live',
  partial: 'live',
  checking: 'live',
  seen: 'live',
  reviewing: 'live',
  completed: 'still',
  // They may return.
  lost: 'slow',
  // Late coins may still arrive, and the shop may still decide.
  expired: 'slow',
  late: 'slow',
  failed: 'slow',
};

/** The screen of a transaction at this wall-clock time. */
export function screenOf(transaction: ViewVersion, now: UnixMs): Screen {
  const { status, exception, loss } = transaction;
  switch (status) {
    case 'pending':
    case 'partial':
      if (exception === 'needs_review') return 'reviewing';
      if (remainingMs(transaction, now) <= 0 || isBlind(transaction, now)) return 'checking';
      return status === 'pending' ? 'waiting' : 'partial';
    case 'awaiting_confirmation':
      return loss === 'gone' ? 'lost' : 'seen';
    case 'expired':
      return exception === 'paid_late' ? 'late' : 'expired';
    case 'completed':
      if (loss === null) return 'completed';
      return loss === 'unconfirmed' ? 'seen' : 'lost';
    case 'failed':
      return status;
    default:
      return assertNever(status, 'status');
  }
}

/** Milliseconds until the window closes, in the transaction's own time; negative afterwards. */
export function remainingMs({ expiresAt, clockOffsetMs }: ViewVersion, now: UnixMs): number {
  return expiresAt - (now + clockOffsetMs);
}

/**
 * Whether there may be coins on the network that have not been seen. A simulation is never blind.
 */
export function isBlind({ isSimulated, syncedUntil }: ViewVersion, now: UnixMs): boolean {
  return !isSimulated && (syncedUntil === null || now - syncedUntil > BLIND_AFTER_MS);
}

/**
 * A short text that changes whenever the page does, for the ETag and as SSE event id: letters,
 * digits, underscores and dots. The block height counts only while confirmations are shown.
 */
export function etagOf(transaction: ViewVersion, now: UnixMs): string {
  const screen = screenOf(transaction, now);
  const showsConfirmations = screen === 'seen' || screen === 'partial' || screen === 'late';
  const height = showsConfirmations ? (transaction.tipHeight ?? 0) : 0;
  const windowIsOver = remainingMs(transaction, now) <= 0;
  return [
    transaction.sequence,
    screen,
    // Not every settlement of a loss or a surplus is an event.
    transaction.loss ?? 'none',
    transaction.surplus?.isSettled === true ? 'settled' : 'unsettled',
    height,
    transaction.clockOffsetMs,
    isBlind(transaction, now) ? 'blind' : 'sees',
    windowIsOver ? 'over' : 'open',
  ].join('.');
}
