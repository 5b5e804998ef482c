import { classifyDatabaseError } from './failures.ts';

/** More at once make statements that are large and slow for those who came first. */
const MAX_GROUP = 500;

/**
 * Turns a function for many into one for one, by group commit: while one call runs, the next gathers, so that busy callers share
 * a round trip and a flush of the disk and an idle one is served at once. Calls begin in the order of the items and never
 * before the item was given, so what is read is as fresh as if it were read alone. `run` answers every item, in order.
 *
 * A database that is away fails everybody of a group. After any other failure they are run one by one, so that one item that
 * cannot be stored fails nobody else.
 */
export function createGrouped<T, R>(run: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let isRunning = false;

  async function drain(): Promise<void> {
    // What comes in the same turn of the event loop belongs together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      await settle(group);
    }
    isRunning = false;
  }

  async function settle(group: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await run(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error('a group was answered with fewer or more than it asked');
      for (const [place, { resolve }] of group.entries()) resolve(results[place] as R);
    } catch (error) {
      if (group.length === 1 || classifyDatabaseError(error) === 'unavailable') {
        for (const { reject } of group) reject(error);
        return;
      }
      for (const each of group) await settle([each]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      void drain();
    });
}

// Helpers

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}
