import { beforeEach, describe, expect, test } from 'vitest';
import { address, coins, contractCoins } from '../../../../support/nodes/fake-evm-node.ts';
import type { EvmHarness } from '../harness.ts';
import { account, branchFrom, pays, startWatcher, sums } from './sighting-support.ts';

/**
 * A first sighting belongs to the coins that were seen: when they return or have their own output
 * ids, no other coins inherit it.
 */

let at: EvmHarness;

beforeEach(async () => {
  at = await startWatcher();
});

async function failingPoll(point: 'before accept' | 'after accept'): Promise<void> {
  at.sink.failAt = (here) => {
    if (here === point) throw new Error('the broker is away');
  };
  await expect(at.step()).rejects.toThrow('the broker is away');
  at.sink.failAt = null;
}

describe.each([
  ['dies', true],
  ['goes on', false],
])('an increase identified by a late trace, where the report fails and the watcher %s', (_title, restarts) => {
  test.each(['before accept', 'after accept'] as const)('passes its sighting to no other coins: %s', async (point) => {
    at.node.traces = 'fails';
    const block = at.node.mine([pays(9)]);
    await at.step();
    at.node.traces = true;
    at.node.timeSeconds += 120;
    at.node.mine([]);
    await failingPoll(point);
    if (restarts) at.restart();
    at.node.mine([]);
    await at.step();
    at.node.traces = 'fails';
    at.node.mine([pays(8)]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 17n });
  });

  test('passes it to no other coins at the address of a closed payment', async () => {
    at.accounts.close(account);
    at.node.traces = 'fails';
    const block = at.node.mine([pays(9)]);
    await at.step();
    at.accounts.makeDue(account);
    await at.step();
    at.node.traces = true;
    at.node.timeSeconds += 700;
    at.node.mine([]);
    await failingPoll('before accept');
    if (restarts) at.restart();
    await at.step();
    await at.step();
    at.node.traces = 'fails';
    at.node.mine([pays(8)]);
    await at.step();
    at.accounts.makeDue(account);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 17n });
  });
});

describe.each([
  ['a restart', true],
  ['no restart', false],
])('after %s', (_title, restarts) => {
  test('coins that split up move on in time, even if only some of them are traced', async () => {
    const [one, other] = [pays(5), pays(4)];
    const block = at.node.mine([one, other]);
    await at.step();
    const { internalTransfers } = at.node;
    const [first] = branchFrom(at, block.parentHash, [[one], [other]]);
    at.node.internalTransfers = async (addresses, at) =>
      at.height === first?.height ? internalTransfers(addresses, at) : null;
    await at.step();
    at.node.mine([]);
    await at.step();
    if (restarts) at.restart();
    branchFrom(at, first?.hash ?? '', [[], [other], []]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
  });

  test('coins that split up move on in time next to a block of the same time', async () => {
    at.node.traces = false;
    const [one, other] = [pays(5), pays(4)];
    const block = at.node.mine([one, other]);
    await at.step();
    at.node.timeSeconds -= 12;
    const [first] = branchFrom(at, block.parentHash, [[one], [other]]);
    expect(first?.timeSeconds).toBe(block.timeSeconds);
    await at.step();
    at.node.mine([]);
    await at.step();
    if (restarts) at.restart();
    branchFrom(at, first?.hash ?? '', [[], [other], []]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
  });

  test('coins back in their own block take their sighting before others that come with them', async () => {
    at.node.traces = false;
    const [one, other] = [pays(5), pays(4)];
    const block = at.node.mine([one, other]);
    await at.step();
    branchFrom(at, block.parentHash, [[one], [other]]);
    await at.step();
    if (restarts) at.restart();
    at.node.timeSeconds += 700;
    branchFrom(at, block.hash, [[], [pays(3)]]);
    await at.step();
    expect(sums(at, block)).toEqual({ inTime: 9n, all: 12n });
  });
});

test('coins that are traced in their own block only now take their sighting before another of the same sum', async () => {
  at.node.traces = 'fails';
  const block = at.node.mine([pays(4), pays(5)]);
  await at.step();
  branchFrom(at, block.parentHash, [[], block.transactions]);
  await at.step();
  at.node.timeSeconds += 700;
  at.node.traces = true;
  branchFrom(at, block.hash, [[], [pays(9)]]);
  await at.step();
  expect(sums(at, block)).toEqual({ inTime: 9n, all: 18n });
});

test('coins that a failed poll found without a trace take their sighting before another of the same sum', async () => {
  at.node.traces = 'fails';
  const block = at.node.mine([pays(4), pays(5)]);
  await failingPoll('after accept');
  at.node.timeSeconds += 700;
  at.node.traces = true;
  at.node.mine([pays(9)]);
  await at.step();
  expect(sums(at, block)).toEqual({ inTime: 9n, all: 18n });
});

test.each([
  ['traced', true],
  ['a plain transfer', false],
])('a transaction that reused the nonce (%s) has the sighting, and no others have it too', async (_title, isTraced) => {
  const paid = pays(9);
  const block = at.node.mine([paid]);
  await at.step();
  const parts = { from: paid.from, nonce: paid.nonce };
  const again = isTraced ? contractCoins([{ to: address(0), valueWei: 9n }], parts) : coins(address(0), 9n, parts);
  branchFrom(at, block.parentHash, [[], [again]]);
  await at.step();
  at.node.traces = 'fails';
  at.node.mine([]);
  await at.step();
  at.node.mine([pays(9)]);
  await at.step();
  expect(sums(at, block)).toEqual({ inTime: 9n, all: 18n });
});

test('coins removed by a reorg keep their sighting for another watcher that finds them later', async () => {
  at.node.traces = false;
  const { hash: fork } = at.node.best();
  const paid = pays(9);
  const block = at.node.mine([paid]);
  await at.step();
  branchFrom(at, fork, [[], [], []]);
  await at.step();
  expect(sums(at, block)).toEqual({ inTime: 0n, all: 0n });
  at.restart();
  at.node.timeSeconds += 600;
  at.node.mine([paid]);
  await at.step();
  expect(sums(at, block)).toEqual({ inTime: 9n, all: 9n });
});
