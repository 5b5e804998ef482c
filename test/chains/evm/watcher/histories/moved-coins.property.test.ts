import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCKS_PER_BATCH } from '../../../../../src/chains/evm/poll.ts';
import { BEGIN_DEPTH_BLOCKS } from '../../../../../src/chains/sync/begin-scan.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeTransaction,
  otherAddress,
  transaction,
} from '../../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { createEvmHarness, mineEmpty } from '../harness.ts';
import { shownSums } from './shown-sums.ts';

/**
 * Coins that are moved by reorganisations and traced late are reported in an order in which a
 * payment never counts them twice.
 */

const ACCOUNTS = [
  { watchKey: address(0), asset: COIN },
  { watchKey: address(0), asset: 'USDT' },
] as const;

type Action =
  | { readonly kind: 'pay'; readonly how: 'coins' | 'contract' | 'logs'; readonly amounts: readonly number[] }
  | { readonly kind: 'reorganise'; readonly depth: number; readonly pick: number; readonly isChanged: boolean }
  | { readonly kind: 'trace'; readonly traces: boolean }
  | { readonly kind: 'mine' | 'poll' };

const amount = fc.integer({ min: 1, max: 4 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay'),
      how: fc.constantFrom('coins', 'contract', 'logs'),
      amounts: fc.array(amount, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reorganise'),
      depth: fc.integer({ min: 1, max: 5 }),
      pick: fc.nat({ max: 1023 }),
      isChanged: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trace'), traces: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('mine', 'poll') }) },
);

test('property: at no time during a poll is more shown than before and after it', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 20, size: 'max' }), async (actions) => {
      const at = createEvmHarness();
      mineEmpty(at, 20);
      for (const account of ACCOUNTS) at.accounts.open(account, true);
      await at.step();
      for (const each of [...actions, { kind: 'poll' } as const]) {
        if (each.kind === 'pay') at.node.submit(payment(each.how, each.amounts));
        else if (each.kind === 'mine') at.node.mine();
        else if (each.kind === 'trace') at.node.traces = each.traces;
        else if (each.kind === 'reorganise') reorganise(at, each.depth, each.pick, each.isChanged);
        else await pollAndCompare(at);
      }
    }),
    { numRuns: level.runs(600) },
  );
});

// Helpers

type Harness = ReturnType<typeof createEvmHarness>;

async function pollAndCompare(at: Harness): Promise<void> {
  const before = ACCOUNTS.map((account) => shownSums(at, account));
  const known = new Set(at.store.blocks().map(({ blockHash }) => blockHash));
  const unread = at.node
    .bestBranch()
    .slice(BEGIN_DEPTH_BLOCKS)
    .filter(({ hash }) => !known.has(hash));
  await at.step();
  // In a longer branch nothing is reported as gone before its end: until then lost coins count
  // together with new ones.
  if (unread.length > BLOCKS_PER_BATCH) return;
  for (const [index, account] of ACCOUNTS.entries()) {
    const earlier = before[index] ?? [];
    const shown = shownSums(at, account);
    const most = [earlier.at(-1) ?? 0n, shown.at(-1) ?? 0n].reduce((one, other) => (one > other ? one : other));
    for (const sum of shown.slice(earlier.length)) expect(sum, account.asset).toBeLessThanOrEqual(most);
  }
}

/**
 * Moves the disconnected transactions to other blocks, some with another amount; those left out
 * become pending or are lost.
 */
function reorganise({ node }: Harness, depth: number, pick: number, isChanged: boolean): void {
  const branch = node.bestBranch();
  const fork = branch.at(-1 - depth);
  if (fork === undefined) return;
  const reorged = branch.slice(-depth).flatMap(({ transactions }) => transactions);
  let tip = fork.hash;
  for (let built = 0; built <= depth; built += 1) {
    const here = reorged.filter((_, index) => (pick >> (index % 10)) % (depth + 2) === built);
    tip = node.build(tip, isChanged ? here.map(changed) : here.reverse()).hash;
  }
  node.setBest(tip, () => pick % 2 === 0);
}

/** As when a contract that pays by block time, or a token with a changed fee, executes again. */
function changed(paid: FakeTransaction): FakeTransaction {
  return {
    ...paid,
    internal: paid.internal.map((each) => ({ ...each, valueWei: each.valueWei + 1n })),
    tokens: paid.tokens.map((each) => ({ ...each, amountBaseUnits: each.amountBaseUnits + 1n })),
  };
}

function payment(how: 'coins' | 'contract' | 'logs', amounts: readonly number[]): FakeTransaction {
  const [first = 1] = amounts;
  if (how === 'coins') return coins(address(0), BigInt(first));
  if (how === 'contract') return contractCoins([{ to: address(0), valueWei: BigInt(first) }]);
  const transfer = { token: 'USDT', from: otherAddress(1), to: address(0), keptBaseUnits: 0n } as const;
  return transaction({ tokens: amounts.map((each) => ({ ...transfer, amountBaseUnits: BigInt(each) })) });
}
