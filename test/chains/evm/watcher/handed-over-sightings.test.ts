import { beforeEach, describe, expect, test } from 'vitest';
import { createEvmWatcher } from '../../../../src/chains/evm/watcher.ts';
import type { Watcher } from '../../../../src/chains/index.ts';
import type { FakeTransaction } from '../../../support/fake-evm-node.ts';
import type { EvmHarness } from './harness.ts';
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
  test('after the sweep that found the coins of a closed payment', async () => {
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

describe('where another watcher had a turn while this one had lost the database', () => {
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
    return createEvmWatcher({ ...at, sink: at.sink.sink, dropSink: async () => {}, log: SILENT, sweepEveryMs: 0 });
  }
});

// Helpers

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

function failIf(isSo: boolean): void {
  if (isSo) throw new Error('the broker or the database is away');
}
