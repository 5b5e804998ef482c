import { expect, test } from 'vitest';
import { level } from '../../../support/run/level.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from './harness.ts';
import { shownSums } from './histories/shown-sums.ts';
import { account, branchFrom, pays, sums } from './sightings/sighting-support.ts';

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
        await pollBeside(at, { head, other: machine === 'at the fork' ? fork : old, first, span });
        await pollOn(at, isOpen, POLLS_AFTERWARDS);
        const story = `calls ${first} to ${first + span - 1}`;
        expect(sums(at, block), story).toEqual({ inTime: PAID, all: PAID });
        const shown = shownSums(at, account).slice(shownBefore);
        // Coins of a closed payment are found again by the balance check, at the end of a poll.
        expect(shown.filter((sum) => (isOpen ? sum !== PAID : sum > PAID))).toEqual([]);
      }
    }
  },
  120_000,
);

test.each([true, false])(
  'coins that were reported as gone return in time, whichever call a lagging machine answers: open: %s',
  async (isOpen) => {
    for (const span of SPANS) {
      for (let first = 0; first < CALLS; first += 1) {
        const { at, fork, paid, block } = await payTraced();
        if (!isOpen) at.accounts.close(account);
        branchFrom(at, fork, [[], [], []]);
        await pollOn(at, isOpen, 2);
        expect(sums(at, block)).toEqual({ inTime: 0n, all: 0n });
        at.node.traces = 'fails';
        const behind = at.node.best().hash;
        at.node.timeSeconds += 300;
        at.node.mine([paid]);
        const head = at.node.mine([]).hash;
        if (!isOpen) at.accounts.makeDue(account);
        await pollBeside(at, { head, other: behind, first, span });
        await pollOn(at, isOpen, POLLS_AFTERWARDS);
        expect(sums(at, block), `calls ${first} to ${first + span - 1}`).toEqual({ inTime: PAID, all: PAID });
      }
    }
  },
  120_000,
);

test('other coins never take their sighting, whichever call a lagging machine answers', async () => {
  for (let first = 0; first < CALLS; first += 1) {
    const { at, fork, paid, block } = await payTraced();
    branchFrom(at, fork, [[], [], []]);
    await at.step();
    at.node.traces = 'fails';
    const behind = at.node.best().hash;
    at.node.timeSeconds += 300;
    const others = at.node.mine([pays(Number(PAID))]);
    const own = at.node.mine([paid]);
    await pollBeside(at, { head: own.hash, other: behind, first, span: 1 });
    at.node.mine([]);
    await at.step();
    const inTime = at.live().filter(({ firstSeenAt }) => firstSeenAt <= block.timeSeconds * 1_000);
    const heightOf = ({ outputId }: { readonly outputId: string }) => Number(outputId.split(':')[2]);
    expect(inTime.map(heightOf), `call ${first}`).toEqual([own.height]);
    expect(new Set(at.live().map(heightOf))).toEqual(new Set([others.height, own.height]));
  }
}, 120_000);

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

/** A traced payment of an open account, seen in its block. */
async function payTraced() {
  const at = createEvmHarness({ params: { staleAfterMs: 600_000 } });
  mineEmpty(at, 20);
  at.accounts.open(account);
  await at.step();
  const fork = at.node.best().hash;
  const paid = pays(Number(PAID));
  const block = at.node.mine([paid]);
  await at.step();
  return { at, fork, paid, block };
}

interface Beside {
  readonly head: string;
  /** The newest block of the machine that answers some of the calls. */
  readonly other: string;
  readonly first: number;
  readonly span: number;
}

async function pollBeside(at: EvmHarness, { head, other, first, span }: Beside): Promise<void> {
  let served = 0;
  at.node.beforeCall = () => {
    const isOther = served >= first && served < first + span;
    at.node.setBest(isOther ? other : head, () => true);
    served += 1;
  };
  await at.step().catch((error: unknown) => expect(error).toMatchObject({ name: 'RetryableError' }));
  at.node.beforeCall = null;
  at.node.setBest(head, () => false);
}

async function pollOn(at: EvmHarness, isOpen: boolean, polls: number): Promise<void> {
  for (let poll = 0; poll < polls; poll += 1) {
    at.node.mine([]);
    if (!isOpen) at.accounts.makeDue(account);
    await at.step();
  }
}
