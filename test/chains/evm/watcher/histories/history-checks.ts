import { expect } from 'vitest';
import { accountKey } from '../../../../../src/chains/evm/balance-check/account-flows.ts';
import { outputKind } from '../../../../../src/chains/evm/outputs/output-id.ts';
import { address, COIN } from '../../../../support/nodes/fake-evm-node.ts';
import { simplify } from '../../../support/history-support.ts';
import type { EvmHarness } from '../harness.ts';
import { type ChainTruth, sum } from './chain-truth.ts';
import { SOMETIMES_OPEN, UNWATCHED } from './random-actions.ts';
import { ASSETS } from './transfers.ts';

/** What a watcher has reported and saved, with the true state. */
export interface CheckedHistory {
  readonly at: EvmHarness;
  readonly truth: ChainTruth;
  readonly tips: readonly string[];
}

/**
 * Payments with their own transaction were last reported where the best branch has them, if ever.
 */
export function expectLastWords({ at, truth, tips }: CheckedHistory): void {
  const { node } = at;
  const claims = truth.everyClaim(tips);
  for (const outputId of new Set([
    ...at.sink.observations.map((reported) => reported.outputId),
    ...truth.bestPayments().keys(),
  ])) {
    const kind = outputKind(outputId).kind;
    const last = at.sink.last(outputId);
    if (kind === 'balance' || kind === 'internal') {
      if (last && 'height' in last.status) {
        expect(node.bestBranch()[last.status.height]?.hash, outputId).toBe(last.status.blockHash);
      }
      continue;
    }
    const right = truth.truthOf(outputId);
    const claim = claims.get(outputId);
    if (claim === undefined || claim.watchKey === address(UNWATCHED) || !claim.watchKey.startsWith('0xaa')) {
      expect(last, `${outputId} belongs to no watched account`).toBeUndefined();
    } else if (last === undefined) {
      expect(right.kind !== 'block' || truth.creditOf(outputId) === 0n, `${outputId} was never reported`).toBe(true);
    } else if (!truth.isWaiting(outputId, last.status)) {
      expect(simplify(last.status), outputId).toEqual(simplify(right));
    }
  }
}

/** Compares the reported amounts of each account with what arrived. */
export function expectConservation({ at, truth }: CheckedHistory, isExact: boolean): void {
  const { node } = at;
  const live = at.live().filter(({ status }) => status.kind === 'block' || status.kind === 'confirmed');
  const branch = node.bestBranch().slice(1);
  for (let owner = 0; owner <= SOMETIMES_OPEN; owner += 1) {
    for (const asset of ASSETS) {
      const account = { watchKey: address(owner), asset };
      const reported = live.filter((each) => accountKey(each) === accountKey(account));
      const wasStolen = branch.some(({ silent }) =>
        silent.some((change) => change.baseUnits < 0n && accountKey(change) === accountKey(account)),
      );
      const arrived = branch.map((block) => positive(truth.arrivedIn(block, account) + truth.stolenIn(block, account)));
      expect(
        sum(reported.map((each) => each.amountBaseUnits)),
        `${owner} ${asset}: never above what came`,
      ).toBeLessThanOrEqual(sum(arrived));
      if (wasStolen || !isExact) continue;
      if (owner === SOMETIMES_OPEN) {
        // After a reorganisation below every stored block, the balance of a reopened account is
        // unknown.
        if (asset !== COIN || at.warnings.some((text) => text.includes('no stored block'))) continue;
        expect(sum(reported.map((each) => each.amountBaseUnits)), 'all that came to a compared account').toBe(
          sum(arrived),
        );
        continue;
      }
      for (const [index, block] of branch.entries()) {
        const here = reported.filter(({ status }) => 'height' in status && status.height === block.height);
        expect(sum(here.map((each) => each.amountBaseUnits)), `${owner} ${asset} in block ${block.height}`).toBe(
          arrived[index],
        );
      }
    }
  }
}

/** Blocks were saved in sequence, and the kept blocks are the best branch. */
export function expectUnbrokenHistory({ at }: CheckedHistory): void {
  const { node } = at;
  for (const save of at.store.saves) {
    expect(save.blocks.map(({ height }) => height)).toEqual(save.blocks.map((_, index) => save.forkHeight + 1 + index));
    expect(save.cursor.height).toBe(save.forkHeight + save.blocks.length);
  }
  const kept = at.store.blocks();
  for (const [index, block] of kept.entries()) {
    if (index > 0) expect(node.block(block.blockHash).parentHash).toBe(kept[index - 1]?.blockHash);
  }
  expect(kept.at(-1)?.blockHash).toBe(node.best().hash);
}

export function expectRisingOrders({ at }: CheckedHistory): void {
  const orders = at.sink.observations.map((each) => each.order);
  for (const [index, order] of orders.entries()) {
    if (index > 0) expect(order).toBeGreaterThan(orders[index - 1] ?? Number.POSITIVE_INFINITY);
  }
}

// Helpers

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
