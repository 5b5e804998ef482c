import fc from 'fast-check';
import { expect } from 'vitest';
import type { Observation, OutputStatus } from '../../../src/chains/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { payment, script } from '../../support/nodes/fake-utxo-node.ts';
import { bit, isSameLocation, simplify } from './history-support.ts';
import type { BuiltTransaction } from './raw-builder.ts';
import { createWatcherHarness, WATCHED_KEYS, type WatcherHarness } from './watcher-harness.ts';

/** Random histories of a chain, its mempool, its masternodes, a watcher and its dependencies. */

const COINS = 5;
const HISTORY_BLOCKS = 12;

/** An action outside the watcher. */
type ChainAction =
  | { readonly kind: 'pay'; readonly coins: readonly number[]; readonly keys: readonly number[] }
  | { readonly kind: 'mine'; readonly pick: number; readonly blocks: number }
  | { readonly kind: 'evict'; readonly pick: number }
  | {
      readonly kind: 'reorg';
      readonly depth: number;
      readonly length: number;
      readonly pick: number;
      readonly returns: number;
    }
  | { readonly kind: 'rewind'; readonly depth: number; readonly returns: number }
  | { readonly kind: 'return to an earlier tip'; readonly pick: number }
  | { readonly kind: 'lock'; readonly pick: number }
  | { readonly kind: 'restart the node' }
  | { readonly kind: 'load the mempool' };

type Point = 'before accept' | 'after accept' | 'before save' | 'after save';

export type Action =
  | ChainAction
  | { readonly kind: 'poll' }
  | { readonly kind: 'poll while'; readonly call: number; readonly changes: readonly ChainAction[] }
  | { readonly kind: 'poll and fail'; readonly point: Point; readonly after: number; readonly restart: boolean }
  | { readonly kind: 'verify'; readonly pick: number; readonly required: number }
  | { readonly kind: 'verify and fail'; readonly pick: number; readonly point: Point; readonly after: number }
  | { readonly kind: 'rescan'; readonly from: number; readonly blocks: number }
  | { readonly kind: 'rescan while'; readonly call: number; readonly changes: readonly ChainAction[] }
  | { readonly kind: 'restart' };

const small = fc.nat({ max: 7 });
const mask = fc.nat({ max: 255 });
const chainAction: fc.Arbitrary<ChainAction> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      coins: fc.uniqueArray(fc.nat({ max: COINS - 1 }), { minLength: 1, maxLength: 2 }),
      keys: fc.array(fc.nat({ max: WATCHED_KEYS }), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('mine' as const), pick: mask, blocks: fc.integer({ min: 1, max: 14 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('evict' as const), pick: small }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 30 }),
      length: fc.integer({ min: 1, max: 30 }),
      pick: mask,
      returns: mask,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rewind' as const),
      depth: fc.integer({ min: 1, max: 20 }),
      returns: mask,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('return to an earlier tip' as const), pick: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lock' as const), pick: small }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart the node' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'load the mempool' as const }) },
);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: chainAction },
  { weight: 5, arbitrary: fc.constant({ kind: 'poll' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('poll while' as const),
      call: fc.nat({ max: 12 }),
      changes: fc.array(chainAction, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('poll and fail' as const),
      point: fc.constantFrom<Point>('before accept', 'after accept', 'before save', 'after save'),
      after: fc.nat({ max: 3 }),
      restart: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('verify' as const),
      pick: small,
      required: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('verify and fail' as const),
      pick: small,
      point: fc.constantFrom<Point>('before accept', 'after accept', 'before save', 'after save'),
      after: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rescan' as const),
      from: fc.nat({ max: 60 }),
      blocks: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rescan while' as const),
      call: fc.nat({ max: 20 }),
      changes: fc.array(chainAction, { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

/** Actions on one watcher, in order. */
export const history: fc.Arbitrary<Action[]> = fc.array(action, { minLength: 1, maxLength: 30, size: 'max' });

/** One random history with every payment ever sent; with `reportsLocks`, on a chain like Dash. */
export function createRun({ reportsLocks = false }: { readonly reportsLocks?: boolean } = {}) {
  const at = createWatcherHarness({ historyBlocks: HISTORY_BLOCKS });
  const locks = { txids: new Set<string>(), blockHashes: new Set<string>() };
  Object.assign(at.params, { reportsLocks });
  at.node.locks = reportsLocks ? locks : null;
  const paid = new Map<string, BuiltTransaction>();
  const tips: string[] = [];
  /** Contents of the saved mempool file until the node loads it. */
  let stored: readonly BuiltTransaction[] = [];
  let salt = 0;
  for (let mined = 0; mined < 20; mined += 1) at.node.mine([]);

  function apply(each: ChainAction): void {
    const { node } = at;
    tips.push(node.best().hash);
    switch (each.kind) {
      case 'pay': {
        salt += 1;
        const made = payment(each.coins, each.keys, 1_000n + BigInt(salt), salt);
        if (node.submit(made)) paid.set(made.txid, made);
        return;
      }
      case 'mine':
        for (let mined = 0; mined < each.blocks; mined += 1) {
          node.mine(mined === each.blocks - 1 ? node.mempool().filter((_, index) => bit(each.pick, index)) : []);
        }
        return;
      case 'evict': {
        const pool = node.mempool();
        const victim = pool[each.pick % Math.max(1, pool.length)];
        if (victim) node.evict(victim.txid);
        return;
      }
      case 'reorg': {
        const branch = node.bestBranch();
        let tip = branch[Math.max(0, branch.length - 1 - each.depth)] ?? node.best();
        const payments = [...paid.values()].filter((_, index) => bit(each.pick, index));
        for (let built = 0; built < each.length; built += 1) {
          // Some are mined early in the new branch, some late.
          tip = node.build(
            tip.hash,
            payments.filter((_, index) => built === (index * 7) % each.length),
          );
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
      case 'lock': {
        const transaction = [...paid.keys()][each.pick];
        if (each.pick % 2 === 0) locks.blockHashes.add(node.best().hash);
        else if (transaction !== undefined) locks.txids.add(transaction);
        return;
      }
      case 'restart the node':
        stored = [...stored, ...node.mempool()];
        for (const { txid } of node.mempool()) node.evict(txid);
        node.mempoolLoaded = false;
        return;
      case 'load the mempool':
        loadMempool();
    }
  }

  /** Skips transactions whose coins have been spent in the meantime. */
  function loadMempool(): void {
    const taken = new Set(at.node.mempool().flatMap(({ spends }) => spends));
    for (const transaction of stored) {
      if (!transaction.spends.some((outpoint) => taken.has(outpoint))) at.node.submit(transaction);
    }
    stored = [];
    at.node.mempoolLoaded = true;
  }

  function returning(pick: number) {
    const order = [...paid.keys()];
    return (txid: string) => bit(pick, order.indexOf(txid));
  }

  async function pollUndisturbed(): Promise<void> {
    const before = at.sink.observations.length;
    const syncedUntil = at.store.syncedUntil();
    await at.step();
    const reported = at.sink.observations.slice(before);
    if (at.node.mempoolLoaded === false) {
      const gone = reported.filter(({ status }) => status.kind === 'gone');
      expect(gone, 'nothing is gone because a mempool is not loaded').toEqual([]);
      expect(at.store.syncedUntil()).toBe(syncedUntil);
    }
    // A long poll reports blocks batch by batch and checks locks at its end.
    for (const isConfirmed of [true, false]) {
      const ids = reported
        .filter(({ status }) => (status.kind === 'confirmed') === isConfirmed)
        .map((each) => each.outputId);
      expect(new Set(ids).size, 'one observation per output and poll').toBe(ids.length);
    }
    for (const each of reported) {
      expect(isTrue(each), 'an undisturbed poll reports only what is true').toBe(true);
      if (each.status.kind === 'confirmed') expect(isLocked(each), 'only locks confirm in a poll').toBe(true);
    }
  }

  /** True now, which includes blocks reported in an early batch of this poll. */
  function isTrue(observation: Observation): boolean {
    return isSameLocation(observation.status, truthOf(at, observation.outputId));
  }

  function isLocked({ txid, status }: Observation): boolean {
    const height = 'height' in status ? status.height : Number.POSITIVE_INFINITY;
    return (
      locks.txids.has(txid ?? '') ||
      at.node.bestBranch().some((block) => block.height >= height && locks.blockHashes.has(block.hash))
    );
  }

  async function rescan(fromHeight: number, toHeight: number): Promise<void> {
    await at.watcher().rescan({ fromHeight, toHeight });
  }

  /** Runs something while the dependencies fail at a point for the (`after` + 1)th time. */
  async function failing(failAt: Point, after: number, run: () => Promise<void>): Promise<void> {
    let passed = 0;
    const fail = (point: Point) => {
      if (point !== failAt) return;
      passed += 1;
      if (passed === after + 1) throw new Error('injected');
    };
    at.sink.failAt = fail;
    at.store.crashAt = fail;
    await run().catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'injected') throw error;
    });
    at.sink.failAt = null;
    at.store.crashAt = null;
  }

  /** An output that was reported at least once. */
  function pickReported(pick: number): Observation | undefined {
    const known = [...new Set(at.sink.observations.map((reported) => reported.outputId))];
    const outputId = known[pick % Math.max(1, known.length)];
    return outputId === undefined ? undefined : at.sink.last(outputId);
  }

  async function verify(reported: Observation, requiredConfirmations: number): Promise<void> {
    const { network: _network, order: _order, status, txid, ...rest } = reported;
    const output = { ...rest, txid: txid ?? '', spends: paid.get(txid ?? '')?.spends ?? [] };
    const reportedHeight = 'height' in status ? status.height : null;
    const response = at.watcher().verify({ outputs: [{ output, requiredConfirmations, reportedHeight }] });
    if (at.node.mempoolLoaded === true) return response;
    await expect(response).rejects.toMatchObject({ code: 'NODE_SYNCING' });
  }

  async function act(each: Action): Promise<void> {
    switch (each.kind) {
      case 'poll':
        return pollUndisturbed();
      case 'poll while':
        return meanwhile(each, () => at.step());
      case 'rescan': {
        const { height } = at.node.best();
        const fromHeight = Math.min(each.from, height);
        return rescan(fromHeight, Math.min(fromHeight + each.blocks, height));
      }
      case 'rescan while':
        return meanwhile(each, () => rescan(0, at.node.best().height).catch(ignoreMovedTip));
      case 'poll and fail': {
        await failing(each.point, each.after, () => at.step());
        if (each.restart) at.restart();
        return;
      }
      case 'verify': {
        const reported = pickReported(each.pick);
        if (reported === undefined) return;
        await verify(reported, each.required);
        if (at.node.mempoolLoaded !== true) return;
        const response = at.sink.last(reported.outputId);
        expect(response?.order).toBeGreaterThan(reported.order);
        if (response) expect(isTrue(response), 'a verification answers truly').toBe(true);
        if (response?.status.kind === 'confirmed' && !isLocked(response)) {
          const depth = at.node.best().height - response.status.height + 1;
          expect(depth).toBeGreaterThanOrEqual(each.required);
        }
        return;
      }
      case 'verify and fail': {
        const reported = pickReported(each.pick);
        if (reported !== undefined && at.node.mempoolLoaded === true)
          await failing(each.point, each.after, () => verify(reported, 1));
        return;
      }
      case 'restart':
        at.restart();
        return;
      case 'pay':
      case 'mine':
      case 'evict':
      case 'reorg':
      case 'rewind':
      case 'return to an earlier tip':
      case 'lock':
      case 'restart the node':
      case 'load the mempool':
        apply(each);
    }
  }

  /** Runs something, and changes the chain just before one of its calls. */
  async function meanwhile(
    { call, changes }: { readonly call: number; readonly changes: readonly ChainAction[] },
    run: () => Promise<void>,
  ): Promise<void> {
    let calls = 0;
    at.node.beforeCall = () => {
      calls += 1;
      if (calls !== call + 1) return;
      for (const change of changes) apply(change);
    };
    await run();
    at.node.beforeCall = null;
  }

  function expectLastWords(): void {
    for (const made of paid.values()) {
      for (const [vout, output] of made.outputs.entries()) {
        const outputId = `${made.txid}:${vout}`;
        const last = at.sink.last(outputId);
        if (output.scriptHex === script(WATCHED_KEYS)) {
          expect(last, 'an unwatched output').toBeUndefined();
          continue;
        }
        const truth = truthOf(at, outputId);
        const words = last === undefined ? ({ kind: 'gone', reason: 'evicted' } as const) : last.status;
        expect(simplify(words), outputId).toEqual(simplify(truth));
        if (last) expect(last.amountBaseUnits).toBe(output.valueBaseUnits);
      }
    }
  }

  function expectUnbrokenHistory(): void {
    for (const save of at.store.saves) {
      expect(save.blocks.map((block) => block.height)).toEqual(
        save.blocks.map((_, index) => save.forkHeight + 1 + index),
      );
      expect(save.cursor.height).toBe(save.forkHeight + save.blocks.length);
    }
    const kept = at.store.blocks();
    for (const [index, block] of kept.entries()) {
      if (index > 0) expect(at.node.block(block.blockHash).previousHash).toBe(kept[index - 1]?.blockHash);
    }
    expect(kept.at(-1)?.blockHash).toBe(at.node.best().hash);
  }

  function expectRisingOrders(): void {
    const orders = at.sink.observations.map((each) => each.order);
    for (const [index, order] of orders.entries()) {
      if (index > 0) expect(order).toBeGreaterThan(orders[index - 1] ?? Number.POSITIVE_INFINITY);
    }
  }

  return { at, act, rescan, loadMempool, expectLastWords, expectUnbrokenHistory, expectRisingOrders };
}

/** A chain that became shorter during a rescan lacks some of the blocks. */
function ignoreMovedTip(error: unknown): void {
  const isExpected = error instanceof RangeError || (error instanceof RetryableError && error.code === 'TIP_MOVED');
  if (!isExpected) throw error;
}

function truthOf(at: WatcherHarness, outputId: string): OutputStatus {
  const txid = outputId.split(':')[0];
  for (const block of at.node.bestBranch()) {
    if (block.transactions.some((each) => each.txid === txid)) {
      return { kind: 'block', height: block.height, blockHash: block.hash };
    }
  }
  if (at.node.mempool().some((each) => each.txid === txid)) return { kind: 'mempool' };
  return { kind: 'gone', reason: 'evicted' };
}
