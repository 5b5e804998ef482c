import { sumBaseUnits } from '../../../../../machines/vocabulary/amount.ts';
import {
  address,
  COIN,
  contractCoins,
  type FakeBlock,
  type FakeTransaction,
  otherAddress,
} from '../../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from '../harness.ts';
import { liveRecords } from '../histories/shown-sums.ts';

/** For tests of when coins that contracts send count as first seen. */

export const account = { watchKey: address(0), asset: COIN } as const;

/** A watcher that has caught up with a chain of 20 blocks, with the account open. */
export async function startWatcher({ traces = true } = {}): Promise<EvmHarness> {
  const at = createEvmHarness();
  at.node.traces = traces;
  mineEmpty(at, 20);
  at.accounts.open(account);
  await at.step();
  return at;
}

let senders = 100;

/**
 * A contract payment. Each has its own sender, so that no later nonce replaces an earlier payment.
 */
export function pays(valueWei: number): FakeTransaction {
  senders += 1;
  return contractCoins([{ to: address(0), valueWei: BigInt(valueWei) }], { from: otherAddress(senders) });
}

/** Makes a branch the best one and returns its blocks. Transactions left out are in no mempool. */
export function branchFrom(
  { node }: Pick<EvmHarness, 'node'>,
  parentHash: string,
  blocks: readonly (readonly FakeTransaction[])[],
): FakeBlock[] {
  let tip = parentHash;
  const built = blocks.map((transactions) => {
    const block = node.build(tip, transactions);
    tip = block.hash;
    return block;
  });
  node.setBest(tip, () => false);
  return built;
}

/** Base units first seen up to the time of a block, and in all. */
export function sums(at: EvmHarness, until: FakeBlock | undefined) {
  const live = liveRecords(at, account);
  const inTime = live.filter(({ firstSeenAt }) => firstSeenAt <= timeOf(until));
  return { inTime: sumBaseUnits(inTime), all: sumBaseUnits(live) };
}

/** Unix ms; 0 without a block. */
export function timeOf(block: FakeBlock | undefined): number {
  return (block?.timeSeconds ?? 0) * 1000;
}
