import { runInContext } from '../request-context.ts';
import { classifyDatabaseError } from './failures.ts';

/** Larger groups make statements large and slow for the first callers. */
const MAX_GROUP = 500;

/**
 * Turns a function for many items into one for a single item, by group commit: while one call runs,
 * the next group fills, so busy callers share a round trip and a disk flush. Calls start in item
 * order and never before the item was submitted, so reads are as fresh as separate ones. `run`
 * returns one result per item, in order.
 *
 * An error that affects all items, such as an unavailable database, rejects the whole group. After
 * any other error the group is split in half recursively, so that one bad item does not fail the
 * others, until an error affects all.
 */
export function createGrouped<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  { concernsAll = isDatabaseAway }: GroupedOptions = {},
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let isRunning = false;

  async function drain(): Promise<void> {
    // Items submitted in the same turn of the event loop share a group.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      await settle(group);
    }
    isRunning = false;
  }

  /** Settles every item. Resolves with the error that affects all items, or null. */
  async function settle(group: readonly Waiting<T, R>[]): Promise<CommonFailure | null> {
    try {
      const results = await run(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error('a group returned a different number of results than items');
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
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
      // Run outside the caller's request context, so that it does not leak into the group.
      void runInContext(null, drain);
    });
}

export interface GroupedOptions {
  /** True when an error would occur for every item, so that splitting the group is pointless. */
  readonly concernsAll?: (error: unknown) => boolean;
}

// Helpers

function isDatabaseAway(error: unknown): boolean {
  return classifyDatabaseError(error) === 'unavailable';
}

interface CommonFailure {
  readonly error: unknown;
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}
