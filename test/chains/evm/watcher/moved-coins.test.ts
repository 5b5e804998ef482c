import { beforeEach, describe, expect, test } from 'vitest';
import { RetryableError } from '../../../../src/platform/errors.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeBlock,
  type FakeTransaction,
  otherAddress,
  transaction,
} from '../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, increaseAt, mineEmpty } from './harness.ts';
import { liveRecords, mostShown, shownSums } from './histories/shown-sums.ts';

/**
 * Coins that a reorganisation moves to another output id count once, and keep their first sighting.
 */

const account = { watchKey: address(0), asset: COIN } as const;
const tether = { watchKey: address(0), asset: 'USDT' } as const;
let at: EvmHarness;

beforeEach(async () => {
  at = createEvmHarness();
  mineEmpty(at, 20);
  at.accounts.open(account);
  at.accounts.open(tether);
  await at.step();
});

/** Replaces all blocks from this one on by a branch with these transactions, one list per block. */
async function reorganise(from: FakeBlock, blocks: readonly (readonly FakeTransaction[])[]): Promise<void> {
  let tip = from.parentHash;
  for (const transactions of blocks) tip = at.node.build(tip, transactions).hash;
  at.node.setBest(tip, () => false);
  await at.step();
}

function pays(valueWei: bigint): FakeTransaction {
  return contractCoins([{ to: address(0), valueWei }]);
}

/** Tokens in several logs of one transaction, by default for the test's address. */
function logs({ to = address(0), ...parts }: Partial<FakeTransaction>, ...amounts: bigint[]): FakeTransaction {
  const transfer = { token: 'USDT', from: otherAddress(1), to: to ?? otherAddress(2), keptBaseUnits: 0n } as const;
  return transaction({ ...parts, tokens: amounts.map((amountBaseUnits) => ({ ...transfer, amountBaseUnits })) });
}

/** Mines it on a parent after enough other logs that its first log has this index. */
function mineAt(parentHash: string, paid: FakeTransaction, logIndex: number): FakeBlock {
  for (let others = 0; others <= logIndex; others += 1) {
    const built = at.node.build(parentHash, [logs({ to: null }, ...Array<bigint>(others).fill(1n)), paid]);
    const [first] = at.node.transfersIn(built).filter(({ txid }) => txid === paid.txid);
    if (first?.logIndex !== logIndex) continue;
    at.node.setBest(built.hash, () => false);
    return built;
  }
  throw new Error('every block begins above this index');
}

describe('coins known by a balance, moved to another block', () => {
  beforeEach(() => {
    at.node.traces = false;
  });

  test('never count twice', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(block, [[], [paid]]);
    expect(shownSums(at, account)).toEqual([9n, 9n, 9n]);
    expect(mostShown(at, account)).toBe(9n);
    expect(liveRecords(at, account)).toMatchObject([{ outputId: increaseAt(at, 0, 22, block) }]);
  });

  test('never count twice when two moves overtake each other', async () => {
    const paid = pays(9n);
    const first = at.node.mine([paid]);
    await at.step();
    await reorganise(first, [[], [paid]]);
    await reorganise(first, [[], [], [paid]]);
    expect(mostShown(at, account)).toBe(9n);
    expect(liveRecords(at, account)).toMatchObject([{ outputId: increaseAt(at, 0, 23, first) }]);
  });

  test('never count twice when they are found one poll after they were reported as gone', async () => {
    const paid = pays(9n);
    const first = at.node.mine([paid]);
    await at.step();
    await reorganise(first, [[], []]);
    at.node.mine([paid]);
    await at.step();
    expect(shownSums(at, account)).toEqual([9n, 0n, 9n]);
    expect(mostShown(at, account)).toBe(9n);
  });

  test('never count twice in another block of the same height', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    const before = increaseAt(at, 0, 21);
    await reorganise(block, [[paid]]);
    expect(increaseAt(at, 0, 21)).not.toBe(before);
    expect(shownSums(at, account)).toEqual([9n, 9n, 9n]);
    expect(mostShown(at, account)).toBe(9n);
    const firstSeenAt = block.timeSeconds * 1000;
    expect(liveRecords(at, account)).toMatchObject([{ outputId: increaseAt(at, 0, 21, block), firstSeenAt }]);
  });

  test('are never shown with less at any time, when several move and other coins are new', async () => {
    const [one, other] = [pays(9n), pays(5n)];
    const block = at.node.mine([one]);
    at.node.mine([other]);
    await at.step();
    await reorganise(block, [[], [other], [one], [pays(2n)]]);
    expect(shownSums(at, account)).toEqual([9n, 14n, 14n, 14n, 16n, 16n, 16n]);
    expect(mostShown(at, account)).toBe(16n);
  });

  test('never count twice when only a part of them moves', async () => {
    const [one, other] = [pays(9n), pays(5n)];
    const block = at.node.mine([one, other]);
    await at.step();
    await reorganise(block, [[one], [other]]);
    expect(shownSums(at, account)).toEqual([14n, 9n, 14n, 14n]);
    expect(mostShown(at, account)).toBe(14n);
  });

  test('never count twice when one block contains them with others', async () => {
    const [one, other] = [pays(9n), pays(5n)];
    const block = at.node.mine([one]);
    at.node.mine([other]);
    await at.step();
    await reorganise(block, [[one, other, pays(2n)], []]);
    expect(shownSums(at, account)).toEqual([9n, 14n, 14n, 14n, 16n, 16n, 16n]);
    expect(mostShown(at, account)).toBe(16n);
  });

  test('never count twice while a branch longer than one poll reads is scanned', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(block, [[], [], [paid], ...Array.from({ length: 30 }, () => [])]);
    expect(shownSums(at, account)).toEqual([9n, 9n, 9n]);
  });

  test('never count twice when the new block can be traced', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = true;
    await reorganise(block, [[], [paid]]);
    expect(shownSums(at, account)).toEqual([9n, 9n, 9n]);
    expect(mostShown(at, account)).toBe(9n);
    expect(liveRecords(at, account)).toMatchObject([{ outputId: `${paid.txid}:internal:${address(0)}` }]);
  });
});

describe('coins whose transactions are traced only later', () => {
  beforeEach(() => {
    at.node.traces = false;
  });

  test('never count twice after a failed report', async () => {
    at.node.mine([pays(8n)]);
    await at.step();
    at.node.traces = true;
    at.sink.failAt = () => {
      throw new Error('the broker is away');
    };
    await expect(at.step()).rejects.toThrow('the broker is away');
    at.sink.failAt = null;
    await at.step();
    expect(new Set(shownSums(at, account))).toEqual(new Set([8n]));
  });

  test('never count twice and are never missing, as a part or as a whole', async () => {
    at.node.mine([pays(5n)], [{ ...account, baseUnits: 3n }]);
    at.node.mine([pays(6n), pays(7n)]);
    await at.step();
    at.node.traces = true;
    await at.step();
    expect(shownSums(at, account)).toEqual([8n, 21n]);
  });
});

describe('coins that were in time', () => {
  /** First sightings of the final coins, by amount. */
  const sightings = () =>
    Object.fromEntries(liveRecords(at, account).map((each) => [each.amountBaseUnits, each.firstSeenAt]));

  test.each([
    ['without traces', false, false],
    ['where only the new block can be traced', false, true],
    ['where the new block cannot be traced any more', true, false],
  ])('stay in time in a later block, %s', async (_title, tracedBefore, tracedAfter) => {
    at.node.traces = tracedBefore;
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = tracedAfter;
    await reorganise(block, [[], [], [paid]]);
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000 });
  });

  test('take no sighting of other coins read only after them', async () => {
    at.node.traces = false;
    at.accounts.close(account);
    for (const watchKey of [address(1), address(0)]) at.accounts.open({ watchKey, asset: COIN });
    const block = at.node.mine([pays(9n)]);
    at.sink.failAt = () => {
      throw new Error('the broker is away');
    };
    await expect(at.step()).rejects.toThrow('the broker is away');
    at.sink.failAt = null;
    const late = at.node.mine([contractCoins([{ to: address(1), valueWei: 3n }]), pays(8n)]);
    await at.step();
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000, 8: late.timeSeconds * 1000 });
  });

  test('stay in time with a restart between the two branches', async () => {
    at.node.traces = false;
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.restart();
    await reorganise(block, [[], [paid]]);
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000 });
  });

  test('stay in time at an address whose payment is closed', async () => {
    at.node.traces = false;
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.accounts.close(account);
    await reorganise(block, [[], [paid]]);
    await at.step();
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000 });
  });

  test('stay in time when they are found only in a later poll, and once', async () => {
    at.node.traces = false;
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(block, [[]]);
    expect(liveRecords(at, account)).toEqual([]);
    mineEmpty(at, 2);
    await at.step();
    at.node.mine([paid]);
    const late = at.node.mine([pays(8n)]);
    await at.step();
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000, 8: late.timeSeconds * 1000 });
  });

  test('are lost after a hundred blocks: later coins are new', async () => {
    at.node.traces = false;
    const block = at.node.mine([pays(9n)]);
    await at.step();
    await reorganise(block, [[]]);
    mineEmpty(at, 101);
    await at.step();
    const late = at.node.mine([pays(9n)]);
    await at.step();
    expect(sightings()).toEqual({ 9: late.timeSeconds * 1000 });
  });

  test('are distinguished from late ones by their amounts, whatever their new order', async () => {
    at.node.traces = false;
    const [early, late] = [pays(9n), pays(5n)];
    const block = at.node.mine([early]);
    mineEmpty(at, 1);
    const next = at.node.mine([late]);
    await at.step();
    await reorganise(block, [[], [late], [], [early]]);
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000, 5: next.timeSeconds * 1000 });
  });

  test('are distinguished from late ones by their amounts when the two swap places', async () => {
    at.node.traces = false;
    const [early, late] = [pays(9n), pays(5n)];
    const block = at.node.mine([early]);
    const next = at.node.mine([late]);
    await at.step();
    await reorganise(block, [[late], [early]]);
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000, 5: next.timeSeconds * 1000 });
  });

  test('keep their sighting when the chain returns to the block they were in first', async () => {
    at.node.traces = false;
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(block, [[paid]]);
    at.node.setBest(block.hash, () => false);
    mineEmpty(at, 1);
    const late = at.node.mine([pays(8n)]);
    await at.step();
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000, 8: late.timeSeconds * 1000 });
    expect(shownSums(at, account)).toEqual([9n, 9n, 9n, 9n, 17n, 17n]);
  });

  test('pass their sighting on once, also when a branch is read in several batches', async () => {
    const block = at.node.mine([pays(10n)]);
    await at.step();
    at.node.traces = false;
    const branch = Array.from({ length: 30 }, (_, index) =>
      index === 1 ? [pays(4n)] : index === 15 ? [pays(9n)] : [],
    );
    await reorganise(block, branch);
    const inTime = block.timeSeconds * 1000;
    expect(sightings()).toEqual({ 4: inTime, 6: inTime, 3: expect.any(Number) });
    expect(sightings()[3]).toBeGreaterThan(inTime);
  });

  test('are matched by the whole sum before a part of the one in their place', async () => {
    at.node.traces = false;
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(block, [[pays(1n)], [paid]]);
    expect(sightings()[9]).toBe(block.timeSeconds * 1000);
  });

  test('keep a sighting each when one block contains them all', async () => {
    at.node.traces = false;
    const [early, late] = [pays(9n), pays(5n)];
    const block = at.node.mine([early]);
    const next = at.node.mine([late]);
    await at.step();
    await reorganise(block, [[], [early, late]]);
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000, 5: next.timeSeconds * 1000 });
  });

  test('get the old rate for no more than their amount', async () => {
    at.node.traces = false;
    const block = at.node.mine([pays(1n)]);
    await at.step();
    await reorganise(block, [[], [pays(9n)]]);
    expect(sightings()).toEqual({ 1: block.timeSeconds * 1000, 8: at.node.best().timeSeconds * 1000 });
  });
});

describe('coins known by a balance, moved in a failed poll', () => {
  test.each(['before accept', 'after accept'])(
    'are never shown with less when the poll is repeated: %s',
    async (failure) => {
      at.node.traces = false;
      const paid = pays(9n);
      const block = at.node.mine([paid]);
      await at.step();
      at.sink.failAt = (point) => {
        if (point === failure) throw new Error('the broker is away');
      };
      await expect(reorganise(block, [[paid], []])).rejects.toThrow('the broker is away');
      at.sink.failAt = null;
      await at.step();
      expect(new Set(shownSums(at, account))).toEqual(new Set([9n]));
      expect(mostShown(at, account)).toBe(9n);
    },
  );
});

describe('coins that return after a failed poll', () => {
  const sightings = () =>
    Object.fromEntries(liveRecords(at, account).map((each) => [each.amountBaseUnits, each.firstSeenAt]));

  beforeEach(() => {
    at.node.traces = false;
  });

  type Failing = 'node' | 'list of unsettled outputs' | 'sink' | 'sink, after it accepted' | 'saved progress';

  /** Polls once while a part fails; the sink accepts before the progress is saved. */
  async function failingPoll(part: Failing): Promise<void> {
    const reported = at.sink.observations.length;
    const cut = (isPoint: boolean) => {
      if (isPoint) throw new Error('power cut');
    };
    if (part === 'node') at.node.beforeCall = (method) => cut(method === 'heads');
    if (part === 'list of unsettled outputs') at.store.crashAt = (point) => cut(point === 'before save');
    if (part === 'sink') at.sink.failAt = (point) => cut(point === 'before accept');
    if (part === 'sink, after it accepted') at.sink.failAt = (point) => cut(point === 'after accept');
    if (part === 'saved progress') at.store.crashAt = () => cut(at.sink.observations.length > reported);
    await expect(at.step()).rejects.toThrow('power cut');
    at.node.beforeCall = null;
    at.store.crashAt = null;
    at.sink.failAt = null;
  }

  test('keep their sighting', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(block, [[]]);
    await failingPoll('node');
    at.node.mine([paid]);
    await at.step();
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000 });
  });

  test('keep their sighting when the poll that reported them gone could not be saved', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.setBest(at.node.build(block.parentHash, []).hash, () => false);
    await failingPoll('saved progress');
    await at.step();
    at.node.mine([paid]);
    const late = at.node.mine([pays(8n)]);
    await at.step();
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000, 8: late.timeSeconds * 1000 });
  });

  test.each<Failing>(['list of unsettled outputs', 'sink', 'sink, after it accepted', 'saved progress'])(
    'pass it to no others when they were found in the failed poll: %s',
    async (part) => {
      const paid = pays(9n);
      const block = at.node.mine([paid]);
      await at.step();
      at.node.setBest(at.node.build(at.node.build(block.parentHash, []).hash, [paid]).hash, () => false);
      await failingPoll(part);
      const late = at.node.mine([pays(8n)]);
      await at.step();
      expect(sightings()).toEqual({ 9: block.timeSeconds * 1000, 8: late.timeSeconds * 1000 });
    },
  );

  test.each([
    ['keep it where another watcher has had the turn meanwhile', false],
    ['have lost it where that one gave it to others', true],
  ])('%s', async (_title, isGiven) => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(block, [[]]);
    at.sink.failAt = () => {
      throw new RetryableError('WATCHER_FENCED', 'another watcher has the turn');
    };
    at.node.mine([coins(address(0), 1n)]);
    await expect(at.step()).rejects.toThrow('another watcher');
    at.sink.failAt = null;
    await at.store.nextEpoch();
    const saved = at.store.saves.at(-1);
    if (isGiven && saved !== undefined) await at.store.saveProgress({ ...saved, reorged: [] });
    const late = at.node.mine([pays(9n)]);
    await at.step();
    expect(sightings()[9]).toBe((isGiven ? late : block).timeSeconds * 1000);
  });
});

describe('a traced transaction that can no longer be traced', () => {
  const sightings = () =>
    Object.fromEntries(liveRecords(at, account).map((each) => [each.amountBaseUnits, each.firstSeenAt]));
  const empty = (count: number) => Array.from({ length: count }, () => []);

  test.each([
    ['waits again after a reorganisation', 0],
    ['waits again while a longer branch than one poll reads at once is scanned', 30],
  ])('keeps its own sighting where it %s', async (_title, more) => {
    const paid = contractCoins([{ to: address(0), valueWei: 10n }], { from: otherAddress(1), nonce: 0 });
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    let tip = at.node.build(block.parentHash, [pays(9n)]);
    const other = tip.timeSeconds * 1000;
    for (let built = 0; built < more; built += 1) tip = at.node.build(tip.hash, []);
    at.node.setBest(tip.hash, () => true);
    await at.step();
    expect(sightings()).toEqual({ 10: block.timeSeconds * 1000, 9: other });
    at.node.mine();
    await at.step();
    expect(sightings()).toEqual({ 10: block.timeSeconds * 1000, 9: other });
    expect(mostShown(at, account)).toBe(19n);
  });

  test('keeps its sighting where it is in a later batch of a long branch than other coins', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 10n }], { from: otherAddress(1), nonce: 0 });
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    await reorganise(block, [[pays(9n)], ...empty(20), [paid], ...empty(20)]);
    expect(sightings()[10]).toBe(block.timeSeconds * 1000);
    expect(sightings()[9]).toBeGreaterThan(block.timeSeconds * 1000);
    expect(shownSums(at, account)).toEqual([10n, 19n, 19n, 19n]);
  });

  test('never counts twice while a branch longer than one poll reads is scanned', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    await reorganise(block, [[], [], [paid], ...empty(30)]);
    expect(shownSums(at, account)).toEqual([9n, 9n, 9n]);
    expect(mostShown(at, account)).toBe(9n);
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000 });
  });

  test('keeps its sighting for the rest of it when a part was first matched to the whole', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    const [some, rest] = [pays(4n), pays(5n)];
    await reorganise(block, [[some], ...empty(15), [rest], ...empty(15)]);
    expect(sightings()).toEqual({ 4: block.timeSeconds * 1000, 5: block.timeSeconds * 1000 });
    expect(shownSums(at, account)).toEqual([9n, 4n, 4n, 9n]);
  });

  test('keeps its sighting for a hundred blocks after it is gone', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    await reorganise(block, [[]]);
    expect(liveRecords(at, account)).toEqual([]);
    mineEmpty(at, 2);
    await at.step();
    at.node.mine([paid]);
    await at.step();
    expect(sightings()).toEqual({ 9: block.timeSeconds * 1000 });
  });

  test('is new a hundred blocks after it is gone', async () => {
    const block = at.node.mine([pays(9n)]);
    await at.step();
    at.node.traces = false;
    await reorganise(block, [[]]);
    mineEmpty(at, 101);
    await at.step();
    const late = at.node.mine([pays(9n)]);
    await at.step();
    expect(sightings()).toEqual({ 9: late.timeSeconds * 1000 });
  });

  test('passes its sighting on when another transaction has used its nonce, although the node lists it', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 10n }], { from: otherAddress(1), nonce: 0 });
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = false;
    at.node.keepsReplaced = true;
    const instead = { ...pays(10n), from: paid.from, nonce: paid.nonce };
    at.node.setBest(at.node.build(block.parentHash, [instead]).hash, () => true);
    await at.step();
    expect(sightings()).toEqual({ 10: block.timeSeconds * 1000 });
  });
});

describe('a transaction that is executed again in another block', () => {
  test('with another amount from a contract never counts twice', async () => {
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    await reorganise(block, [[], [{ ...paid, internal: [{ to: address(0), valueWei: 7n }] }]]);
    expect(shownSums(at, account)).toEqual([9n, 7n]);
  });

  test('with another amount never counts twice when its coins were known by a balance before', async () => {
    at.node.traces = false;
    const paid = pays(9n);
    const block = at.node.mine([paid]);
    await at.step();
    at.node.traces = true;
    await at.step();
    await reorganise(block, [[], [{ ...paid, internal: [{ to: address(0), valueWei: 7n }] }]]);
    expect(shownSums(at, account)).toEqual([9n, 9n, 0n, 7n]);
  });

  test.each([
    ['one log', 5, [100n], [98n], [100n, 0n, 98n]],
    ['two logs', 5, [100n, 50n], [98n, 49n], [100n, 150n, 50n, 98n, 147n]],
    ['three logs, one with what two had', 6, [4n, 4n, 3n], [5n, 5n, 4n], [4n, 8n, 11n, 7n, 7n, 9n, 14n, 14n]],
    ['two logs, one as before', 5, [100n, 50n], [100n, 60n], [100n, 150n, 100n, 160n, 160n]],
  ])('with another amount at another log index never counts twice: %s', async (_title, height, was, is, shown) => {
    const paid = logs({}, ...was);
    const block = mineAt(at.node.best().hash, paid, 4);
    await at.step();
    mineAt(block.parentHash, { ...paid, tokens: logs({}, ...is).tokens }, height);
    await at.step();
    expect(shownSums(at, tether)).toEqual(shown);
  });

  test('with another amount never counts twice while a long branch is scanned', async () => {
    const paid = logs({}, 100n);
    const block = mineAt(at.node.best().hash, paid, 4);
    await at.step();
    mineAt(block.parentHash, { ...paid, tokens: logs({}, 98n).tokens }, 5);
    mineEmpty(at, 30);
    await at.step();
    expect(shownSums(at, tether)).toEqual([100n, 0n, 98n]);
    expect(mostShown(at, tether)).toBe(100n);
  });
});

describe('several logs of one transaction', () => {
  test.each([
    ['later', 4, 5],
    ['earlier', 5, 4],
    ['much later', 4, 6],
  ])('that move to a place %s in the log count as a whole at any time', async (_title, was, is) => {
    const paid = logs({}, 100n, 50n, 30n);
    const block = mineAt(at.node.best().hash, paid, was);
    await at.step();
    mineAt(block.parentHash, paid, is);
    await at.step();
    expect(new Set(shownSums(at, tether).slice(2))).toEqual(new Set([180n]));
  });
});
