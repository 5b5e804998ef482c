import { beforeEach, describe, expect, test } from 'vitest';
import { sumBaseUnits } from '../../../../machines/transaction/sums.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeBlock,
  type FakeTransaction,
  stranger,
} from '../../../support/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from './harness.ts';
import { liveRecords } from './shown-sums.ts';

/**
 * A first sighting belongs to the coins that were seen: when they return or have their own output
 * ids, no other coins inherit it.
 */

const account = { watchKey: address(0), asset: COIN } as const;
let at: EvmHarness;
let senders = 100;

beforeEach(async () => {
  at = createEvmHarness();
  mineEmpty(at, 20);
  at.accounts.open(account);
  await at.step();
});

/** From a separate sender, so that no later nonce shows that an earlier one was used. */
function pays(valueWei: number): FakeTransaction {
  senders += 1;
  return contractCoins([{ to: address(0), valueWei: BigInt(valueWei) }], { from: stranger(senders) });
}

/** Makes a branch the best one and returns its blocks. Nothing disconnected becomes pending. */
function branchFrom(parentHash: string, blocks: readonly (readonly FakeTransaction[])[]): FakeBlock[] {
  let tip = parentHash;
  const built = blocks.map((transactions) => {
    const block = at.node.build(tip, transactions);
    tip = block.hash;
    return block;
  });
  at.node.setBest(tip, () => false);
  return built;
}

/** The amount first seen up to a block, and the total. */
function sums(until: FakeBlock) {
  const live = liveRecords(at, account);
  const inTime = live.filter(({ firstSeenAt }) => firstSeenAt <= until.timeSeconds * 1000);
  return { inTime: sumBaseUnits(inTime), all: sumBaseUnits(live) };
}

async function failingLook(point: 'before accept' | 'after accept'): Promise<void> {
  at.sink.failAt = (here) => {
    if (here === point) throw new Error('the broker is away');
  };
  await expect(at.step()).rejects.toThrow('the broker is away');
  at.sink.failAt = null;
}

describe.each([
  ['dies', true],
  ['goes on', false],
])('a rise that a late trace gives names to, where the report of them fails and the watcher %s', (_title, restarts) => {
  test.each(['before accept', 'after accept'] as const)('leaves its sighting to nobody: %s', async (point) => {
    at.node.traces = 'fails';
    const block = at.node.mine([pays(4), pays(5)]);
    await at.step();
    at.node.traces = true;
    at.node.timeSeconds += 120;
    at.node.mine([]);
    await failingLook(point);
    if (restarts) at.restart();
    at.node.mine([]);
    await at.step();
    at.node.traces = 'fails';
    at.node.mine([pays(8)]);
    await at.step();
    expect(sums(block)).toEqual({ inTime: 9n, all: 17n });
  });

  test('leaves it to nobody at the address of a closed payment', async () => {
    at.accounts.close(account);
    at.node.traces = 'fails';
    const block = at.node.mine([pays(4), pays(5)]);
    await at.step();
    at.accounts.makeDue(account);
    await at.step();
    at.node.traces = true;
    at.node.timeSeconds += 700;
    at.node.mine([]);
    await failingLook('before accept');
    if (restarts) at.restart();
    await at.step();
    await at.step();
    at.node.traces = 'fails';
    at.node.mine([pays(8)]);
    await at.step();
    at.accounts.makeDue(account);
    await at.step();
    expect(sums(block)).toEqual({ inTime: 9n, all: 17n });
  });
});

describe.each([
  ['a restart', true],
  ['no restart', false],
])('after %s', (_title, restarts) => {
  test('coins that moved apart move on in time, also where some of them are traced and the others are not', async () => {
    const [one, other] = [pays(5), pays(4)];
    const block = at.node.mine([one, other]);
    await at.step();
    const { internalTransfers } = at.node;
    const [first] = branchFrom(block.parentHash, [[one], [other]]);
    at.node.internalTransfers = async (addresses, height) =>
      height === first?.height ? internalTransfers(addresses, height) : null;
    await at.step();
    at.node.mine([]);
    await at.step();
    if (restarts) at.restart();
    branchFrom(first?.hash ?? '', [[], [other], []]);
    await at.step();
    expect(sums(block)).toEqual({ inTime: 9n, all: 9n });
  });

  test('they do beside a block of the same time', async () => {
    at.node.traces = false;
    const [one, other] = [pays(5), pays(4)];
    const block = at.node.mine([one, other]);
    await at.step();
    at.node.timeSeconds -= 12;
    const [first] = branchFrom(block.parentHash, [[one], [other]]);
    expect(first?.timeSeconds).toBe(block.timeSeconds);
    await at.step();
    at.node.mine([]);
    await at.step();
    if (restarts) at.restart();
    branchFrom(first?.hash ?? '', [[], [other], []]);
    await at.step();
    expect(sums(block)).toEqual({ inTime: 9n, all: 9n });
  });

  test('coins that are in their own block again take their sighting before others that come with them', async () => {
    at.node.traces = false;
    const [one, other] = [pays(5), pays(4)];
    const block = at.node.mine([one, other]);
    await at.step();
    branchFrom(block.parentHash, [[one], [other]]);
    await at.step();
    if (restarts) at.restart();
    at.node.timeSeconds += 700;
    branchFrom(block.hash, [[], [pays(3)]]);
    await at.step();
    expect(sums(block)).toEqual({ inTime: 9n, all: 12n });
  });
});

test('coins that are traced in their own block only now take their sighting before another of the same sum', async () => {
  at.node.traces = 'fails';
  const block = at.node.mine([pays(4), pays(5)]);
  await at.step();
  branchFrom(block.parentHash, [[], block.transactions]);
  await at.step();
  at.node.timeSeconds += 700;
  at.node.traces = true;
  branchFrom(block.hash, [[], [pays(9)]]);
  await at.step();
  expect(sums(block)).toEqual({ inTime: 9n, all: 18n });
});

test('so do coins that a failed look had found without a trace', async () => {
  at.node.traces = 'fails';
  const block = at.node.mine([pays(4), pays(5)]);
  await failingLook('after accept');
  at.node.timeSeconds += 700;
  at.node.traces = true;
  at.node.mine([pays(9)]);
  await at.step();
  expect(sums(block)).toEqual({ inTime: 9n, all: 18n });
});

test.each([
  ['traced', true],
  ['a plain transfer', false],
])(
  'a transaction that used the nonce again (%s) has the sighting, and no others have it too',
  async (_title, isTraced) => {
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.step();
    const parts = { from: paid.from, nonce: paid.nonce };
    const again = isTraced ? contractCoins([{ to: address(0), valueWei: 9n }], parts) : coins(address(0), 9n, parts);
    branchFrom(block.parentHash, [[], [again]]);
    await at.step();
    at.node.traces = 'fails';
    at.node.mine([]);
    await at.step();
    at.node.mine([pays(9)]);
    await at.step();
    expect(sums(block)).toEqual({ inTime: 9n, all: 18n });
  },
);
