import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TrackedOutput, VerifyRequest } from '../../../../../src/chains/index.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeTransaction,
  otherAddress,
  tokens,
} from '../../../../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from '../harness.ts';

const ACCOUNTS = [0, 1, 2, 3];

describe('outputs verified together', () => {
  test('get the same responses as one by one, of any kind and anywhere', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(TRANSFER, { minLength: 1, maxLength: 10 }), fc.boolean(), async (transfers, traces) => {
        const { at, outputs } = await arrange(transfers);
        at.node.traces = traces;
        const oneByOne = [];
        for (const each of outputs) oneByOne.push(...(await responsesOf(at, [each])));
        const together = await responsesOf(at, outputs);
        expect(together).toEqual(oneByOne);
        expect(together).toHaveLength(outputs.length);
      }),
      { numRuns: level.runs(150) },
    );
  });

  test('have their block traced once, however many of them it contains', async () => {
    const at = createEvmHarness();
    mineEmpty(at, 20);
    for (const index of ACCOUNTS) at.accounts.open({ watchKey: address(index), asset: COIN });
    await at.step();
    at.node.mine(ACCOUNTS.map((index) => contractCoins([{ to: address(index), valueWei: 9n }])));
    await at.step();
    const outputs = requestedOf(at, new Map(), { required: 1 });
    const before = at.node.calls.get('internalTransfers') ?? 0;
    await at.watcher().verify({ outputs });
    expect((at.node.calls.get('internalTransfers') ?? 0) - before).toBe(1);
    expect(at.sink.observations.slice(-4).map(({ status }) => status.kind)).toEqual(ACCOUNTS.map(() => 'confirmed'));
  });
});

// Helpers

interface Transfer {
  readonly what: 'coins' | 'tokens' | 'internal' | 'balance';
  readonly account: number;
  readonly fate: 'stays' | 'fell out' | 'returned' | 'replaced';
  readonly isAltered: boolean;
  readonly required: number;
  readonly hint: 'right' | 'wrong' | 'none';
  /** Number of blocks mined after it. */
  readonly blocks: number;
}

const TRANSFER = fc.record<Transfer>({
  what: fc.constantFrom('coins', 'tokens', 'internal', 'balance'),
  account: fc.constantFrom(...ACCOUNTS),
  fate: fc.constantFrom('stays', 'fell out', 'returned', 'replaced'),
  isAltered: fc.boolean(),
  required: fc.integer({ min: 1, max: 8 }),
  hint: fc.constantFrom('right', 'wrong', 'none'),
  blocks: fc.nat(2),
});

/** A chain on which all of it happened, with a watcher that observed it. */
async function arrange(transfers: readonly Transfer[]) {
  const at = createEvmHarness({ historyBlocks: 10 });
  mineEmpty(at, 5);
  for (const index of ACCOUNTS) {
    at.accounts.open({ watchKey: address(index), asset: COIN });
    at.accounts.open({ watchKey: address(index), asset: 'USDT' });
  }
  await at.step();
  const paid = new Map<string, FakeTransaction>();
  for (const { what, account, blocks } of transfers.filter(({ fate }) => fate === 'stays')) {
    mine(at, paid, what, account);
    mineEmpty(at, blocks);
    await at.step();
  }
  const fork = at.node.best();
  const falling = transfers.filter(({ fate }) => fate !== 'stays');
  const reorged = falling.map(({ what, account, fate }) => ({ fate, transaction: mine(at, paid, what, account) }));
  await at.step();
  const returning = new Set(reorged.flatMap(({ fate, transaction }) => (fate === 'returned' ? transaction?.txid : [])));
  const instead = reorged.flatMap(({ fate, transaction }) =>
    fate === 'replaced' && transaction !== null
      ? [coins(otherAddress(9), 1n, { from: transaction.from, nonce: transaction.nonce })]
      : [],
  );
  let branch = at.node.build(fork.hash, instead);
  for (const _ of falling) branch = at.node.build(branch.hash, []);
  at.node.setBest(branch.hash, (txid) => returning.has(txid));
  await at.step();
  const outputs = transfers.flatMap((transfer) =>
    requestedOf(at, paid, transfer).filter(({ output }) => isOf(transfer, output)),
  );
  return { at, outputs };
}

function isOf({ account }: Transfer, { watchKey }: TrackedOutput): boolean {
  return watchKey === address(account);
}

/** Mines a payment in its own block; null when no transaction identifies it. */
function mine(at: EvmHarness, paid: Map<string, FakeTransaction>, what: Transfer['what'], account: number) {
  const to = address(account);
  if (what === 'balance') {
    at.node.mine([], [{ watchKey: to, asset: COIN, baseUnits: 7n }]);
    return null;
  }
  const made = {
    coins: () => coins(to, 5n),
    tokens: () => tokens('USDT', to, 6n),
    internal: () => contractCoins([{ to, valueWei: 9n }]),
  }[what]();
  at.node.mine([made]);
  paid.set(made.txid, made);
  return made;
}

/** Every output ever reported, as payments would verify it. */
function requestedOf(
  at: EvmHarness,
  paid: ReadonlyMap<string, FakeTransaction>,
  { required, hint = 'right', isAltered = false }: Pick<Transfer, 'required'> & Partial<Transfer>,
): VerifyRequest['outputs'] {
  const reported = new Map(at.sink.observations.map((each) => [each.outputId, each]));
  return [...reported.values()].map(({ network: _network, order: _order, status, ...output }) => {
    const right = 'height' in status ? status.height : null;
    const { from, nonce } = paid.get(output.txid ?? '') ?? {};
    return {
      output: {
        ...output,
        amountBaseUnits: output.amountBaseUnits + (isAltered ? 1n : 0n),
        spends: from === undefined ? [] : [`${from}:${nonce}`],
      },
      requiredConfirmations: required,
      reportedHeight: { right, wrong: 2, none: null }[hint],
    };
  });
}

/** Answers of a newly started watcher, without their order numbers. */
async function responsesOf(at: EvmHarness, outputs: VerifyRequest['outputs']) {
  at.restart();
  await at.step();
  await at.watcher().verify({ outputs });
  return outputs.length === 0
    ? []
    : at.sink.observations.slice(-outputs.length).map(({ order: _order, ...response }) => response);
}
