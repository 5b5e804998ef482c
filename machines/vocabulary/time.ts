/**
 * Milliseconds since 1970-01-01T00:00:00Z, the unit of all times in events, snapshots and rules.
 */
export type UnixMs = number;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
