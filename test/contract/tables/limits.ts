/** The limits table of the interface. */

/** Requests per minute and per hour. */
export const REQUEST_LIMITS: Readonly<Record<string, readonly [perMinute: number, perHour: number]>> = {
  starter: [30, 500],
  business: [100, 2_000],
  professional: [300, 5_000],
  enterprise: [1_000, 20_000],
};

export const MINIMUM_USD = 1;
export const METADATA = { keys: 20, valueCharacters: 500, bytes: 4 * 1_024 };
export const PAGE_SIZE = { default: 20, minimum: 1, maximum: 100 };
export const OFFSET = { default: 0, minimum: 0 };
export const MAX_IDS = 100;
export const PAID_LATE_WINDOW_HOURS = 6;
