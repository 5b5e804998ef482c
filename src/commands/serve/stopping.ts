import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';

/** A stop takes no longer, whatever hangs. What sends the signal must allow for it before it kills. */
export const STOP_WITHIN_MS = 20_000;

/**
 * When each part of a stop is given up, in ms since it began. An orderly stop takes a fraction of a second; this is for what
 * hangs: an endpoint, the database, NATS, a coin node. Requests and work end side by side, the rest in this order.
 */
export const GIVE_UP_AT_MS = {
  /** A start that was under way. */
  start: 3_000,
  /** The look at the chain ends within 4 s or is left alone, then the lease is given back. */
  watchers: 7_000,
  /** Webhooks that are out get the 10 s merchants may take to answer, and time to be recorded. */
  workers: 17_500,
  /** Together with the longest drain delay this leaves requests three seconds. */
  requests: 18_000,
  engine: 18_600,
  relay: 19_000,
  bus: 19_300,
  timers: 19_400,
  database: 19_600,
  tracing: 19_700,
  monitor: 19_800,
} as const;

/** Requests that run when the listener closes get this long, or less after a long drain delay. */
export const REQUESTS_MS = 5_000;

export type StopPart = keyof typeof GIVE_UP_AT_MS;

export interface Stopping {
  /** Does one part; resolves when it is done, has failed, or is given up. What it left undone is told in the log. */
  part(name: StopPart, work: () => Promise<unknown>): Promise<void>;
}

/** Begins a stop now. */
export function beginStopping({ log }: { readonly log: Log }): Stopping {
  const begun = performance.now();
  return {
    async part(name, work) {
      const patienceMs = Math.max(0, begun + GIVE_UP_AT_MS[name] - performance.now());
      let timer: NodeJS.Timeout | undefined;
      const givenUp = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), patienceMs);
      });
      try {
        const end = await Promise.race([work(), givenUp]);
        if (end === 'late') log.warn({ part: name }, 'a part of the service does not end; stopping without it');
      } catch (error) {
        log.error({ part: name, reason: messageOf(error) }, 'a part of the service did not end in order');
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
