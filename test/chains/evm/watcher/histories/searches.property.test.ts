import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutputRecord } from '../../../../../machines/index.ts';
import type { OutputEvent } from '../../../../../machines/transaction/events.ts';
import { liveOutputs, recordOutput } from '../../../../../machines/transaction/outputs.ts';
import { sumBaseUnits } from '../../../../../machines/vocabulary/amount.ts';
import { accountKey } from '../../../../../src/chains/evm/balance-check/account-flows.ts';
import type { Account, Observation } from '../../../../../src/chains/index.ts';
import { chainEventCommand } from '../../../../../src/payments/watching/chain-events.ts';
import { RetryableError } from '../../../../../src/platform/errors.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeTransaction,
  tokens,
} from '../../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { createEvmHarness, mineEmpty } from '../harness.ts';
import { sum } from './chain-truth.ts';

/**
 * A merchant can have any block read again, at any time. The outputs that a payment counts never
 * add up to more than its address received, whether its coins are found by their transaction, by
 * a log or by a balance, and in whatever order.
 */

const RUNS = 1_000;
/** Blocks in memory and in the store; older ones are searched as the node has them. */
const HISTORY_BLOCKS = 6;
const STORED_BLOCKS = 15;
const TAXED = 'PEPE';
/** Watched from the start, and watched only once another installation may have used it. */
const OWNERS = [address(1), address(30)];
const ACCOUNTS: readonly Account[] = OWNERS.flatMap((watchKey) =>
  [COIN, TAXED].map((asset) => ({ watchKey, asset }) as Account),
);

type Action =
  | { readonly kind: 'pay'; readonly how: Payment; readonly owner: number; readonly next: 'wait' | 'mine' | 'poll' }
  | { readonly kind: 'mine'; readonly blocks: number }
  | { readonly kind: 'poll' | 'restart' | 'watch' | 'forget balances' }
  | { readonly kind: 'search'; readonly pick: number; readonly isByHeight: boolean }
  | { readonly kind: 'rescan'; readonly from: number; readonly blocks: number }
  | { readonly kind: 'open' | 'close' | 'compare'; readonly owner: number }
  | { readonly kind: 'state'; readonly blocks: number }
  | { readonly kind: 'trace'; readonly traces: boolean }
  | { readonly kind: 'reorg'; readonly depth: number; readonly returns: number };

type Payment = 'coins' | 'contract' | 'both' | 'token';

const owner = fc.nat({ max: OWNERS.length - 1 });
const how = fc.constantFrom<Payment>('coins', 'coins', 'contract', 'both', 'token');
const next = fc.constantFrom('wait', 'mine', 'poll', 'poll');
const blocks = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 }));
const state = fc.constantFrom(0, 1, 3, Number.POSITIVE_INFINITY);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay'), how, owner, next }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mine'), blocks }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'poll' }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('search'), pick: fc.nat({ max: 7 }), isByHeight: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rescan'),
      from: fc.nat({ max: 40 }),
      blocks: fc.integer({ min: 1, max: 25 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('watch', 'restart', 'forget balances') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('open', 'close', 'compare', 'compare'), owner }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('state'), blocks: state }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trace'), traces: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reorg'),
      depth: fc.integer({ min: 1, max: 3 }),
      returns: fc.nat({ max: 255 }),
    }),
  },
);

describe('what a payment counts', () => {
  test('is never more than arrived, whatever is searched', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(action, { maxLength: 25, size: 'max' }), async (history) => {
        const run = createRun();
        for (const each of history) await run.act(each);
        await run.act({ kind: 'state', blocks: 1 });
        for (let each = 0; each < OWNERS.length; each += 1) await run.act({ kind: 'compare', owner: each });
      }),
      { numRuns: level.runs(RUNS) },
    );
  });
});

// Helpers

function createRun() {
  const at = createEvmHarness({ historyBlocks: HISTORY_BLOCKS });
  const { node, store } = at;
  const { loadRecentBlocks } = store;
  store.loadRecentBlocks = (limit) => loadRecentBlocks(Math.min(limit, STORED_BLOCKS));
  const made: FakeTransaction[] = [];
  const watched = new Set([OWNERS[0]]);
  let amount = 1_000n;
  let isReorged = false;
  mineEmpty(at, 14);

  function pay(how: Payment, to: string): FakeTransaction {
    amount += 1n;
    if (how === 'token') return tokens(TAXED, to, amount, { keptBaseUnits: amount / 50n });
    if (how === 'coins') return coins(to, amount);
    const sent = contractCoins([{ to, valueWei: amount }]);
    return how === 'both' ? { ...sent, to, valueWei: 7n } : sent;
  }

  /** Vetted like the addresses of payments: one that holds anything is not. */
  function open(watchKey: string): void {
    if (!watched.has(watchKey)) return;
    const holds = (asset: Account['asset']) => node.balance({ watchKey, asset }, node.best().hash) > 0n;
    const isVetted = !holds(COIN) && !holds(TAXED);
    for (const asset of [COIN, TAXED] as const) at.accounts.open({ watchKey, asset }, isVetted, at.clock.now());
  }

  /** Where a block was first read without its state, the log is all there is to go by. */
  function trustedFees(account: Account): bigint {
    const first = new Map<string, Observation>();
    for (const observation of at.sink.observations) {
      if (accountKey(observation) !== accountKey(account) || !('blockHash' in observation.status)) continue;
      const place = `${observation.outputId} ${observation.status.blockHash}`;
      if (!first.has(place)) first.set(place, observation);
    }
    const unproven = new Set([...first.values()].filter(({ isUnproven }) => isUnproven).map(({ txid }) => txid));
    return sum(
      made.filter(({ txid }) => unproven.has(txid)).flatMap((each) => each.tokens.map((of) => of.keptBaseUnits)),
    );
  }

  /** Runs the watcher; afterwards no account counts more than it received. */
  async function observed(run: () => Promise<unknown>): Promise<void> {
    const before = at.sink.observations.length;
    try {
      await run();
    } catch (error) {
      const isExpected = error instanceof RangeError || (error instanceof RetryableError && isWait(error));
      if (!isExpected) throw error;
      if (isReorged) return;
    }
    // Without state nothing can be reported as gone.
    if (isReorged && node.stateBlocks === 0) return;
    for (const account of ACCOUNTS) {
      const arrived = node.balance(account, node.best().hash) + trustedFees(account);
      const counted = countedSums(at.sink.observations, account, isReorged ? Number.POSITIVE_INFINITY : before);
      for (const each of counted) expect(each, accountKey(account)).toBeLessThanOrEqual(arrived);
    }
    isReorged = false;
  }

  async function act(each: Action): Promise<void> {
    switch (each.kind) {
      case 'pay': {
        const paid = pay(each.how, OWNERS[each.owner] ?? '');
        made.push(paid);
        node.submit(paid);
        if (each.next !== 'wait') node.mine();
        return each.next === 'poll' ? observed(() => at.step()) : undefined;
      }
      case 'mine':
        node.mine();
        return mineEmpty(at, each.blocks - 1);
      case 'poll':
        return observed(() => at.step());
      case 'search': {
        const searched = made[each.pick % Math.max(1, made.length)];
        if (searched === undefined) return;
        const block = node.bestBranch().find(({ transactions }) => transactions.includes(searched));
        const height = each.isByHeight ? block?.height : undefined;
        return observed(() => at.watcher().search(searched.txid, height));
      }
      case 'rescan': {
        const fromHeight = Math.max(0, node.best().height - each.from);
        const toHeight = Math.min(node.best().height, fromHeight + each.blocks - 1);
        return observed(() => at.watcher().rescan({ fromHeight, toHeight }));
      }
      case 'watch':
        watched.add(OWNERS[1]);
        at.accounts.assign(OWNERS[1] ?? '', at.clock.now());
        return at.watchSet.add(OWNERS[1] ?? '');
      case 'open':
        return open(OWNERS[each.owner] ?? '');
      case 'close':
        for (const asset of [COIN, TAXED] as const) at.accounts.close({ watchKey: OWNERS[each.owner] ?? '', asset });
        return;
      case 'compare':
        if (!watched.has(OWNERS[each.owner])) return;
        at.accounts.makeDue({ watchKey: OWNERS[each.owner] ?? '', asset: COIN });
        return observed(() => at.step());
      case 'forget balances':
        at.accounts.forgetBalances();
        return at.restart();
      case 'restart':
        return at.restart();
      case 'state':
        node.stateBlocks = each.blocks;
        return;
      case 'trace':
        node.traces = each.traces;
        return;
      case 'reorg': {
        const branch = node.bestBranch();
        let tip = branch.at(-1 - each.depth) ?? node.best();
        const undone = branch.slice(-each.depth).flatMap(({ transactions }) => transactions);
        const again = undone.filter((_, index) => ((each.returns >> index) & 1) === 1);
        for (let built = 0; built <= each.depth; built += 1) tip = node.build(tip.hash, built === 1 ? again : []);
        isReorged = true;
        node.setBest(tip.hash, () => false);
      }
    }
  }

  return { act };
}

function isWait({ code }: RetryableError): boolean {
  return ['TIP_MOVED', 'NODE_SYNCING', 'STATE_MISSING'].includes(code);
}

/** What the payment of an account counts after each observation from a place on, and in the end. */
function countedSums(observations: readonly Observation[], account: Account, from: number): bigint[] {
  let outputs: readonly OutputRecord[] = [];
  const sums: bigint[] = [];
  for (const [place, observation] of observations.entries()) {
    if (accountKey(observation) !== accountKey(account)) continue;
    const { event } = chainEventCommand('transaction', withKnownAmount(observation, outputs));
    outputs = recordOutput(outputs, { ...event, at: observation.firstSeenAt } as unknown as OutputEvent, true);
    if (place >= from) sums.push(sumBaseUnits(liveOutputs(outputs)));
  }
  return [...sums, sumBaseUnits(liveOutputs(outputs))];
}

/** As the sink does: an amount known for that block is better than an unproven one. */
function withKnownAmount(observation: Observation, outputs: readonly OutputRecord[]): Observation {
  const { isUnproven, outputId, status } = observation;
  const known = outputs.find((each) => each.outputId === outputId);
  const isSame = 'blockHash' in status && known?.blockHash === status.blockHash;
  return isUnproven === true && isSame
    ? { ...observation, amountBaseUnits: BigInt(known.amountBaseUnits) }
    : observation;
}
