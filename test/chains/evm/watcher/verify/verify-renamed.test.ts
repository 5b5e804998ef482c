import { beforeEach, describe, expect, test } from 'vitest';
import type { VerifyRequest } from '../../../../../src/chains/index.ts';
import { address, COIN, contractCoins, type FakeTransaction } from '../../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from '../harness.ts';

let at: EvmHarness;

beforeEach(async () => {
  at = createEvmHarness();
  mineEmpty(at, 20);
  at.accounts.open({ watchKey: address(0), asset: COIN });
  await at.step();
});

/** A payment verifies every output id it knows, even that from before a reorganisation. */
describe('coins of a contract known by their transaction, and in another block by the balance only', () => {
  test.each([
    { what: 'beside coins that the transaction sends directly', valueWei: 7n },
    { what: 'alone', valueWei: 0n },
  ])('count once when both ids are verified while the node traces again: $what', async ({ valueWei }) => {
    const paid = contractCoins([{ to: address(0), valueWei: 5n }], { to: address(0), valueWei });
    await moveUntraced(paid);
    const outputs = reportedNames();
    at.node.traces = true;
    await at.watcher().verify({ outputs });
    expect(liveSum()).toBe(valueWei + 5n);
    await at.watcher().verify({ outputs });
    expect(liveSum()).toBe(valueWei + 5n);
  });

  test('get the id of their transaction next to coins that it sends directly', async () => {
    const paid = contractCoins([{ to: address(0), valueWei: 5n }], { to: address(0), valueWei: 7n });
    await moveUntraced(paid);
    at.node.traces = true;
    await at.step();
    expect(at.live().map(({ txid }) => txid)).toEqual([paid.txid, paid.txid]);
    expect(liveSum()).toBe(12n);
  });
});

// Helpers

/** Mines it in one block, then in another one that the node does not trace. */
async function moveUntraced(paid: FakeTransaction): Promise<void> {
  const fork = at.node.best();
  at.node.mine([paid]);
  await at.step();
  const moved = at.node.build(fork.hash, [paid]);
  at.node.setBest(at.node.build(moved.hash, []).hash);
  at.node.traces = false;
  await at.step();
  expect(at.live().map(({ txid }) => txid)).toContain(null);
}

function reportedNames(): VerifyRequest['outputs'] {
  const newest = new Map(at.sink.observations.map((each) => [each.outputId, each]));
  return [...newest.values()].map(({ outputId, txid, watchKey, asset, amountBaseUnits, firstSeenAt }) => ({
    output: { outputId, txid, watchKey, asset, amountBaseUnits, firstSeenAt, spends: [] },
    requiredConfirmations: 1,
  }));
}

function liveSum(): bigint {
  return at.live().reduce((sum, { amountBaseUnits }) => sum + amountBaseUnits, 0n);
}
