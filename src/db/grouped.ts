import { inWork } from '../work-context.ts';
import { classifyDatabaseError } from './failures.ts';

/** More at once make statements that are large and slow for those who came first. */
const MAX_GROUP = 500;

/**
 * Turns a function for many into one for one, by group commit: while one call runs, the next gathers, so that busy callers share
 * a round trip and a flush of the disk and an idle one is served at once. Calls begin in the order of the items and never
 * before the item was given, so what is read is as fresh as if it were read alone. `run` answers every item, in order.
 *
 * What concerns all, as a database that is away does, fails everybody of a group at once. After any other failure its halves are run,
 * and theirs, so that one item that cannot be stored fails nobody else; until something turns out to concern all.
 */
export function createGrouped<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  { concernsAll = isDatabaseAway }: GroupedOptions = {},
): (item: T) => Promise<R> {
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

  /** Resolves with what befell everybody of the group, if something did; each was told then. */
  async function settle(group: readonly Waiting<T, R>[]): Promise<CommonFailure | null> {
    try {
      const results = await run(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error('a group was answered with fewer or more than it asked');
      for (const [place, { resolve }] of group.entries()) resolve(results[place] as R);
      return null;
    } catch (error) {
      const isCommon = concernsAll(error);
      if (isCommon || group.length === 1) return fail(group, error, isCommon);
      const middle = Math.ceil(group.length / 2);
      const common = await settle(group.slice(0, middle));
      const rest = group.slice(middle);
      return common === null ? settle(rest) : fail(rest, common.error, true);
    }
  }

  function fail(group: readonly Waiting<T, R>[], error: unknown, isCommon: boolean): CommonFailure | null {
    for (const { reject } of group) reject(error);
    return isCommon ? { error } : null;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      // Groups belong to nobody: the work of whoever came first must not stick to those who come later.
      void inWork(null, drain);
    });
}

export interface GroupedOptions {
  /** Whether a failure would befall every item, whatever the company: trying each would be asking again in vain. */
  readonly concernsAll?: (error: unknown) => boolean;
}

export function isDatabaseAway(error: unknown): boolean {
  return classifyDatabaseError(error) === 'unavailable';
}

// Helpers

interface CommonFailure {
  readonly error: unknown;
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}
