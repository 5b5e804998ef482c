import { DAY_MS, HOUR_MS, type UnixMs } from '../../../machines/index.ts';

/** An endpoint that is disabled by itself has failed for this long. */
export const GIVE_UP_AFTER_MS = 5 * DAY_MS;

/** How long an endpoint has failed when the merchant is warned, in order. Those after the first tell of the end, so they are for endpoints that have one. */
export const WARN_AFTER_MS = [HOUR_MS, GIVE_UP_AFTER_MS / 2, (GIVE_UP_AFTER_MS * 9) / 10] as const;

/** Fewer failures than this are no news. */
export const MIN_FAILED_ATTEMPTS = 4;

/** An endpoint is disabled only while it is being tried. */
export const LAST_FAILURE_WITHIN_MS = DAY_MS;

/** The last warning comes at least this long before the end, even when nobody was there to give it in time, or the clock has leapt. */
export const LEAST_NOTICE_MS = GIVE_UP_AFTER_MS - WARN_AFTER_MS[2];

/** What the row of an endpoint says. */
export interface EndpointHealth {
  readonly enabled: boolean;
  readonly disablesItself: boolean;
  /** When the first attempt failed since the last success; null while it is well. */
  readonly failingSince: UnixMs | null;
  /** Place in `WARN_AFTER_MS` of the last warning about this failing, from 1; 0 before the first. */
  readonly warned: number;
  /** The newest notice that it fails, of this failing or an earlier one, while the merchant was not told that it works again. */
  readonly openNotice: { readonly createdAt: UnixMs; readonly failingSince: UnixMs } | null;
}

/** What the log of attempts says. */
export interface Evidence {
  /** End of the newest success; null without one. */
  readonly lastSuccessAt: UnixMs | null;
  /** Failures since then; their first and last end. */
  readonly failedAttempts: number;
  readonly firstFailureAt: UnixMs | null;
  readonly lastFailureAt: UnixMs | null;
}

/** What the clock asks for. Whether it is done depends on the evidence since `since`. */
export type Due =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'warn'; readonly since: UnixMs; readonly warning: number }
  | { readonly kind: 'disable'; readonly since: UnixMs }
  | { readonly kind: 'tell_recovered'; readonly since: UnixMs };

/** Something to be done. */
export type Action = Exclude<Due, { kind: 'nothing' }>;

/** What the clock asks for at `now`. After a long absence only the newest warning is given, not all that were missed. */
export function dueAt(health: EndpointHealth, now: UnixMs): Due {
  const { enabled, disablesItself, failingSince, warned, openNotice } = health;
  if (!enabled) return { kind: 'nothing' };
  if (failingSince === null) {
    return openNotice === null ? { kind: 'nothing' } : { kind: 'tell_recovered', since: openNotice.failingSince };
  }
  const since = failingSince;
  const warnings = disablesItself ? WARN_AFTER_MS : WARN_AFTER_MS.slice(0, 1);
  const warning = warnings.filter((after) => now - since >= after).length;
  if (warning > warned) return { kind: 'warn', since, warning };
  const isWarned = warned === WARN_AFTER_MS.length && openNotice !== null;
  if (disablesItself && isWarned && now >= disablesAt(since, openNotice.createdAt)) return { kind: 'disable', since };
  return { kind: 'nothing' };
}

/** When an endpoint that fails since `since` is disabled, if it was or is warned for the last time at `warnedAt`. */
export function disablesAt(since: UnixMs, warnedAt: UnixMs): UnixMs {
  return Math.max(since + GIVE_UP_AFTER_MS, warnedAt + LEAST_NOTICE_MS);
}

/** Whether the evidence bears out what the clock asks for. */
export function isBorneOut(due: Action, evidence: Evidence, now: UnixMs): boolean {
  const { failedAttempts, lastFailureAt } = evidence;
  const hasSucceeded = hasSucceededSince(due.since, evidence);
  // Enabling an endpoint or giving it another URL makes it well too, but tells nothing.
  if (due.kind === 'tell_recovered') return hasSucceeded;
  const isFailing = !hasSucceeded && failedAttempts >= MIN_FAILED_ATTEMPTS;
  if (due.kind === 'warn') return isFailing;
  return isFailing && lastFailureAt !== null && now - lastFailureAt <= LAST_FAILURE_WITHIN_MS;
}

/** The log knows of a success in the time of which the row says that the endpoint failed. */
export function hasSucceededSince(since: UnixMs, { lastSuccessAt }: Evidence): boolean {
  return lastSuccessAt !== null && lastSuccessAt > since;
}
