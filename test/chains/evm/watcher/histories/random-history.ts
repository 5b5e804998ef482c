import { expect } from 'vitest';
import type { EvmNode } from '../../../../../src/chains/evm/node/evm-node.ts';
import type { Observation } from '../../../../../src/chains/index.ts';
import { RetryableError } from '../../../../../src/platform/errors.ts';
import { address, COIN } from '../../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness } from '../harness.ts';
import { createChainTruth } from './chain-truth.ts';
import { expectConservation, expectLastWords, expectRisingOrders, expectUnbrokenHistory } from './history-checks.ts';
import { createActionPlayer } from './play-actions.ts';
import { type Action, ALWAYS_OPEN, type Point, SOMETIMES_OPEN } from './random-actions.ts';
import { ASSETS } from './transfers.ts';

const HISTORY_BLOCKS = 12;
/** However often it has failed, the check of accounts resumes after this pause. */
const MAX_PAUSE_SECONDS = 601;

export interface HistoryOptions {
  readonly stateBlocks: number;
  readonly isTaxed: boolean;
  /** Whether a chain shorter than the one already seen makes the watcher wait; default false. */
  readonly hasRhythm?: boolean;
}

/** One random history, with every payment that was ever sent. */
export function createHistory(options: HistoryOptions) {
  const hasRhythm = options.hasRhythm ?? false;
  const params = hasRhythm ? { staleAfterMs: Number.POSITIVE_INFINITY } : {};
  const at = createEvmHarness({ historyBlocks: HISTORY_BLOCKS, params });
  const { node } = at;
  const truth = createChainTruth(node);
  const player = createActionPlayer(at, options.isTaxed);

  node.stateBlocks = options.stateBlocks;
  for (let mined = 0; mined < 20; mined += 1) node.mine([]);
  for (let owner = 0; owner < ALWAYS_OPEN; owner += 1) open(owner);
  at.accounts.open({ watchKey: address(SOMETIMES_OPEN), asset: COIN }, true);

  function open(owner: number): void {
    for (const asset of ASSETS) at.accounts.open({ watchKey: address(owner), asset }, true);
  }

  function close(owner: number): void {
    for (const asset of ASSETS) at.accounts.close({ watchKey: address(owner), asset });
  }

  async function pollUndisturbed(): Promise<void> {
    const before = at.sink.observations.length;
    await responded(() => at.step());
    for (const reported of at.sink.observations.slice(before)) {
      expect(
        truth.isTrue(reported),
        `nothing untrue is said in peace: ${reported.outputId} ${reported.status.kind}`,
      ).toBe(true);
    }
  }

  /** Runs something while the dependencies fail at a point for the (`after` + 1)th time. */
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
        (error instanceof RetryableError && ['TIP_MOVED', 'NODE_SYNCING', 'STATE_MISSING'].includes(error.code));
      if (!isExpected) throw error;
    });
  }

  /**
   * False when the watcher rejects the call because the chain is shorter than the one already seen.
   */
  async function responded(run: () => Promise<unknown>): Promise<boolean> {
    const before = at.sink.observations.length;
    try {
      await run();
      return true;
    } catch (error) {
      if (!hasRhythm || !(error instanceof RetryableError) || error.code !== 'NODE_SYNCING') throw error;
      if (error.message.includes('a shorter chain')) {
        expect(at.sink.observations.length, 'nothing is said of a shorter chain').toBe(before);
      }
      return false;
    }
  }

  /** An output that was reported at least once. */
  function pickReported(pick: number): Observation | undefined {
    const known = [...new Set(at.sink.observations.map(({ outputId }) => outputId))];
    const outputId = known[pick % Math.max(1, known.length)];
    return outputId === undefined ? undefined : at.sink.last(outputId);
  }

  async function verify(reported: Observation, requiredConfirmations: number): Promise<void> {
    const { network: _network, order: _order, status, ...rest } = reported;
    const reportedHeight = 'height' in status ? status.height : null;
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
      case 'poll':
        return pollUndisturbed();
      case 'poll while':
        return during(
          each.call,
          () => each.changes.forEach(player.act),
          () => at.step(),
        );
      case 'node fails':
        return during(each.call, throwInjected, () => at.step());
      case 'poll and fail':
        await failing(each.point, each.after, () => at.step());
        if (each.restart) at.restart();
        return;
      case 'verify': {
        const reported = pickReported(each.pick);
        if (reported === undefined) return;
        if (!(await responded(() => verify(reported, each.required)))) return;
        const response = at.sink.last(reported.outputId);
        expect(response?.order).toBeGreaterThan(reported.order);
        if (response) expect(truth.isTrue(response), 'a verification answers truly').toBe(true);
        if (response?.status.kind === 'confirmed') {
          expect(node.best().height - response.status.height + 1).toBeGreaterThanOrEqual(each.required);
        }
        return;
      }
      case 'verify and fail': {
        const reported = pickReported(each.pick);
        if (reported !== undefined) await failing(each.point, each.after, () => verify(reported, 1));
        return;
      }
      case 'rescan':
        await responded(() => rescan(each.from, each.blocks));
        return;
      case 'rescan and fail':
        return failing(each.point, each.after, () => rescan(each.from, 25));
      case 'rescan while':
        return during(
          each.call,
          () => each.changes.forEach(player.act),
          () => rescan(25, 25),
        );
      case 'open':
        return open(each.owner);
      case 'close':
        return close(each.owner);
      case 'make due':
        return at.accounts.makeDue({ watchKey: address(each.owner), asset: COIN });
      case 'restart':
        return at.restart();
      case 'pay':
      case 'mine':
      case 'drop':
      case 'grant':
      case 'steal':
      case 'reorg':
      case 'rewind':
      case 'return to an earlier tip':
      case 'trace':
      case 'lag':
        player.act(each);
    }
  }

  /** A branch that is shorter than the one that was seen proves nothing yet. */
  function outgrowOtherBranches(): void {
    const longest = Math.max(...player.tips().map((hash) => node.block(hash).height));
    while (node.best().height <= longest) node.mine([]);
  }

  async function finish(): Promise<void> {
    player.stopLagging();
    if (hasRhythm) outgrowOtherBranches();
    await act({ kind: 'poll' });
    node.timeSeconds += MAX_PAUSE_SECONDS;
    if (hasRhythm) node.mine([]);
    await act({ kind: 'make due', owner: SOMETIMES_OPEN });
    await act({ kind: 'poll' });
    await act({ kind: 'make due', owner: SOMETIMES_OPEN });
    await act({ kind: 'poll' });
    const reported = { at, truth, tips: player.tips() };
    expectLastWords(reported);
    expectConservation(reported, options.stateBlocks === Number.POSITIVE_INFINITY);
    expectUnbrokenHistory(reported);
    expectRisingOrders(reported);
    if (!player.wasRobbed()) expect(at.drops).toEqual([]);
    const before = at.sink.observations.length;
    await act({ kind: 'poll' });
    expect(at.sink.observations.length, 'a second poll reports nothing').toBe(before);
  }

  return { at, act, finish };
}

// Helpers

function throwInjected(): never {
  throw new Error('injected');
}
