import { beforeEach, describe, expect, test } from 'vitest';
import { createEvmWatcher } from '../../../../../src/chains/evm/watcher.ts';
import type { Watcher } from '../../../../../src/chains/index.ts';
import type { FakeTransaction } from '../../../../support/nodes/fake-evm-node.ts';
import type { EvmHarness } from '../harness.ts';
import { shownSums } from '../histories/shown-sums.ts';
import { account, branchFrom, pays, startWatcher, sums } from './sighting-support.ts';

/**
 * Coins of a contract that only a balance shows are reorged out, reported as gone and mined again:
 * they keep their first sighting, and nothing that happens to the watcher meanwhile gives it to
 * others as well.
 */

const RETURN_AFTER_SECONDS = 700;
const MORE_AFTER_SECONDS = 300;

let at: EvmHarness;
let fork: string;
let paid: FakeTransaction;
let block: ReturnType<EvmHarness['node']['mine']>;

beforeEach(async () => {
  at = await startWatcher({ traces: false });
  fork = at.node.best().hash;
  paid = pays(9);
  block = at.node.mine([paid]);
  await at.step();
});

function mineAgain(): void {
  at.node.timeSeconds += RETURN_AFTER_SECONDS;
  at.node.mine([paid]);
}

function mineMore(): void {
  at.node.timeSeconds += MORE_AFTER_SECONDS;
  at.node.mine([pays(8)]);
}

describe.each([
  ['goes on', false],
  ['starts anew', true],
])('where the watcher %s', (_title, restarts) => {
  test('after the balance check that found the coins of a closed payment', async () => {
    at.accounts.close(account);
    branchFrom(at, fork, [[], [], []]);
    await at.step();
    at.accounts.makeDue(account);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 0n, all: 0n });
    mineAgain();
    at.accounts.makeDue(account);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
    if (restarts) at.restart();
    mineMore();
    await at.step();
    at.accounts.makeDue(account);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 17n });
  });

  test.each(['before accept', 'after accept'] as const)('after their report failed: %s', async (point) => {
    await loseAndReturn();
    at.sink.failAt = (here) => failIf(here === point);
    await expect(at.step()).rejects.toThrow('away');
    at.sink.failAt = null;
    await goOn();
  });

  test.each([
    ['the list that precedes the report', 'before save', 1],
    ['the list that precedes the report', 'after save', 1],
    ['the poll', 'before save', 2],
    ['the poll', 'after save', 2],
  ] as const)('after saving %s failed: %s', async (_what, point, failing) => {
    await loseAndReturn();
    let saves = 0;
    at.store.crashAt = (here) => {
      if (here !== point) return;
      saves += 1;
      failIf(saves === failing);
    };
    await expect(at.step()).rejects.toThrow('away');
    at.store.crashAt = null;
    await goOn();
  });

  async function loseAndReturn(): Promise<void> {
    branchFrom(at, fork, [[], [], []]);
    await at.step();
    mineAgain();
  }

  async function goOn(): Promise<void> {
    if (restarts) at.restart();
    at.node.mine([]);
    await at.step();
    mineMore();
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 17n });
  }
});

describe.each([
  ['goes on', false],
  ['starts anew', true],
])('coins that return under their own id, where the watcher %s,', (_title, restarts) => {
  test('keep their sighting in a third branch, although their report failed', async () => {
    branchFrom(at, fork, [[], []]);
    await at.step();
    backTo(block.hash);
    await failToReport();
    await moveOn();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
  });

  test('keep it at the address of a closed payment, where the balance check found them', async () => {
    at.accounts.close(account);
    branchFrom(at, fork, [[], []]);
    await at.step();
    backTo(block.hash);
    at.accounts.makeDue(account);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
    if (restarts) at.restart();
    at.accounts.makeDue(account);
    await moveOn();
    at.accounts.makeDue(account);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
  });

  test('keep it although other coins had it in a branch whose poll was not saved', async () => {
    branchFrom(at, fork, [[], [paid], []]);
    let saves = 0;
    at.store.crashAt = (here) => {
      if (here === 'before save') saves += 1;
      failIf(saves === 2);
    };
    await expect(at.step()).rejects.toThrow('away');
    at.store.crashAt = null;
    if (restarts) at.restart();
    backTo(block.hash);
    await failToReport();
    await moveOn();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
  });

  test.each(['gone', 'pending'] as const)(
    'keep it where they were traced, %s, and are found untraced',
    async (kind) => {
      at = await startWatcher();
      const traced = at.node.mine([paid]);
      await at.step();
      branchFrom(at, traced.parentHash, [[], []]);
      if (kind === 'pending') at.node.submit(paid);
      await at.step();
      mineAgain();
      await failToReport();
      at.node.traces = 'fails';
      at.node.mine([]);
      await at.step();
      expect(sums(at, traced)).toEqual({ inTime: 9n, all: 9n });
    },
  );

  test('take none from another payment in their block', async () => {
    at = await startWatcher();
    const other = pays(5);
    const both = at.node.mine([paid, other]);
    await at.step();
    branchFrom(at, both.parentHash, [[], []]);
    await at.step();
    mineAgain();
    await failToReport();
    await at.step();
    at.node.traces = 'fails';
    at.node.mine([other]);
    await at.step();
    expect(sums(at, both)).toEqual({ inTime: 14n, all: 14n });
  });

  test('show no more than was paid, when two branches could not be reported', async () => {
    at = await startWatcher({ traces: false });
    const other = pays(5);
    at.node.mine([paid, other]);
    await at.step();
    at.sink.failAt = (here) => failIf(here === 'before accept');
    const start = at.node.block(at.node.best().hash).parentHash;
    branchFrom(at, start, [[paid], []]);
    await expect(at.step()).rejects.toThrow('away');
    branchFrom(at, start, [[], [], [paid]]);
    await expect(at.step()).rejects.toThrow('away');
    at.sink.failAt = null;
    if (restarts) at.restart();
    at.node.mine([other]);
    await at.step();
    expect(shownSums(at, account).filter((sum) => sum > 14n)).toEqual([]);
  });

  function backTo(hash: string): void {
    const height = at.node.best().height + 1;
    at.node.setBest(hash, () => false);
    while (at.node.best().height < height) at.node.mine([]);
  }

  async function failToReport(): Promise<void> {
    at.sink.failAt = () => failIf(true);
    await expect(at.step()).rejects.toThrow('away');
    at.sink.failAt = null;
    if (restarts) at.restart();
  }

  /** A longer branch has them in its last but one block. */
  async function moveOn(): Promise<void> {
    at.node.timeSeconds += RETURN_AFTER_SECONDS;
    branchFrom(at, fork, [[], [], [], [], [paid], []]);
    await at.step();
    at.node.mine([]);
    await at.step();
  }
});

describe('where another watcher polled while this one had lost the database', () => {
  test('and gave the sighting to the coins that returned', async () => {
    branchFrom(at, fork, [[], [], []]);
    await at.step();
    await loseDatabase();
    mineAgain();
    await another().step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
    mineMore();
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 17n });
  });

  test('and saw them reorged out', async () => {
    await loseDatabase();
    branchFrom(at, fork, [[], [], [], []]);
    await another().step();
    await at.step();
    mineAgain();
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
  });

  async function loseDatabase(): Promise<void> {
    at.node.mine([]);
    at.store.crashAt = () => failIf(true);
    await expect(at.step()).rejects.toThrow('away');
    at.store.crashAt = null;
  }

  /** With the same store, as after a change of the leader. */
  function another(): Watcher {
    return createEvmWatcher({
      ...at,
      sink: at.sink.sink,
      dropSink: async () => {},
      log: SILENT,
      balanceCheckEveryMs: 0,
    });
  }
});

// Helpers

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

function failIf(isSo: boolean): void {
  if (isSo) throw new Error('the broker or the database is away');
}
