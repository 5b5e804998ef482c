import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { UNSENT_GRACE_MS } from '../../../../../src/chains/evm/balance-check/confirmed-balances.ts';
import type { EvmNode } from '../../../../../src/chains/evm/node/evm-node.ts';
import { LeftChainError } from '../../../../../src/chains/evm/node/state-at.ts';
import { webhooksOf } from '../../../../machines/transaction/actor-run.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeBlock,
  type FakeTransaction,
  tokens,
} from '../../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from '../harness.ts';
import { openNotifiedPayment, passTimers } from '../verify/notified-payment.ts';

/**
 * The first endpoint is wrong about balances, in some blocks. The second is right, and receives
 * each block with the first or only after a poll.
 */

const account = { watchKey: address(0), asset: COIN } as const;
const usdc = { watchKey: address(0), asset: 'USDC' } as const;
const SECONDS = ['with the first', 'later'] as const;
type Receives = (typeof SECONDS)[number];

let at: EvmHarness;
/** Whether the first endpoint is wrong, and what it returns then. */
let wrongAbout: (height: number) => bigint | null;
/** The second endpoint receives what the first has. */
let receive: () => void;

beforeEach(() => {
  at = begin('with the first');
});

function begin(receives: Receives): EvmHarness {
  const begun = createEvmHarness({ params: { staleAfterMs: 600_000 } });
  const { node } = begun;
  const { balances } = node;
  let received = 0;
  wrongAbout = () => null;
  receive = () => {
    received = node.best().height;
  };
  node.balances = async (accounts, block) => {
    const wrong = wrongAbout(block.height);
    return wrong === null ? balances(accounts, block) : accounts.map(() => wrong);
  };
  node.second.balances = async (accounts, block) => {
    if (receives === 'later' && block.height > received) throw new LeftChainError(block);
    return balances(accounts, block);
  };
  begun.restart();
  mineEmpty(begun, 20);
  return begun;
}

async function pollTwice(harness: EvmHarness): Promise<void> {
  await harness.step();
  receive();
  await harness.step();
}

function sum({ live }: EvmHarness): bigint {
  return live().reduce((total, { amountBaseUnits }) => total + amountBaseUnits, 0n);
}

async function pollBlocks(harness: EvmHarness, count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    mineEmpty(harness, 1);
    await pollTwice(harness);
  }
}

function openPayment(dueBaseUnits: string, windowMs = 1_800_000) {
  const { sink, watcher, clock, accounts } = at;
  const payment = openNotifiedPayment({
    dueBaseUnits,
    confirmationsRequired: 3,
    windowMs,
    observations: sink.observations,
    watcher,
    now: clock.now,
  });
  accounts.open(account, true, clock.now());
  return {
    payment,
    async poll() {
      await pollTwice(at);
      payment.receive();
      if ((at.store.syncedUntil() ?? 0) >= clock.now()) await passTimers(at, payment);
    },
  };
}

describe.each(SECONDS)('a wrong balance, while the second endpoint receives blocks %s,', (receives) => {
  beforeEach(() => {
    at = begin(receives);
  });

  test.each([7n, 0n])('of %s in one block completes nothing, and loses nothing', async (wrong) => {
    const { payment, poll } = openPayment('12');
    await poll();
    at.node.mine([coins(address(0), 6n)]);
    await poll();
    const height = at.node.best().height + 2;
    wrongAbout = (each) => (each === height ? wrong : null);
    for (let n = 0; n < 10; n += 1) {
      mineEmpty(at, 1);
      await poll();
    }
    expect(sum(at)).toBe(6n);
    expect(at.drops).toEqual([]);
    expect(webhooksOf(payment.run)).not.toContain('payment.completed');
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(at.watcher().status().warnings).toEqual([]);
  });

  test('in the check of a closed account does not make its payment overpaid', async () => {
    const { payment, poll } = openPayment('12');
    await poll();
    at.node.mine([coins(address(0), 12n)]);
    for (let n = 0; n < 6; n += 1) {
      await poll();
      mineEmpty(at, 1);
    }
    expect(webhooksOf(payment.run)).toContain('payment.completed');
    at.accounts.close(account);
    await poll();
    for (const wrong of [0n, null, null, null, null, null]) {
      wrongAbout = () => wrong;
      at.accounts.makeDue(account);
      mineEmpty(at, 1);
      await poll();
    }
    expect(webhooksOf(payment.run)).not.toContain('payment.overpaid');
    expect(sum(at)).toBe(12n);
  });

  test('of a new address, of which nothing is expected, is not taken for its first balance', async () => {
    at.node.mine([contractCoins([{ to: address(0), valueWei: 50n }])]);
    await pollBlocks(at, 3);
    at.accounts.open(account);
    const { height } = at.node.best();
    wrongAbout = (each) => (each === height ? 0n : null);
    await pollBlocks(at, 2);
    wrongAbout = () => null;
    at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    await pollBlocks(at, 2);
    expect(sum(at)).toBe(7n);
  });

  test('invents and loses no coins in any history (property)', async () => {
    const block = fc.record({
      byContract: fc.bigInt({ min: 0n, max: 3n }),
      plain: fc.bigInt({ min: 0n, max: 3n }),
      wrong: fc.option(fc.bigInt({ min: 0n, max: 20n })),
      undone: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, { arbitrary: fc.nat({ max: 3 }), weight: 1 }),
      isPolled: fc.boolean(),
      restarts: fc.boolean(),
    });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 8 }), async (blocks) => {
        const here = begin(receives);
        here.accounts.open(account, true, here.clock.now());
        await pollTwice(here);
        const wrongs = new Map<number, bigint | null>();
        wrongAbout = (height) => wrongs.get(height) ?? null;
        for (const { byContract, plain, wrong, undone, isPolled, restarts } of blocks) {
          const paying = [
            ...(plain > 0n ? [coins(address(0), plain)] : []),
            ...(byContract > 0n ? [contractCoins([{ to: address(0), valueWei: byContract }])] : []),
          ];
          mineAfterUndoing(here, undone, paying);
          wrongs.set(here.node.best().height, wrong);
          if (isPolled) await here.step();
          receive();
          if (restarts) here.restart();
        }
        wrongs.clear();
        await pollBlocks(here, 2);
        expect(sum(here)).toBe(paidInBest(here));
        expect(here.drops).toEqual([]);
        expect(here.store.syncedUntil()).toBe(here.clock.now());
      }),
      { numRuns: level.runs(300) },
    );
  });
});

test.each([1, 3])('coins sent in time count as in time after %i polls of disagreement', async (disputed) => {
  const windowMs = 10 * 60_000;
  const { payment, poll } = openPayment('7', windowMs);
  const endsAt = at.clock.now() + windowMs;
  await poll();
  mineEmpty(at, 48);
  await poll();
  const paid = at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
  expect(paid.timeSeconds * 1000).toBeLessThan(endsAt);
  wrongAbout = () => 9n;
  for (let n = 0; n < disputed; n += 1) {
    await poll();
    mineEmpty(at, 1);
  }
  await endDisagreement({ payment, poll }, paid);
});

test('coins to a new address that was found unused count after a disagreement', async () => {
  await at.step();
  wrongAbout = () => 99n;
  at.accounts.open(account, true, at.clock.now());
  await pollBlocks(at, 1);
  at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
  await pollBlocks(at, 2);
  wrongAbout = () => null;
  await pollBlocks(at, 3);
  expect(sum(at)).toBe(7n);
});

test('a wrong balance of the oldest block in memory does not count coins twice', async () => {
  const here = createEvmHarness({ historyBlocks: 10, params: { staleAfterMs: 600_000 } });
  mineEmpty(here, 20);
  here.accounts.open(account, true, here.clock.now());
  await here.step();
  here.node.mine([coins(address(0), 50n)]);
  await here.step();
  here.accounts.close(account);
  await pollBlocks(here, 30);
  lieAboutOld(here);
  here.accounts.forgetBalances();
  here.accounts.makeDue(account);
  await here.step();
  expect(sum(here)).toBe(50n);
});

test.each([
  ['before', 7n],
  ['after', 0n],
] as const)(
  'a wrong balance of an earlier block does not date coins of a closed account %s their block',
  async (_, wrong) => {
    at.node.traces = false;
    at.accounts.open(account);
    await pollBlocks(at, 1);
    at.accounts.close(account);
    await pollBlocks(at, 20);
    const paid = at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    await pollTwice(at);
    await pollBlocks(at, 10);
    const isOld = (height: number) => (wrong === 7n ? height < paid.height : height < paid.height + 5);
    wrongAbout = (height) => (isOld(height) ? wrong : null);
    at.accounts.makeDue(account);
    await at.step();
    expect(at.live()).toEqual([]);
    expect(at.watcher().status().warnings).toEqual([expect.stringContaining('Two responses about the ETH balance')]);
    expect(at.accounts.due()).toHaveLength(1);
    wrongAbout = () => null;
    await at.step();
    expect(at.live()).toMatchObject([{ amountBaseUnits: 7n, status: { height: paid.height } }]);
    expect(at.accounts.due()).toEqual([]);
    expect(at.watcher().status().warnings).toEqual([]);
  },
);

/** Coins that a contract sends in time while the endpoints disagree, until after the window. */
describe.each(['a restart', 'a failed poll', 'a reorganisation'] as const)('%s during a disagreement', (what) => {
  test('leaves coins sent in time in time, with their transaction', async () => {
    const windowMs = 10 * 60_000;
    const { payment, poll } = openPayment('7', windowMs);
    const endsAt = at.clock.now() + windowMs;
    await poll();
    mineEmpty(at, 40);
    await poll();
    const paid = at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    expect(paid.timeSeconds * 1000).toBeLessThan(endsAt);
    wrongAbout = () => 9n;
    for (let n = 0; n < 30; n += 1) {
      await poll();
      mineEmpty(at, 1);
    }
    if (what === 'a restart') at.restart();
    if (what === 'a reorganisation') mineAfterUndoing(at, 1, []);
    if (what === 'a failed poll') await failOnce(at);
    await poll();
    await endDisagreement({ payment, poll }, paid);
  });
});

describe('while the second endpoint cannot answer', () => {
  let isSilent = true;

  beforeEach(() => {
    isSilent = false;
    const { balances } = at.node.second;
    at.node.second.balances = async (accounts, block) => (isSilent ? null : balances(accounts, block));
    at.restart();
  });

  test('the first does not end a disagreement of both by repeating itself', async () => {
    const { payment, poll } = openPayment('12');
    await poll();
    const from = at.node.best().height + 1;
    wrongAbout = (height) => (height >= from ? 12n : null);
    for (let n = 0; n < 30; n += 1) {
      mineEmpty(at, 1);
      isSilent = n === 20;
      await poll();
    }
    expect(sum(at)).toBe(0n);
    expect(at.watcher().status().warnings).toEqual([expect.stringContaining('differ (12 and 0)')]);
    wrongAbout = () => null;
    await pollBlocks(at, 3);
    expect(webhooksOf(payment.run)).not.toContain('payment.completed');
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(at.watcher().status().warnings).toEqual([]);
  });

  test.each([2, 20])('coins of an address that sent nothing are still there, for %i polls', async (polls) => {
    const { payment, poll } = openPayment('12');
    await poll();
    at.node.mine([coins(address(0), 6n)]);
    await poll();
    isSilent = true;
    const from = at.node.best().height + 1;
    wrongAbout = (height) => (height >= from && height < from + polls ? 0n : null);
    for (let n = 0; n < polls + 20; n += 1) {
      mineEmpty(at, 1);
      await poll();
      if (n === 1) expect(at.watcher().status().warnings).toEqual([expect.stringContaining('has sent nothing')]);
    }
    expect(sum(at)).toBe(6n);
    expect(at.drops).toEqual([]);
    expect(webhooksOf(payment.run)).not.toContain('payment.completed');
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(at.watcher().status().warnings).toEqual([]);
  });

  test.each(['nothing else', 'a failed poll', 'a failed save'] as const)(
    'a balance that stays lower is believed, because the higher one was wrong: with %s',
    async (what) => {
      isSilent = true;
      const { poll } = openPayment('12');
      await poll();
      const from = at.node.best().height + 1;
      wrongAbout = (height) => (height === from ? 5n : null);
      mineEmpty(at, 1);
      await poll();
      expect(sum(at)).toBe(5n);
      await pollBlocks(at, UNSENT_GRACE_MS / 12_000 - 1);
      expect(at.drops).toEqual([]);
      if (what === 'a failed poll') await failOnce(at);
      if (what === 'a failed save') {
        at.store.crashAt = (point) => {
          if (point === 'before save' && at.drops.length > 0) throw new Error('power cut');
        };
        mineEmpty(at, 2);
        await expect(at.step()).rejects.toThrow('power cut');
        at.store.crashAt = null;
      }
      await pollBlocks(at, 3);
      expect(new Set(at.drops.map(({ missingBaseUnits }) => missingBaseUnits))).toEqual(new Set([5n]));
      expect(at.drops).toHaveLength(what === 'a failed save' ? 2 : 1);
      await pollBlocks(at, 3);
      expect(at.store.syncedUntil()).toBe(at.clock.now());
      expect(at.watcher().status().warnings).toEqual([]);
    },
  );

  test('a reorganisation does not let a balance count that fell although nothing was sent', async () => {
    isSilent = true;
    const { poll } = openPayment('12');
    await poll();
    at.node.mine([coins(address(0), 6n)]);
    await poll();
    mineEmpty(at, 5);
    await poll();
    wrongAbout = () => 0n;
    await pollBlocks(at, 2);
    mineAfterUndoing(at, 1, []);
    await pollTwice(at);
    wrongAbout = () => null;
    await pollBlocks(at, 5);
    expect(sum(at)).toBe(6n);
    expect(at.drops).toEqual([]);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
  });

  test('an expected balance from one endpoint does not end a disagreement of both', async () => {
    const { payment, poll } = openPayment('7', 10 * 60_000);
    await poll();
    const paid = at.node.mine([contractCoins([{ to: address(0), valueWei: 7n }])]);
    const { balances } = at.node.second;
    at.node.second.balances = async (accounts) => (isSilent ? null : accounts.map(() => 0n));
    await pollBlocks(at, 3);
    // The service uses the other one, which is wrong, and nothing else answers.
    isSilent = true;
    wrongAbout = () => 0n;
    await pollBlocks(at, 60);
    expect(webhooksOf(payment.run)).not.toContain('payment.expired');
    isSilent = false;
    at.node.second.balances = balances;
    wrongAbout = () => null;
    for (let n = 0; n < 12; n += 1) {
      await poll();
      mineEmpty(at, 1);
    }
    expect(payment.run.view().context.outputs.map(({ firstSeenAt }) => firstSeenAt)).toEqual([paid.timeSeconds * 1000]);
    expect(payment.run.view().leaf).toBe('completed');
  });
});

describe('a token payment', () => {
  test('is not lost while the second endpoint still has it', async () => {
    at.accounts.open(usdc, true, at.clock.now());
    await at.step();
    at.node.mine([tokens('USDC', address(0), 3n)]);
    await pollTwice(at);
    const from = at.node.best().height + 1;
    wrongAbout = (height) => (height >= from ? 0n : null);
    await pollBlocks(at, 20);
    expect(at.drops).toEqual([]);
    expect(at.watcher().status().warnings).toContainEqual(
      expect.stringContaining('Two responses about the USDC balance'),
    );
    wrongAbout = () => null;
    await pollBlocks(at, 2);
    expect(at.drops).toEqual([]);
    expect(sum(at)).toBe(3n);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
    expect(at.watcher().status().warnings).toEqual([]);
  });

  test('counts in full when one wrong balance would cut it', async () => {
    at.accounts.open(usdc, true, at.clock.now());
    await at.step();
    at.node.mine([tokens('USDC', address(0), 5n)]);
    const { height } = at.node.best();
    wrongAbout = (each) => (each === height ? 0n : null);
    await pollTwice(at);
    wrongAbout = () => null;
    await pollBlocks(at, 5);
    expect(sum(at)).toBe(5n);
    expect(at.store.syncedUntil()).toBe(at.clock.now());
  });

  test('is found at the first endpoint when that lists it late and the second not at all', async () => {
    at.accounts.open(usdc, true, at.clock.now());
    await at.step();
    let isHidden = true;
    const { tokenTransfers } = at.node;
    const paid = at.node.mine([tokens('USDC', address(0), 5n)]);
    at.node.second.tokenTransfers = () => Promise.resolve([]);
    at.node.tokenTransfers = async (range) =>
      (await tokenTransfers(range)).filter(({ height }) => !(isHidden && height === paid.height));
    at.restart();
    await pollBlocks(at, 110);
    isHidden = false;
    await pollBlocks(at, 12);
    expect(sum(at)).toBe(5n);
  });
});

// Helpers

/** Both endpoints are right again: the payment is completed by coins that came in that block. */
async function endDisagreement({ payment, poll }: ReturnType<typeof openPayment>, paid: FakeBlock): Promise<void> {
  wrongAbout = () => null;
  for (let n = 0; n < 12; n += 1) {
    await poll();
    mineEmpty(at, 1);
  }
  const { context, leaf } = payment.run.view();
  expect(context.outputs.map(({ firstSeenAt, txid }) => [firstSeenAt, txid])).toEqual([
    [paid.timeSeconds * 1000, paid.transactions[0]?.txid],
  ]);
  expect(leaf).toBe('completed');
}

async function failOnce(harness: EvmHarness): Promise<void> {
  harness.node.beforeCall = () => {
    throw new Error('429');
  };
  await expect(harness.step()).rejects.toThrow('429');
  harness.node.beforeCall = null;
}

/** The first endpoint returns zero for blocks below the newest five; the second is right. */
function lieAboutOld({ node, restart }: EvmHarness): void {
  const right: EvmNode['balances'] = node.balances;
  node.second.balances = right;
  node.balances = async (accounts, block) =>
    block.height < node.best().height - 5 ? accounts.map(() => 0n) : right(accounts, block);
  restart();
}

/** Mines these transactions in a block, after as many empty ones as are undone with their coins. */
function mineAfterUndoing({ node }: EvmHarness, undone: number, paying: readonly FakeTransaction[]): void {
  const branch = node.bestBranch();
  const fork = branch[branch.length - 1 - undone];
  if (undone === 0 || fork === undefined || fork.height <= 20) {
    node.mine(paying);
    return;
  }
  let { hash } = fork;
  for (let built = 0; built < undone; built += 1) ({ hash } = node.build(hash, []));
  node.setBest(node.build(hash, paying).hash, () => false);
}

function paidInBest({ node }: EvmHarness): bigint {
  const transactions = node.bestBranch().flatMap((block) => block.transactions);
  return transactions.reduce((total, { to, valueWei, internal }) => {
    const byContract = internal.filter((transfer) => transfer.to === address(0));
    const plain = to === address(0) ? valueWei : 0n;
    return byContract.reduce((sumSoFar, transfer) => sumSoFar + transfer.valueWei, total + plain);
  }, 0n);
}
