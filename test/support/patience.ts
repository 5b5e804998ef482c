/** For conditions that are polled: long enough for a busy machine, and no test waits for it that passes. */
export const PATIENCE = { timeout: 60_000, interval: 20 } as const;
