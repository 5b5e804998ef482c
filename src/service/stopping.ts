import { messageOf } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { LATE, within } from '../platform/within.ts';

/**
 * Maximum duration of a stop, regardless of what hangs. The process manager must wait at least this
 * long before it kills.
 */
export const STOP_WITHIN_MS = 20_000;

/**
 * When each part of a stop is abandoned, in ms since the stop began. A normal stop takes a fraction
 * of a second; this is for a part that hangs: an endpoint, the database, NATS, a coin node.
 * Requests and work stop in parallel, the rest in this order.
 */
export const GIVE_UP_AT_MS = {
  /** A start in progress. */
  start: 3_000,
  /** The current poll ends within 4 s or is abandoned, then the lease is released. */
  watchers: 7_000,
  /** Webhooks in flight get the 10 s merchants have to respond, and time to record the result. */
  workers: 17_500,
  /** After the longest drain delay this leaves three seconds for requests. */
  requests: 18_000,
  engine: 18_600,
  relay: 19_000,
  bus: 19_300,
  timers: 19_400,
  database: 19_600,
  tracing: 19_700,
  monitor: 19_800,
} as const;

/** Time limit of requests that run when the listener closes; shorter after a long drain delay. */
export const REQUESTS_MS = 5_000;

export type StopPart = keyof typeof GIVE_UP_AT_MS;

export interface Stopping {
  /**
   * Stops one part; resolves when it has stopped, failed or been abandoned. Logs failures and
   * abandoned parts.
   */
  part(name: StopPart, work: () => Promise<unknown>): Promise<void>;
}

/** Starts the time limits of a stop. */
export function beginStopping({ log }: { readonly log: Log }): Stopping {
  const begun = performance.now();
  return {
    async part(name, work) {
      const ms = Math.max(0, begun + GIVE_UP_AT_MS[name] - performance.now());
      try {
        const end = await within({ ms }, work);
        if (end === LATE) log.warn({ part: name }, 'a part of the service did not stop in time; stopping without it');
      } catch (error) {
        log.error({ part: name, reason: messageOf(error) }, 'a part of the service did not stop cleanly');
      }
    },
  };
}
