import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGrouped } from '../../../src/platform/db/index.ts';
import { currentContext, runInNewContext } from '../../../src/platform/request-context.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';

/**
 * Answers every item in capitals, rejects groups with an item that `reject` rejects, and records
 * its groups.
 */
function createRecorder(reject: (group: readonly string[]) => Error | null = () => null) {
  const groups: (readonly string[])[] = [];
  let open: (() => void) | null = null;
  const run = async (items: readonly string[]) => {
    groups.push(items);
    await new Promise<void>((resolve) => {
      open = resolve;
    });
    const rejection = reject(items);
    if (rejection !== null) throw rejection;
    return items.map((item) => item.toUpperCase());
  };
  const finish = async () => {
    open?.();
    // One turn of the event loop, in which all resulting work has run.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { call: createGrouped(run), groups, finish };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('grouped calls', () => {
  test('share one call with all made in the same tick, and each gets its own response', async () => {
    const { call, groups, finish } = createRecorder();
    const responses = Promise.all(['a', 'b', 'a'].map(call));
    await nextTurn();
    await finish();
    expect(await responses).toEqual(['A', 'B', 'A']);
    expect(groups).toEqual([['a', 'b', 'a']]);
  });

  test('never join a call that has started: their data is not older than they are', async () => {
    const { call, groups, finish } = createRecorder();
    const first = call('a');
    await nextTurn();
    const others = Promise.all([call('b'), call('c')]);
    await nextTurn();
    expect(groups).toEqual([['a']]);
    await finish();
    await finish();
    expect([await first, ...(await others)]).toEqual(['A', 'B', 'C']);
    expect(groups).toEqual([['a'], ['b', 'c']]);
  });

  test('fail together when the database is down', async () => {
    const away = Object.assign(new Error('no route'), { code: 'ECONNREFUSED' });
    const { call, groups, finish } = createRecorder(() => away);
    const all = Promise.allSettled(['a', 'b'].map(call));
    await nextTurn();
    await finish();
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(groups).toEqual([['a', 'b']]);
  });

  test('fail alone for a reason of their own, whatever else is in the group', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'bad'), { minLength: 1, maxLength: 20 }), async (items) => {
        const rejected = new Error('cannot be stored');
        const call = createGrouped(async (group: readonly string[]) => {
          if (group.includes('bad')) throw rejected;
          return group.map((item) => item.toUpperCase());
        });
        const settled = await Promise.allSettled(items.map(call));
        expect(settled).toEqual(
          items.map((item) =>
            item === 'bad'
              ? { status: 'rejected', reason: rejected }
              : { status: 'fulfilled', value: item.toUpperCase() },
          ),
        );
      }),
    );
  });

  test('are split in halves for one that fails alone, so that few others are repeated', async () => {
    const sizes: number[] = [];
    const call = createGrouped(async (group: readonly number[]) => {
      sizes.push(group.length);
      if (group.includes(5)) throw new Error('cannot be stored');
      return group;
    });
    await Promise.allSettled(Array.from({ length: 64 }, (_, item) => call(item)));
    expect(sizes).toEqual([64, 32, 16, 8, 4, 4, 2, 1, 1, 2, 8, 16, 32]);
  });

  test('are not retried further when the cause of the split turns out to affect all', async () => {
    const [own, common] = [new Error('cannot be stored'), new Error('away')];
    const groups: (readonly string[])[] = [];
    const call = createGrouped(
      async (group: readonly string[]) => {
        groups.push(group);
        if (group.includes('bad') && group.length > 1) throw own;
        throw common;
      },
      { concernsAll: (error) => error === common },
    );
    const settled = await Promise.allSettled(['a', 'b', 'bad', 'd'].map(call));
    expect(settled).toEqual(settled.map(() => ({ status: 'rejected', reason: common })));
    expect(groups).toEqual([
      ['a', 'b', 'bad', 'd'],
      ['a', 'b'],
    ]);
  });

  test('run outside any request context, and each caller continues in its own', async () => {
    const contexts: unknown[] = [];
    const call = createGrouped(async (items: readonly string[]) => {
      contexts.push(currentContext());
      await nextTurn();
      return items;
    });
    const callAs = (requestId: string) =>
      runInNewContext({ requestId }, async () => {
        await call(requestId);
        return currentContext()?.ids.requestId;
      });
    const first = callAs('first');
    await nextTurn();
    expect(await Promise.all([first, callAs('second')])).toEqual(['first', 'second']);
    expect(contexts).toEqual([null, null]);
  });

  test('reject rather than mix up results when the response has another length', async () => {
    const call = createGrouped(async () => []);
    await expect(call('a')).rejects.toThrow('a different number of results');
  });
});
