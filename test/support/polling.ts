/** For polled conditions: long enough for a busy machine; passing tests never wait this long. */
export const POLLING = { timeout: 60_000, interval: 50 } as const;
