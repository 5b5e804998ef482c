import { address, COIN, type FakeTransaction } from '../../../../support/nodes/fake-evm-node.ts';
import { bit } from '../../../support/history-support.ts';
import type { EvmHarness } from '../harness.ts';
import type { ChainAction } from './random-actions.ts';
import { TOKEN, transactionFor } from './transfers.ts';

/**
 * Delayed logs appear this long after their block; shorter than the time after which a missing log
 * counts as a loss.
 */
const LAG_SECONDS = 48;

/**
 * Applies random actions to a chain: payments, blocks, reorganisations and failures of the node.
 */
export function createActionPlayer({ node }: EvmHarness, isTaxed: boolean) {
  const made: FakeTransaction[] = [];
  const tips: string[] = [];
  let stolen = false;
  let lag: number | null = null;
  let amount = 1_000n;

  node.hidesLog = (transfer) => {
    const age = node.timeSeconds - node.block(transfer.blockHash).timeSeconds;
    return lag !== null && age < LAG_SECONDS && bit(lag, transfer.logIndex + transfer.height);
  };

  function act(each: ChainAction): void {
    tips.push(node.best().hash);
    switch (each.kind) {
      case 'pay': {
        amount += 1n;
        const { sender, nonce } = each;
        const paid = transactionFor(each.transfer, { sender, nonce, amount, isTaxed });
        made.push(paid);
        node.submit(paid);
        return;
      }
      case 'mine':
        for (let mined = 0; mined < each.blocks; mined += 1) {
          const isLast = mined === each.blocks - 1;
          node.mine(
            node.waiting().filter((_, index) => (isLast ? true : bit(each.pick, index + mined) && mined % 5 === 0)),
          );
        }
        return;
      case 'drop': {
        const waiting = node.waiting();
        const victim = waiting[each.pick % Math.max(1, waiting.length)];
        if (victim) node.drop(victim.txid);
        return;
      }
      case 'grant':
        // Tokens never appear without a log; ether does, through validator withdrawals.
        node.mine(undefined, [{ watchKey: address(each.owner), asset: COIN, baseUnits: 50n }]);
        return;
      case 'steal':
        stolen = true;
        node.mine(undefined, [{ watchKey: address(each.owner), asset: each.isToken ? TOKEN : COIN, baseUnits: -100n }]);
        return;
      case 'reorg': {
        const branch = node.bestBranch();
        let tip = branch[Math.max(0, branch.length - 1 - each.depth)] ?? node.best();
        const payments = made.filter((_, index) => bit(each.pick, index));
        for (let built = 0; built < each.length; built += 1) {
          const here = payments.filter((_, index) => built === (index * 7) % each.length);
          tip = node.build(tip.hash, here);
        }
        node.setBest(tip.hash, returning(each.returns));
        return;
      }
      case 'rewind': {
        const branch = node.bestBranch();
        const lower = branch[Math.max(0, branch.length - 1 - each.depth)];
        if (lower) node.setBest(lower.hash, returning(each.returns));
        return;
      }
      case 'return to an earlier tip': {
        const earlier = tips[tips.length - 1 - (each.pick % tips.length)];
        if (earlier) node.setBest(earlier);
        return;
      }
      case 'trace':
        node.traces = each.traces;
        return;
      case 'lag':
        lag = each.lags ? each.pick : null;
        return;
    }
  }

  function returning(pick: number) {
    const order = made.map(({ txid }) => txid);
    return (txid: string) => bit(pick, order.indexOf(txid));
  }

  return {
    act,
    /** Tips of all branches so far. */
    tips: (): readonly string[] => [...tips, node.best().hash],
    wasRobbed: () => stolen,
    stopLagging: () => {
      lag = null;
    },
  };
}
