import { DAY_MS, type UnixMs } from '../../machines/index.ts';

/** A paid plan stays active this long after its end, so that a forgotten renewal costs no sale. */
export const GRACE_MS = 7 * DAY_MS;

/** When the grace period of a plan that ends at `expiresAt` is over; null: it never ends. */
export function graceEndsAt(expiresAt: UnixMs | null): UnixMs | null {
  return expiresAt === null ? null : expiresAt + GRACE_MS;
}

/** Whether the grace period is over: nothing new can be started. */
export function hasLapsed({ expiresAt }: { readonly expiresAt: UnixMs | null }, now: UnixMs): boolean {
  const endsAt = graceEndsAt(expiresAt);
  return endsAt !== null && now >= endsAt;
}
