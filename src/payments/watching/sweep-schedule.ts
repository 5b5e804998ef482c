import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, PAID_LATE_WINDOW_MS, type UnixMs } from '../../../machines/index.ts';

/**
 * When a watched account is checked next, Unix ms: hourly until coins no longer count as late, then
 * daily. The time within the hour or day is a function of the address, so checks are spread evenly
 * and keep their time after an outage.
 */
export function nextTurnAt(
  { watchKey, expiresAt }: { readonly watchKey: string; readonly expiresAt: UnixMs },
  now: UnixMs,
): UnixMs {
  const periodMs = now < expiresAt + PAID_LATE_WINDOW_MS ? HOUR_MS : DAY_MS;
  const phaseMs = Math.floor(phaseOf(watchKey) * periodMs);
  return (Math.floor((now - phaseMs) / periodMs) + 1) * periodMs + phaseMs;
}

// Helpers

/** From 0 to below 1. */
function phaseOf(watchKey: string): number {
  return createHash('sha256').update(watchKey).digest().readUInt32BE(0) / 2 ** 32;
}
