import fc from 'fast-check';
import { expect, test } from 'vitest';
import { address, coins } from '../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../support/run/fast-check.ts';
import { level } from '../../../support/run/level.ts';
import { createEvmHarness, type EvmHarness, type HarnessOptions, mineEmpty } from './harness.ts';
import { shownSums } from './histories/shown-sums.ts';
import { account, pays } from './sightings/sighting-support.ts';

/** Calls of a poll after a reorganisation; a machine that lags answers each of them in turn. */
const CALLS = 30;
const AMOUNT = 9n;

interface Reorganised {
  readonly at: EvmHarness;
  /** The newest block that both branches have. */
  readonly fork: string;
  readonly head: string;
}

/** A watcher that has caught up, with the account open. */
async function startOpen(options: HarnessOptions = {}): Promise<{ at: EvmHarness; fork: string }> {
  const at = createEvmHarness({ params: { staleAfterMs: 600_000 }, ...options });
  mineEmpty(at, 20);
  at.accounts.open(account);
  await at.step();
  return { at, fork: at.node.best().hash };
}

/** A closed payment of a contract whose block was undone; another one, higher up, has it now. */
async function undoPaymentBlock(traces: boolean): Promise<Reorganised> {
  const { at, fork } = await startOpen({ balanceCheckEveryMs: 60_000 });
  at.node.traces = traces;
  const paid = pays(Number(AMOUNT));
  at.node.mine([paid]);
  await at.step();
  at.accounts.close(account);
  at.accounts.makeDue(account);
  at.node.timeSeconds += 60;
  mineEmpty(at, 1);
  // Compares the accounts that are due: the next turn is a minute later.
  await at.step();
  expect(shownSums(at, account)).toEqual([AMOUNT]);
  const empty = at.node.build(fork, []).hash;
  const again = at.node.build(empty, [paid]).hash;
  const head = at.node.build(at.node.build(again, []).hash, []).hash;
  at.node.setBest(head, () => false);
  return { at, fork, head };
}

/** Polls while one call is answered by a machine that has no block above the fork. */
async function pollWhile({ at, fork, head }: Reorganised, lagging: number): Promise<void> {
  let served = 0;
  at.node.beforeCall = () => {
    at.node.setBest(served === lagging ? fork : head, () => true);
    served += 1;
  };
  await at.step().catch((error: unknown) => expect(error).toMatchObject({ name: 'RetryableError' }));
  at.node.beforeCall = null;
  at.node.setBest(head, () => false);
}

test('a machine that lags in the poll after a reorg never removes traced coins of a closed payment', async () => {
  for (let lagging = 0; lagging < CALLS; lagging += 1) {
    const reorganised = await undoPaymentBlock(true);
    await pollWhile(reorganised, lagging);
    await reorganised.at.step();
    const sums = shownSums(reorganised.at, account);
    expect(new Set(sums), `call ${lagging} lags`).toEqual(new Set([AMOUNT]));
    expect(sums.length, 'the new block was reported').toBeGreaterThan(1);
  }
});

test('coins known only by a balance are found again in the next poll, before the next check of their account', async () => {
  for (let lagging = 0; lagging < CALLS; lagging += 1) {
    const reorganised = await undoPaymentBlock(false);
    await pollWhile(reorganised, lagging);
    await reorganised.at.step();
    expect(shownSums(reorganised.at, account).at(-1), `call ${lagging} lags`).toBe(AMOUNT);
  }
});

test('property: a machine still at the fork removes no payment that the new branch has, whichever calls it answers', async () => {
  const ways = fc.constantFrom('a transfer' as const, 'a contract, traced' as const);
  const draws = fc.array(fc.nat(3), { size: 'max', minLength: 40, maxLength: 120 });
  await assertAsyncProperty(
    fc.asyncProperty(ways, draws, async (way, drawn) => {
      const { at, fork } = await startOpen();
      const paid = way === 'a transfer' ? coins(address(0), AMOUNT) : pays(Number(AMOUNT));
      at.node.mine([paid]);
      mineEmpty(at, 1);
      await at.step();
      const again = at.node.build(at.node.build(fork, []).hash, [paid]).hash;
      const head = at.node.build(again, []).hash;
      at.node.setBest(head, () => false);
      let served = 0;
      for (let polls = 0; polls < 4; polls += 1) {
        at.node.beforeCall = () => {
          at.node.setBest(drawn[served % drawn.length] === 0 ? fork : head, () => false);
          served += 1;
        };
        await at.step().catch((error: unknown) => expect(error).toMatchObject({ name: 'RetryableError' }));
        at.node.beforeCall = null;
        at.node.setBest(head, () => false);
      }
      await at.step();
      expect(new Set(shownSums(at, account))).toEqual(new Set([AMOUNT]));
      expect(at.live()).toMatchObject([{ status: { blockHash: again } }]);
    }),
    { numRuns: level.runs(400) },
  );
});

test("polls that never finish, because the node lacks a receipt of a block's transaction, are a warning", async () => {
  const { at, fork } = await startOpen();
  const paid = pays(Number(AMOUNT));
  at.node.mine([paid]);
  await at.step();
  const { receipts } = at.node;
  at.node.receipts = async (txids) => (await receipts(txids)).map(() => null);
  at.restart();
  at.node.setBest(at.node.build(fork, []).hash, () => true);
  mineEmpty(at, 1);
  at.node.mine([paid]);
  const warnings = () =>
    at
      .watcher()
      .status()
      .warnings.filter((text) => text.includes('polls did not complete'));
  for (let polls = 0; polls < 4; polls += 1) await at.step();
  expect(warnings()).toEqual([]);
  await at.step();
  expect(warnings()).toEqual([expect.stringMatching(/^The last 5 polls .* held open/)]);
  at.node.receipts = receipts;
  at.restart();
  await at.step();
  expect(warnings()).toEqual([]);
  expect(shownSums(at, account).at(-1)).toBe(AMOUNT);
});
