import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumBaseUnits } from '../../../../machines/vocabulary/amount.ts';
import { address, COIN, coins, type FakeTransaction, tokens } from '../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from './harness.ts';
import { liveRecords } from './histories/shown-sums.ts';
import { pays } from './sightings/sighting-support.ts';

/**
 * A node, or one of several machines behind its URL, is on a sibling of the head for some calls of
 * a poll and back on the best chain for the next ones.
 */

const WAYS = ['USDT', 'a transfer', 'a contract'] as const;
type Way = (typeof WAYS)[number];

/** 9 base units for the address. */
function payment(way: Way): FakeTransaction {
  if (way === 'USDT') return tokens('USDT', address(0), 9n);
  return way === 'a transfer' ? coins(address(0), 9n) : pays(9);
}

interface Detour {
  readonly way: Way;
  /** Whether the best chain has the payment, and whether the sibling has it. */
  readonly isPaid: boolean;
  readonly isPaidInSibling: boolean;
  readonly isOpen: boolean;
  /** The calls of the poll, counted from 0, that see the sibling. */
  readonly fromCall: number;
  readonly calls: number;
}

async function follow({ way, isPaid, isPaidInSibling, isOpen, fromCall, calls }: Detour): Promise<EvmHarness> {
  const at = createEvmHarness();
  const account = { watchKey: address(0), asset: way === 'USDT' ? way : COIN } as const;
  mineEmpty(at, 20);
  at.accounts.open(account, true);
  await at.step();
  if (!isOpen) at.accounts.close(account);
  const paid = payment(way);
  const sibling = at.node.build(at.node.best().hash, isPaidInSibling ? [paid] : []);
  const main = at.node.mine(isPaid ? [paid] : []);
  let served = 0;
  at.node.beforeCall = () => {
    const seesSibling = served >= fromCall && served < fromCall + calls;
    at.node.setBest(seesSibling ? sibling.hash : main.hash, () => false);
    served += 1;
  };
  await at.step();
  at.node.beforeCall = null;
  at.node.setBest(main.hash, () => false);
  for (let blocks = 0; blocks < 8; blocks += 1) {
    at.node.mine([]);
    at.accounts.makeDue(account);
    await at.step();
  }
  const shown = sumBaseUnits(liveRecords(at, account));
  expect({ shown, held: at.node.balance(account, at.node.best().hash) }).toEqual({ shown, held: shown });
  expect(at.drops).toEqual([]);
  return at;
}

test('readings from a sibling of the head neither add nor remove money', async () => {
  const detour = fc.record({
    way: fc.constantFrom(...WAYS),
    isPaid: fc.boolean(),
    isPaidInSibling: fc.boolean(),
    isOpen: fc.boolean(),
    fromCall: fc.nat(25),
    calls: fc.integer({ min: 1, max: 4 }),
  });
  await assertAsyncProperty(
    fc.asyncProperty(detour, async (each) => void (await follow(each))),
    { numRuns: level.runs(1_500) },
  );
});

test.each(WAYS)('%s is not lost when one balance is read from the sibling without it', async (way) => {
  await eachCall({ way, isPaid: true, isPaidInSibling: false });
});

test.each(WAYS)('%s is not invented when one balance is read from the sibling that has it', async (way) => {
  await eachCall({ way, isPaid: false, isPaidInSibling: true });
});

/** Every single call of the poll in turn, with the payment open and closed. */
async function eachCall(history: Pick<Detour, 'way' | 'isPaid' | 'isPaidInSibling'>): Promise<void> {
  for (const isOpen of [true, false]) {
    for (let fromCall = 0; fromCall < 25; fromCall += 1) await follow({ ...history, isOpen, fromCall, calls: 1 });
  }
}
