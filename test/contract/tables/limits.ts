/** The limits table of the interface. */

export const MINIMUM_USD = 1;
export const PAID_LATE_WINDOW_HOURS = 6;
