import { beforeEach, describe, expect, test } from 'vitest';
import type { EvmHarness } from '../harness.ts';
import { liveRecords, mostShown } from '../histories/shown-sums.ts';
import { account, branchFrom, pays, startWatcher, sums, timeOf } from './sighting-support.ts';

/**
 * Coins of a new branch inherit the first sighting of disconnected coins: exactly that amount,
 * once, whatever happens in between.
 */

let at: EvmHarness;

beforeEach(async () => {
  at = await startWatcher();
});

describe('a traced transaction that is now in a block without a trace', () => {
  test.each([
    ['without traces', false],
    ['while the node fails to trace', 'fails'],
  ] as const)('keeps its own sighting, %s', async (_title, traces) => {
    const paid = pays(5);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = traces;
    branchFrom(at, block.parentHash, [[pays(5)], [], [paid]]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 5n, all: 10n });
    at.node.traces = true;
    at.node.timeSeconds += 120;
    at.node.mine([]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 5n, all: 10n });
  });

  test('does not lend it to others that need none', async () => {
    const paid = pays(5);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    const [first] = branchFrom(at, block.parentHash, [[pays(5)], [paid]]);
    await at.step();
    expect(sums(at, first)).toEqual({ inTime: 10n, all: 10n });
  });

  test('keeps it while no node knows where the transaction is', async () => {
    const paid = pays(5);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    branchFrom(at, block.parentHash, [[], []]);
    await at.step();
    at.node.mine([pays(5)]);
    await at.step();
    at.node.traces = true;
    at.node.mine([paid]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 5n, all: 10n });
  });

  test('passes it to no other coins when it fails in the new block', async () => {
    const paid = pays(5);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    branchFrom(at, block.parentHash, [[{ ...paid, fails: true }], [], []]);
    await at.step();
    at.node.mine([pays(5)]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 0n, all: 5n });
  });
});

test.each([true, false])('late coins in a block with an earlier date stay late; node traces: %s', async (traces) => {
  at.node.traces = traces;
  const parent = at.node.best();
  const paid = pays(9);
  at.node.timeSeconds += 12;
  const late = at.node.mine([paid]);
  await at.step();
  at.node.timeSeconds -= 24;
  const [earlier] = branchFrom(at, parent.hash, [[paid], []]);
  expect(timeOf(earlier)).toBeLessThan(timeOf(late));
  await at.step();
  expect(sums(at, earlier)).toEqual({ inTime: 0n, all: 9n });
});

test('a verification takes the coins of its own sighting from a split increase', async () => {
  at.node.traces = false;
  const [early, late] = [pays(4), pays(9)];
  const block = at.node.mine([early]);
  await at.step();
  const { internalTransfers } = at.node;
  at.node.internalTransfers = async (addresses, at) =>
    at.height === block.height ? null : internalTransfers(addresses, at);
  at.node.traces = true;
  at.node.mine([late]);
  await at.step();
  const requested = liveRecords(at, account).find(({ txid }) => txid === late.txid);
  at.node.internalTransfers = internalTransfers;
  at.node.traces = false;
  branchFrom(at, block.parentHash, [[], [early, late]]);
  await at.step();
  expect(sums(at, block)).toEqual({ inTime: 4n, all: 13n });
  at.node.traces = true;
  const { outputId = '', firstSeenAt = 0 } = requested ?? {};
  const output = { outputId, txid: late.txid, ...account, amountBaseUnits: 9n, firstSeenAt, spends: [] };
  await at.watcher().verify({ outputs: [{ output, requiredConfirmations: 1, reportedHeight: 22 }] });
  expect(sums(at, block)).toEqual({ inTime: 4n, all: 13n });
});

test.each([false, true])('coins of a closed payment (%s) never count twice when they move', async (isClosed) => {
  at.node.traces = false;
  const paid = pays(9);
  const block = at.node.mine([paid]);
  await at.step();
  if (isClosed) at.accounts.close(account);
  branchFrom(at, block.parentHash, [[], [paid]]);
  await at.step();
  expect(liveRecords(at, account)).toHaveLength(1);
  expect(mostShown(at, account)).toBe(9n);
});

test('coins that were traced late never count twice when they move and reports overtake each other', async () => {
  at.node.traces = false;
  const paid = pays(9);
  const block = at.node.mine([paid]);
  await at.step();
  at.node.traces = true;
  at.node.mine([]);
  await at.step();
  branchFrom(at, block.parentHash, [[], [paid], []]);
  await at.step();
  expect(mostShown(at, account)).toBe(9n);
});

test('coins that return to their own block leave no sighting to others', async () => {
  at.node.traces = false;
  const [one, two] = [pays(1), pays(2)];
  const block = at.node.mine([one, two]);
  await at.step();
  branchFrom(at, block.parentHash, [[], [], [one]]);
  await at.step();
  branchFrom(at, block.hash, [[], [], [pays(1)]]);
  await at.step();
  expect(sums(at, block)).toEqual({ inTime: 3n, all: 4n });
});

describe.each([
  ['dies', true],
  ['goes on', false],
])('after a failed poll, where the watcher %s', (_title, isRestarted) => {
  beforeEach(() => {
    at.node.traces = false;
  });

  type Point = 'before accept' | 'after accept' | 'after save' | 'save of progress';
  const points: Point[] = ['before accept', 'after accept', 'after save', 'save of progress'];

  async function failingPoll(point: Point): Promise<void> {
    const reported = at.sink.observations.length;
    const cut = (isThere: boolean) => {
      if (isThere) throw new Error('power cut');
    };
    at.sink.failAt = (here) => cut(here === point);
    at.store.crashAt = (here) => {
      cut(point === 'after save' && here === 'after save');
      cut(point === 'save of progress' && at.sink.observations.length > reported);
    };
    await expect(at.step()).rejects.toThrow('power cut');
    at.sink.failAt = null;
    at.store.crashAt = null;
    if (isRestarted) at.restart();
  }

  test.each(points)('a split increase stays split: %s', async (point) => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    branchFrom(at, block.parentHash, [[], [paid, pays(1)]]);
    await failingPoll(point);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 10n });
  });

  test.each(points)('coins that moved have used their sighting: %s', async (point) => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    branchFrom(at, block.parentHash, [[], [paid]]);
    await failingPoll(point);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
    at.node.mine([pays(8)]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 17n });
  });

  test.each(points)('coins that did not move in the end leave no sighting to others: %s', async (point) => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    branchFrom(at, block.parentHash, [[paid], []]);
    await failingPoll(point);
    branchFrom(at, block.hash, [[], []]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
    at.node.mine([pays(8)]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 17n });
  });
});
