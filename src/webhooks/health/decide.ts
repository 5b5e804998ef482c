import { DAY_MS, HOUR_MS, type UnixMs } from '../../../machines/index.ts';

/** How long an endpoint fails before it is disabled automatically, in ms. */
export const GIVE_UP_AFTER_MS = 5 * DAY_MS;

/**
 * How long an endpoint has failed at each warning, in order, in ms. The second and third announce
 * the disabling, so they are only for endpoints that disable themselves.
 */
export const WARN_AFTER_MS = [HOUR_MS, GIVE_UP_AFTER_MS / 2, (GIVE_UP_AFTER_MS * 9) / 10] as const;

/** With fewer failed attempts than this, the endpoint is neither warned about nor disabled. */
export const MIN_FAILED_ATTEMPTS = 4;

/** An endpoint is disabled only if an attempt has failed within this time, in ms. */
export const LAST_FAILURE_WITHIN_MS = DAY_MS;

/**
 * Minimum time between the last warning and the disabling, in ms, even if no worker ran or the
 * clock jumped.
 */
export const MIN_NOTICE_MS = GIVE_UP_AFTER_MS - WARN_AFTER_MS[2];

/** What the endpoint row says. */
export interface EndpointFailureState {
  readonly enabled: boolean;
  readonly disablesItself: boolean;
  readonly disablesOnGone: boolean;
  /** When it responded with 410; null when it did not, or has had a success since. */
  readonly goneAt: UnixMs | null;
  /** When the first attempt since the last success failed; null while the endpoint is healthy. */
  readonly failingSince: UnixMs | null;
  /** Position in `WARN_AFTER_MS` of the last warning about this failure period, from 1; else 0. */
  readonly warned: number;
  /**
   * The last warning, about this or an earlier failure period, until the merchant is notified of
   * the recovery; null when there is none. `since`: when the failures of that period began.
   */
  readonly openWarning: { readonly at: UnixMs; readonly since: UnixMs } | null;
}

/** What the attempt log says. */
export interface Evidence {
  /** End of the newest successful attempt; null without one. */
  readonly lastSuccessAt: UnixMs | null;
  /** Failed attempts since then, and the ends of the first and last of them. */
  readonly failedAttempts: number;
  readonly firstFailureAt: UnixMs | null;
  readonly lastFailureAt: UnixMs | null;
}

/** What is due by the time alone; the evidence since `since` decides whether it is carried out. */
export type HealthAction =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'warn'; readonly since: UnixMs; readonly warning: number }
  | { readonly kind: 'disable'; readonly since: UnixMs }
  | { readonly kind: 'disable_gone'; readonly since: UnixMs; readonly goneAt: UnixMs }
  | { readonly kind: 'notify_recovered'; readonly since: UnixMs };

export type Action = Exclude<HealthAction, { kind: 'nothing' }>;

/** What is due at `now`. After a downtime only the newest warning is sent, not all those missed. */
export function dueAt(health: EndpointFailureState, now: UnixMs): HealthAction {
  const { enabled, disablesItself, failingSince, warned, openWarning } = health;
  if (!enabled) return { kind: 'nothing' };
  if (health.disablesOnGone && health.goneAt !== null) {
    return { kind: 'disable_gone', since: failingSince ?? health.goneAt, goneAt: health.goneAt };
  }
  if (failingSince === null) {
    return openWarning === null ? { kind: 'nothing' } : { kind: 'notify_recovered', since: openWarning.since };
  }
  const since = failingSince;
  const warnings = disablesItself ? WARN_AFTER_MS : WARN_AFTER_MS.slice(0, 1);
  const warning = warnings.filter((after) => now - since >= after).length;
  if (warning > warned) return { kind: 'warn', since, warning };
  const isWarned = warned === WARN_AFTER_MS.length && openWarning !== null;
  if (disablesItself && isWarned && now >= disablesAt(since, openWarning.at)) return { kind: 'disable', since };
  return { kind: 'nothing' };
}

/**
 * When an endpoint that has failed since `since` is disabled, if its last warning is sent at
 * `warnedAt`.
 */
export function disablesAt(since: UnixMs, warnedAt: UnixMs): UnixMs {
  return Math.max(since + GIVE_UP_AFTER_MS, warnedAt + MIN_NOTICE_MS);
}

/** Whether the evidence supports the action. */
export function isBorneOut(due: Action, evidence: Evidence, now: UnixMs): boolean {
  const { failedAttempts, lastFailureAt } = evidence;
  const hasSucceeded = hasSucceededSince(due.since, evidence);
  // Enabling an endpoint or changing its URL also clears `failing_since`; that is not a recovery.
  if (due.kind === 'notify_recovered') return hasSucceeded;
  if (due.kind === 'disable_gone') return !hasSucceededSince(due.goneAt, evidence);
  const isFailing = !hasSucceeded && failedAttempts >= MIN_FAILED_ATTEMPTS;
  if (due.kind === 'warn') return isFailing;
  return isFailing && lastFailureAt !== null && now - lastFailureAt <= LAST_FAILURE_WITHIN_MS;
}

/** Whether the attempt log has a success while the endpoint row says that it is failing. */
export function hasSucceededSince(since: UnixMs, { lastSuccessAt }: Evidence): boolean {
  return lastSuccessAt !== null && lastSuccessAt > since;
}
