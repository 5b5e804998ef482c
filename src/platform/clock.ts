import type { UnixMs } from '../../machines/index.ts';

/**
 * The only source of time outside `machines/`. Tests and the simulated network provide their own.
 */
export interface Clock {
  now(): UnixMs;
}

/** Wall-clock time of this machine. */
export const systemClock: Clock = { now: () => Date.now() };
