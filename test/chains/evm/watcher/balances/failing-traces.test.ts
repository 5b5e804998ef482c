import { beforeEach, describe, expect, test } from 'vitest';
import { RetryableError, TerminalError } from '../../../../../src/platform/errors.ts';
import { address, COIN, coins, contractCoins, tokens } from '../../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, increaseAt, mineEmpty, reported, statusOf } from '../harness.ts';

/** A trace only names transactions: when tracing fails, polls and verifications continue. */

const account = { watchKey: address(0), asset: COIN } as const;
let at: EvmHarness;
let failure: Error | null;

const unnamed = () => increaseAt(at, 0, 21);

beforeEach(async () => {
  at = createEvmHarness();
  failure = new RetryableError('NODE_UNREACHABLE', 'http://node answered HTTP 504');
  at.node.beforeCall = (method) => {
    if (method === 'internalTransfers' && failure !== null) throw failure;
  };
  mineEmpty(at, 20);
  at.accounts.open(account);
  await at.step();
});

function requested(): number {
  return at.node.calls.get('internalTransfers') ?? 0;
}

describe('while traces fail', () => {
  test.each([
    ['time out', new RetryableError('NODE_UNREACHABLE', 'no response within 5000 ms')],
    ['are limited', new RetryableError('NODE_UNREACHABLE', 'answered 429', { retryAfterMs: 60_000 })],
    ['are too big', new RetryableError('NODE_RESPONSE_UNUSABLE', 'response too big')],
    ['need another plan', new TerminalError('NODE_REFUSED_CREDENTIALS', 'answered 403')],
  ])(
    'because they %s, coins sent by contracts are reported from their balance, and all others as usual',
    async (_, why) => {
      failure = why;
      at.node.mine([contractCoins([{ to: address(0), valueWei: 5n }]), tokens('USDT', address(1), 3n)]);
      await at.step();
      const direct = coins(address(0), 7n);
      at.node.mine([direct]);
      for (let poll = 0; poll < 3; poll += 1) await at.step();
      expect(statusOf(at, unnamed())).toMatchObject({ kind: 'block', height: 21 });
      expect(statusOf(at, direct.txid)).toMatchObject({ kind: 'block', height: 22 });
      expect(reported(at)).toEqual(['block', 'block', 'block']);
      expect(at.store.syncedUntil()).toBe(at.clock.now());
      expect(at.watcher().status()).toMatchObject({ cursorHeight: 22, lastError: null });
      expect(at.watcher().status().warnings).toEqual([expect.stringContaining(`fails to trace (${why.message})`)]);
    },
  );

  test('the node is not asked for traces for a while, however many blocks wait for one', async () => {
    for (let paid = 0; paid < 5; paid += 1) {
      at.node.timeSeconds -= 11;
      at.node.mine([contractCoins([{ to: address(0), valueWei: 5n }])]);
      await at.step();
      await at.step();
    }
    expect(requested()).toBe(1);
    at.node.timeSeconds += 31;
    await at.step();
    expect(requested()).toBe(2);
  });

  test('a verification of coins traced before uses the block they were seen in', async () => {
    failure = null;
    const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
    const block = at.node.mine([paid]);
    await at.step();
    const [before] = at.live();
    failure = new RetryableError('NODE_UNREACHABLE', 'answered 429');
    const { network: _network, order: _order, status: _status, ...output } = before ?? ({} as never);
    await at.watcher().verify({
      outputs: [{ output: { ...output, spends: [] }, requiredConfirmations: 1, reportedHeight: 21 }],
    });
    expect(statusOf(at, `${paid.txid}:internal:${address(0)}`)).toEqual({
      kind: 'confirmed',
      height: 21,
      blockHash: block.hash,
    });
  });

  test('coins of a closed account that are mined again in another block are not reported as gone', async () => {
    failure = null;
    const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
    const block = at.node.mine([paid]);
    await at.step();
    at.accounts.close(account);
    failure = new RetryableError('NODE_UNREACHABLE', 'answered 429');
    const other = at.node.build(block.parentHash, []);
    const again = at.node.build(other.hash, [paid]);
    at.node.setBest(again.hash);
    await at.step();
    expect(statusOf(at, `${paid.txid}:internal:${address(0)}`)).toEqual({
      kind: 'block',
      height: 22,
      blockHash: again.hash,
    });
    expect(reported(at)).toEqual(['block', 'block']);
  });
});

describe('coins of a closed account that a contract sent again in a lower amount, or not at all, in an untraced block', () => {
  /** Its trace works when they are verified, and has their transaction or lacks it. */
  async function verifyAfter(sentWei: bigint, lacksTransaction: boolean) {
    failure = null;
    const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
    const block = at.node.mine([paid]);
    await at.step();
    const outputId = `${paid.txid}:internal:${address(0)}`;
    const { network: _network, order: _order, status: _status, ...output } = at.sink.last(outputId) ?? ({} as never);
    at.accounts.close(account);
    failure = new RetryableError('NODE_UNREACHABLE', 'answered 429');
    const internal = sentWei === 0n ? [] : [{ to: address(0), valueWei: sentWei }];
    const moved = at.node.build(block.parentHash, [{ ...paid, internal }]);
    at.node.setBest(moved.hash, () => false);
    await at.step();
    failure = null;
    const { internalTransfers } = at.node;
    const withoutIt = { transfers: [], txids: new Set<string>() };
    at.node.internalTransfers = async (...query) => (lacksTransaction ? withoutIt : internalTransfers(...query));
    at.restart();
    at.node.timeSeconds += 3_600;
    mineEmpty(at, 20);
    await at.step();
    const outputs = [{ output: { ...output, spends: [] }, requiredConfirmations: 12, reportedHeight: 21 }];
    await at.watcher().verify({ outputs });
    return statusOf(at, outputId);
  }

  test.each([0n, 4n])('are not confirmed: it sent %s wei', async (sentWei) => {
    expect(await verifyAfter(sentWei, false)).toMatchObject({ kind: 'block' });
    expect(at.watcher().status().warnings.join()).toContain('Payments in ETH cannot be confirmed');
  });

  test('are confirmed if a trace lacks their transaction: such a trace proves nothing', async () => {
    expect(await verifyAfter(0n, true)).toMatchObject({ kind: 'confirmed' });
  });
});

test.each([
  ['has', false],
  ['lacks', true],
])('reorged-out coins of a closed account, not sent again, where the trace %s their transaction', async (_, lacks) => {
  failure = null;
  const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
  const block = at.node.mine([paid]);
  await at.step();
  at.accounts.close(account);
  const { internalTransfers } = at.node;
  const withoutIt = { transfers: [], txids: new Set<string>() };
  at.node.internalTransfers = async (...query) => (lacks ? withoutIt : internalTransfers(...query));
  at.restart();
  const moved = at.node.build(block.parentHash, [{ ...paid, internal: [] }]);
  at.node.setBest(moved.hash, () => false);
  await at.step();
  expect(statusOf(at, `${paid.txid}:internal:${address(0)}`)?.kind).toBe(lacks ? 'block' : 'gone');
});

test('when traces work again, coins get their missing ids, also in old blocks, and the warning ends', async () => {
  const paid = contractCoins([{ to: address(0), valueWei: 5n }]);
  at.node.mine([paid]);
  await at.step();
  mineEmpty(at, 100);
  await at.step();
  failure = null;
  at.node.timeSeconds += 61;
  await at.step();
  await at.step();
  expect(at.sink.last(unnamed())).toMatchObject({ txid: paid.txid, amountBaseUnits: 5n, status: { height: 21 } });
  expect(at.live()).toHaveLength(1);
  expect(at.watcher().status().warnings).toEqual([]);
});
