import { setTimeout as sleep } from 'node:timers/promises';

/** The single deadline of a run. Every wait polls a condition and fails after the deadline. */
export interface Deadline {
  readonly isOver: () => boolean;
  /**
   * Polls until the response is not null. Throws `DeadlineExceeded` with `whyNot()` after the
   * deadline. /
   */
  until<T>(ask: () => Promise<T | null>, whyNot: () => string): Promise<T>;
}

export class DeadlineExceeded extends Error {}

const POLL_MS = 100;

export function createDeadline(seconds: number): Deadline {
  const endsAt = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > endsAt;
  return {
    isOver,
    async until(ask, whyNot) {
      for (;;) {
        const response = await ask();
        if (response !== null) return response;
        if (isOver()) throw new DeadlineExceeded(`The run did not come to rest within its ${seconds} s: ${whyNot()}`);
        await sleep(POLL_MS);
      }
    },
  };
}
