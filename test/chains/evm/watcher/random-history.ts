import { expect } from 'vitest';
import type { CryptoSymbol } from '../../../../machines/index.ts';
import { accountKey } from '../../../../src/chains/evm/account-flows.ts';
import type { EvmNode } from '../../../../src/chains/evm/evm-node.ts';
import { outputKind } from '../../../../src/chains/evm/output-id.ts';
import type { Account, Observation, Standing } from '../../../../src/chains/index.ts';
import { RetryableError } from '../../../../src/errors.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeBlock,
  type FakeTransaction,
  stranger,
  tokens,
} from '../../../support/fake-evm-node.ts';
import { createEvmHarness } from './harness.ts';
import {
  type Action,
  ALWAYS_OPEN,
  type Deed,
  type Point,
  SOMETIMES_OPEN,
  UNWATCHED,
  type WorldAction,
} from './random-actions.ts';

const HISTORY_BLOCKS = 12;
/** Logs that lag are there this long after their block; less than it takes to call a missing log a loss. */
const LAG_SECONDS = 48;
const TOKEN: CryptoSymbol = 'USDT';
const TAXED: CryptoSymbol = 'PEPE';
export const ASSETS: readonly CryptoSymbol[] = [COIN, TOKEN, TAXED];

/** One random history, with everything that was ever paid. */
export function createHistory(options: { readonly stateBlocks: number; readonly isTaxed: boolean }) {
  const at = createEvmHarness({ historyBlocks: HISTORY_BLOCKS });
  const { node } = at;
  const made: FakeTransaction[] = [];
  const payments = new Map<string, Map<string, FakeBlock>>();
  const tips: string[] = [];
  let stolen = false;
  let lag: number | null = null;
  let amount = 1_000n;

  node.stateBlocks = options.stateBlocks;
  node.hidesLog = (transfer) => {
    const age = node.timeSeconds - node.block(transfer.blockHash).timeSeconds;
    return lag !== null && age < LAG_SECONDS && bit(lag, transfer.logIndex + transfer.height);
  };
  for (let mined = 0; mined < 20; mined += 1) node.mine([]);
  for (let owner = 0; owner < ALWAYS_OPEN; owner += 1) open(owner);

  function open(owner: number): void {
    for (const asset of ASSETS) at.accounts.open({ watchKey: address(owner), asset }, true);
  }

  function close(owner: number): void {
    for (const asset of ASSETS) at.accounts.close({ watchKey: address(owner), asset });
  }

  function transactionFor(sender: number, nonce: number, deed: Deed): FakeTransaction {
    amount += 1n;
    const base = { from: stranger(sender), nonce };
    switch (deed.kind) {
      case 'coins':
        return coins(address(deed.owner), amount, base);
      case 'failed coins':
        return coins(address(deed.owner), amount, { ...base, fails: true });
      case 'nothing':
        return { ...tokens(TOKEN, address(deed.owner), 0n, base), to: address(deed.owner) };
      case 'self':
        return coins(address(deed.owner), 5n, { ...base, from: address(deed.owner), feeWei: 3n });
      case 'token':
        return tokens(TOKEN, address(deed.owner), amount, base);
      case 'taxed token':
        return tokens(TAXED, address(deed.owner), amount, { ...base, keptBaseUnits: options.isTaxed ? amount / 50n : 0n });
      case 'contract coins':
        return contractCoins(
          [
            { to: address(deed.owner), valueWei: amount },
            { to: address(deed.other), valueWei: 7n },
          ],
          base,
        );
      case 'token and coins':
        return {
          ...tokens(TOKEN, address(deed.other), amount, base),
          internal: [{ to: address(deed.owner), valueWei: amount }],
        };
      case 'coins out':
        return coins(address(deed.other), 300n, { ...base, from: address(deed.owner), feeWei: 11n });
      case 'failed out':
        return coins(stranger(5), 300n, { ...base, from: address(deed.owner), feeWei: 11n, fails: true });
      case 'token out':
        return {
          ...tokens(TOKEN, address(deed.other), 200n, { ...base, from: address(deed.owner) }),
          from: stranger(sender),
        };
    }
  }

  function world(each: WorldAction): void {
    tips.push(node.best().hash);
    switch (each.kind) {
      case 'pay': {
        const paid = transactionFor(each.sender, each.nonce, each.deed);
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
        // Tokens do not appear without a log, coins do: withdrawals of validators.
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

  async function lookInPeace(): Promise<void> {
    const before = at.sink.observations.length;
    await at.step();
    for (const told of at.sink.observations.slice(before)) {
      expect(isTrue(told), `nothing untrue is said in peace: ${told.outputId} ${told.standing.kind}`).toBe(true);
    }
  }

  /** What is said about a transaction of its own can be compared at once; what balances tell, in sums at the end. */
  function isTrue({ outputId, standing }: Observation): boolean {
    const kind = outputKind(outputId).kind;
    if (kind === 'native' || kind === 'token')
      return samePlace(standing, truthOf(outputId)) || isWaiting(outputId, standing);
    if (!('height' in standing)) return true;
    return node.bestBranch()[standing.height]?.hash === standing.blockHash;
  }

  /** A waiting transaction may have a log with this number again, or with another. */
  function isWaiting(outputId: string, standing: Standing): boolean {
    const isKnown = node.waiting().some(({ txid }) => outputId.startsWith(txid));
    return isKnown && (standing.kind === 'mempool' || standing.kind === 'gone');
  }

  /** Where the best branch has a payment by a transaction of its own; what it pays is compared in sums. */
  function truthOf(outputId: string): Standing {
    const block = bestPayments().get(outputId);
    if (block !== undefined) return { kind: 'block', height: block.height, blockHash: block.hash };
    const waits = node.waiting().some(({ txid }) => outputId.startsWith(txid));
    return waits ? { kind: 'mempool' } : { kind: 'gone', reason: 'reorged' };
  }

  /** The blocks of the best branch by the payments in them. */
  function bestPayments(): ReadonlyMap<string, FakeBlock> {
    const tip = node.best().hash;
    const known = payments.get(tip) ?? new Map<string, FakeBlock>();
    if (!payments.has(tip)) {
      for (const block of node.bestBranch()) for (const { outputId } of paymentsIn(block)) known.set(outputId, block);
    }
    payments.set(tip, known);
    return known;
  }

  function paymentsIn(block: FakeBlock): (Account & { readonly outputId: string; readonly claimed: bigint })[] {
    const native = block.transactions.flatMap(({ txid, from, to, valueWei, fails }) =>
      fails || to === null || to === from || valueWei === 0n
        ? []
        : [{ outputId: txid, watchKey: to, asset: COIN, claimed: valueWei }],
    );
    const logged = node
      .transfersIn(block)
      .filter(({ from, to, amountBaseUnits }) => from !== to && amountBaseUnits > 0n)
      .map(({ txid, logIndex, to, token, amountBaseUnits }) => {
        return { outputId: `${txid}:${logIndex}`, watchKey: to, asset: token, claimed: amountBaseUnits };
      });
    return [...native, ...logged];
  }

  /** Runs something while the surroundings fail at a point for the (`after` + 1)th time. */
  async function failing(failAt: Point, after: number, run: () => Promise<unknown>): Promise<void> {
    let passed = 0;
    const fail = (point: Point) => {
      if (point !== failAt) return;
      passed += 1;
      if (passed === after + 1) throw new Error('injected');
    };
    at.sink.failAt = fail;
    at.store.crashAt = fail;
    at.dropsFailAt(fail);
    await tolerated(run);
    at.sink.failAt = null;
    at.store.crashAt = null;
    at.dropsFailAt(null);
  }

  async function during(
    call: number,
    what: (method: keyof EvmNode) => void,
    run: () => Promise<unknown>,
  ): Promise<void> {
    let calls = 0;
    node.beforeCall = (method) => {
      calls += 1;
      if (calls === call + 1) what(method);
    };
    await tolerated(run);
    node.beforeCall = null;
  }

  async function tolerated(run: () => Promise<unknown>): Promise<void> {
    await run().catch((error: unknown) => {
      const isExpected =
        error instanceof RangeError ||
        (error instanceof Error && error.message === 'injected') ||
        (error instanceof RetryableError && error.code === 'TIP_MOVED');
      if (!isExpected) throw error;
    });
  }

  /** Some output that was reported at least once. */
  function pickTold(pick: number): Observation | undefined {
    const known = [...new Set(at.sink.observations.map(({ outputId }) => outputId))];
    const outputId = known[pick % Math.max(1, known.length)];
    return outputId === undefined ? undefined : at.sink.last(outputId);
  }

  async function verify(told: Observation, requiredConfirmations: number): Promise<void> {
    const { network: _network, order: _order, standing, ...rest } = told;
    const reportedHeight = 'height' in standing ? standing.height : null;
    await at
      .watcher()
      .verify({ outputs: [{ output: { ...rest, spends: [] }, requiredConfirmations, reportedHeight }] });
  }

  function rescan(from: number, blocks: number) {
    const head = node.best().height;
    const fromHeight = Math.max(0, head - from);
    return at.watcher().rescan({ fromHeight, toHeight: Math.min(head, fromHeight + blocks - 1) });
  }

  async function act(each: Action): Promise<void> {
    switch (each.kind) {
      case 'look':
        return lookInPeace();
      case 'look while':
        return during(
          each.call,
          () => each.world.forEach(world),
          () => at.step(),
        );
      case 'node fails':
        return during(each.call, throwInjected, () => at.step());
      case 'look and fail':
        await failing(each.point, each.after, () => at.step());
        if (each.restart) at.restart();
        return;
      case 'verify': {
        const told = pickTold(each.pick);
        if (told === undefined) return;
        await verify(told, each.required);
        const answer = at.sink.last(told.outputId);
        expect(answer?.order).toBeGreaterThan(told.order);
        if (answer) expect(isTrue(answer), 'a verification answers truly').toBe(true);
        if (answer?.standing.kind === 'confirmed') {
          expect(node.best().height - answer.standing.height + 1).toBeGreaterThanOrEqual(each.required);
        }
        return;
      }
      case 'verify and fail': {
        const told = pickTold(each.pick);
        if (told !== undefined) await failing(each.point, each.after, () => verify(told, 1));
        return;
      }
      case 'rescan':
        await rescan(each.from, each.blocks);
        return;
      case 'rescan and fail':
        return failing(each.point, each.after, () => rescan(each.from, 25));
      case 'rescan while':
        return during(
          each.call,
          () => each.world.forEach(world),
          () => rescan(25, 25),
        );
      case 'open':
        return open(each.owner);
      case 'close':
        return close(each.owner);
      case 'restart':
        return at.restart();
      default:
        return world(each);
    }
  }

  /** Every payment with a transaction of its own is where the best branch has it, or was never told. */
  function expectLastWords(): void {
    const claims = everyClaim();
    for (const outputId of new Set([...at.sink.observations.map((told) => told.outputId), ...bestPayments().keys()])) {
      const kind = outputKind(outputId).kind;
      const last = at.sink.last(outputId);
      if (kind === 'balance' || kind === 'internal') {
        if (last && 'height' in last.standing) {
          expect(node.bestBranch()[last.standing.height]?.hash, outputId).toBe(last.standing.blockHash);
        }
        continue;
      }
      const truth = truthOf(outputId);
      const claim = claims.get(outputId);
      if (claim === undefined || claim.watchKey === address(UNWATCHED) || !claim.watchKey.startsWith('0xaa')) {
        expect(last, `${outputId} is nobody's`).toBeUndefined();
      } else if (last === undefined) {
        expect(truth.kind !== 'block' || creditOf(outputId) === 0n, `${outputId} was never told`).toBe(true);
      } else if (!isWaiting(outputId, last.standing)) {
        expect(simplify(last.standing), outputId).toEqual(simplify(truth));
      }
    }
  }

  function everyClaim() {
    const claims = new Map<string, ReturnType<typeof paymentsIn>[number]>();
    const seen = new Set<string>();
    for (const tip of [...tips, node.best().hash]) {
      for (let block = node.block(tip); block.height > 0 && !seen.has(block.hash); block = node.block(block.parentHash)) {
        seen.add(block.hash);
        for (const payment of paymentsIn(block)) claims.set(payment.outputId, payment);
      }
    }
    return claims;
  }

  /** What a payment in the best branch brought, when coins that the balance does not show are cut from the later logs. */
  function creditOf(outputId: string): bigint {
    const block = bestPayments().get(outputId);
    const here = block === undefined ? [] : paymentsIn(block);
    const payment = here.find((each) => each.outputId === outputId);
    if (block === undefined || payment === undefined) return 0n;
    if (payment.asset === COIN) return payment.claimed;
    let left = arrivedIn(block, payment);
    for (const each of here.filter((other) => accountKey(other) === accountKey(payment))) {
      const credit = each.claimed < left ? each.claimed : left;
      if (each.outputId === outputId) return credit;
      left -= credit;
    }
    return 0n;
  }

  /** The rise of a balance in a block, and what was sent away in it. */
  function arrivedIn(block: FakeBlock, account: Account): bigint {
    const rise = node.balance(account, block.hash) - node.balance(account, block.parentHash);
    return rise + sentIn(block, account);
  }

  function sentIn(block: FakeBlock, { watchKey, asset }: Account): bigint {
    let sent = 0n;
    for (const { from, to, valueWei, feeWei, fails } of asset === COIN ? block.transactions : []) {
      if (from === watchKey) sent += feeWei + (fails || to === from ? 0n : valueWei);
    }
    for (const { token, from, to, amountBaseUnits } of node.transfersIn(block)) {
      if (token === asset && from === watchKey && to !== from) sent += amountBaseUnits;
    }
    return sent;
  }

  /** Counts what is told of each account against what came. */
  function expectConservation(): void {
    const live = at.live().filter(({ standing }) => standing.kind === 'block' || standing.kind === 'confirmed');
    const branch = node.bestBranch().slice(1);
    for (let owner = 0; owner <= SOMETIMES_OPEN; owner += 1) {
      for (const asset of ASSETS) {
        const account = { watchKey: address(owner), asset };
        const told = live.filter((each) => accountKey(each) === accountKey(account));
        const wasStolen = branch.some(({ silent }) =>
          silent.some((change) => change.baseUnits < 0n && accountKey(change) === accountKey(account)),
        );
        const arrived = branch.map((block) => positive(arrivedIn(block, account) + stolenIn(block, account)));
        expect(
          sum(told.map((each) => each.amountBaseUnits)),
          `${owner} ${asset}: never above what came`,
        ).toBeLessThanOrEqual(sum(arrived));
        if (owner === SOMETIMES_OPEN || wasStolen || options.stateBlocks !== Number.POSITIVE_INFINITY) continue;
        for (const [index, block] of branch.entries()) {
          const here = told.filter(({ standing }) => 'height' in standing && standing.height === block.height);
          expect(sum(here.map((each) => each.amountBaseUnits)), `${owner} ${asset} in block ${block.height}`).toBe(
            arrived[index],
          );
        }
      }
    }
  }

  function stolenIn({ silent }: FakeBlock, account: Account): bigint {
    const taken = silent.filter((change) => change.baseUnits < 0n && accountKey(change) === accountKey(account));
    return -sum(taken.map(({ baseUnits }) => baseUnits));
  }

  function expectDropsOnlyAfterTheft(): void {
    if (!stolen) expect(at.drops).toEqual([]);
  }

  function expectUnbrokenHistory(): void {
    for (const save of at.store.saves) {
      expect(save.blocks.map(({ height }) => height)).toEqual(
        save.blocks.map((_, index) => save.forkHeight + 1 + index),
      );
      expect(save.cursor.height).toBe(save.forkHeight + save.blocks.length);
    }
    const kept = at.store.blocks();
    for (const [index, block] of kept.entries()) {
      if (index > 0) expect(node.block(block.blockHash).parentHash).toBe(kept[index - 1]?.blockHash);
    }
    expect(kept.at(-1)?.blockHash).toBe(node.best().hash);
  }

  function expectRisingOrders(): void {
    const orders = at.sink.observations.map((each) => each.order);
    for (const [index, order] of orders.entries()) {
      if (index > 0) expect(order).toBeGreaterThan(orders[index - 1] ?? Number.POSITIVE_INFINITY);
    }
  }

  async function finish(): Promise<void> {
    lag = null;
    await act({ kind: 'look' });
    expectLastWords();
    expectConservation();
    expectDropsOnlyAfterTheft();
    expectUnbrokenHistory();
    expectRisingOrders();
    const before = at.sink.observations.length;
    await act({ kind: 'look' });
    expect(at.sink.observations.length, 'a second look says nothing').toBe(before);
  }

  return { at, act, finish };
}

// Helpers

function throwInjected(): never {
  throw new Error('injected');
}

function samePlace(one: Standing, other: Standing): boolean {
  return JSON.stringify(simplify(one)) === JSON.stringify(simplify(other));
}

/** Without the reason of being gone, and with confirmed as the block it is in. */
function simplify(standing: Standing) {
  if (standing.kind === 'gone') return { kind: 'gone' };
  if (standing.kind === 'mempool') return { kind: 'mempool' };
  return { kind: 'block', height: standing.height, blockHash: standing.blockHash };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n);
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n;
}

function bit(pick: number, index: number): boolean {
  return ((pick >> (index % 8)) & 1) === 1;
}
