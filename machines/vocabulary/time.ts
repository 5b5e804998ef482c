/**
 * Milliseconds since 1970-01-01T00:00:00Z. All times inside events, snapshots and rules use this
 * unit.
 */
export type UnixMs = number;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
