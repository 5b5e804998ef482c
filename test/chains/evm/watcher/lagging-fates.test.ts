import { expect, test } from 'vitest';
import { level } from '../../../support/level.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from './harness.ts';
import { shownSums } from './shown-sums.ts';
import { account, pays, sums } from './sighting-support.ts';

/**
 * A payment of a contract is mined again in a block that cannot be traced, and some calls of that
 * poll are answered by another machine: one that lags at the fork, or one that still shows the
 * branch that was undone.
 */

/** More than the calls of the poll. */
const CALLS = 34;
const SPANS = level.pick({ quick: [1], full: [1, 2, 3] });
const PAID = 9n;
const POLLS_AFTERWARDS = 3;

const CASES = (['at the fork', 'on the undone branch'] as const).flatMap((machine) =>
  [true, false].flatMap((isTraced) => [true, false].map((isOpen) => ({ machine, isTraced, isOpen }))),
);

test.each(CASES)(
  'coins stay in time and count once, whichever call a machine answers: $machine, traced before: $isTraced, open: $isOpen',
  async ({ machine, isTraced, isOpen }) => {
    for (const span of SPANS) {
      for (let first = 0; first < CALLS; first += 1) {
        const { at, fork, old, head, block } = await mineAgain(isTraced, isOpen);
        const shownBefore = shownSums(at, account).length;
        let served = 0;
        at.node.beforeCall = () => {
          const isOther = served >= first && served < first + span;
          at.node.setBest(isOther ? (machine === 'at the fork' ? fork : old) : head, () => true);
          served += 1;
        };
        await at.step().catch((error: unknown) => expect(error).toMatchObject({ name: 'RetryableError' }));
        at.node.beforeCall = null;
        at.node.setBest(head, () => false);
        await pollOn(at, isOpen);
        const story = `calls ${first} to ${first + span - 1}`;
        expect(sums(at, block), story).toEqual({ inTime: PAID, all: PAID });
        const shown = shownSums(at, account).slice(shownBefore);
        // Coins of a closed payment are found again by the sweep, at the end of a poll.
        expect(shown.filter((sum) => (isOpen ? sum !== PAID : sum > PAID))).toEqual([]);
      }
    }
  },
  120_000,
);

// Helpers

async function mineAgain(isTraced: boolean, isOpen: boolean) {
  const at = createEvmHarness({ params: { staleAfterMs: 600_000 } });
  mineEmpty(at, 20);
  at.accounts.open(account);
  at.node.traces = isTraced;
  await at.step();
  const fork = at.node.best().hash;
  const paid = pays(Number(PAID));
  const block = at.node.mine([paid]);
  await at.step();
  if (!isOpen) {
    at.accounts.close(account);
    at.accounts.makeDue(account);
    mineEmpty(at, 1);
    await at.step();
  }
  at.node.traces = 'fails';
  const old = at.node.best().hash;
  at.node.timeSeconds += 300;
  const again = at.node.build(at.node.build(fork, []).hash, [paid]).hash;
  const head = at.node.build(at.node.build(again, []).hash, []).hash;
  at.node.setBest(head, () => false);
  return { at, fork, old, head, block };
}

async function pollOn(at: EvmHarness, isOpen: boolean): Promise<void> {
  for (let poll = 0; poll < POLLS_AFTERWARDS; poll += 1) {
    at.node.mine([]);
    if (!isOpen) at.accounts.makeDue(account);
    await at.step();
  }
}
