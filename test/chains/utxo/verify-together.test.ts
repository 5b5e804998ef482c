import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TrackedOutput, VerifyRequest } from '../../../src/chains/index.ts';
import { payment } from '../../support/nodes/fake-utxo-node.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { createWatcherHarness, WATCHED_KEYS, type WatcherHarness } from '../support/watcher-harness.ts';

const UNWATCHED = WATCHED_KEYS + 1;
/** More than one request reads. */
const HEIGHTS = 12;
const HISTORY_BLOCKS = 10;

describe('outputs verified together', () => {
  test('get the same responses as one by one, anywhere', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(ASKED, { minLength: 1, maxLength: 10 }), fc.boolean(), async (cases, isIndexed) => {
        const { at, outputs } = await arrange(cases);
        at.node.hasTransactionIndex = isIndexed;
        const oneByOne = [];
        for (const each of outputs) oneByOne.push(...(await responsesOf(at, [each])));
        const together = await responsesOf(at, outputs);
        expect(together).toEqual(oneByOne);
        expect(together).toHaveLength(outputs.length);
      }),
      { numRuns: level.runs(150) },
    );
  });

  test('take as many requests as a few', async () => {
    const requestsOf = async (count: number) => {
      const cases = Array.from({ length: count }, (_, index): Requested => ({ ...DEEP, height: index % HEIGHTS }));
      const { at, outputs } = await arrange(cases);
      at.restart();
      await at.step();
      const { call, batch } = at.node.rpc;
      let requests = 0;
      at.node.rpc.call = (...args) => {
        requests += 1;
        return call(...args);
      };
      at.node.rpc.batch = (...args) => {
        requests += 1;
        return batch(...args);
      };
      await at.watcher().verify({ outputs });
      return requests;
    };
    expect(await requestsOf(100)).toBe(await requestsOf(HEIGHTS));
  });
});

// Helpers

type Fate = 'mined' | 'unwatched' | 'waits' | 'evicted' | 'replaced' | 'fell out' | 'returned' | 'never sent' | 'other';

interface Requested {
  readonly fate: Fate;
  /** Height of the block that contains it, if any. */
  readonly height: number;
  readonly required: number;
  readonly hint: 'right' | 'wrong' | 'none';
  /** Included twice, as after a redelivered message. */
  readonly twice: boolean;
}

const DEEP: Requested = { fate: 'mined', height: 0, required: 3, hint: 'right', twice: false };

const ASKED = fc.record<Requested>({
  fate: fc.constantFrom(
    'mined',
    'unwatched',
    'waits',
    'evicted',
    'replaced',
    'fell out',
    'returned',
    'never sent',
    'other',
  ),
  height: fc.nat(HEIGHTS - 1),
  required: fc.integer({ min: 1, max: HEIGHTS + 3 }),
  hint: fc.constantFrom('right', 'wrong', 'none'),
  twice: fc.boolean(),
});

/** A chain on which each case has happened, with a watcher that observed it. */
async function arrange(cases: readonly Requested[]) {
  const at = createWatcherHarness({ historyBlocks: HISTORY_BLOCKS });
  Object.assign(at.params, { reportsLocks: true });
  at.node.locks = { txids: new Set(), blockHashes: new Set() };
  at.node.mine([]);
  const all = cases.map((each, index) => {
    const key = each.fate === 'unwatched' ? UNWATCHED : index % WATCHED_KEYS;
    return { ...each, index, paid: payment([index], [key], 1_000n + BigInt(index)), minedAt: null as number | null };
  });
  const takenBy = (fates: readonly Fate[], height?: number) =>
    all.filter((each) => fates.includes(each.fate) && (height === undefined || each.height === height));
  for (let height = 0; height < HEIGHTS; height += 1) {
    const block = at.node.mine(takenBy(['mined', 'unwatched', 'other'], height).map(({ paid }) => paid));
    for (const each of takenBy(['mined', 'unwatched', 'other'], height)) each.minedAt = block.height;
    await at.step();
  }
  for (const { paid } of takenBy(['waits', 'evicted', 'replaced'])) at.node.submit(paid);
  const falling = takenBy(['fell out', 'returned']);
  const stale = at.node.mine(falling.map(({ paid }) => paid));
  for (const each of falling) each.minedAt = stale.height;
  at.node.locks.txids.add(all[0]?.paid.txid ?? '');
  await at.step();
  const returning = new Set(takenBy(['returned']).map(({ paid }) => paid.txid));
  const branch = at.node.build(at.node.build(stale.previousHash, []).hash, []);
  at.node.setBest(branch.hash, (txid) => returning.has(txid));
  for (const { paid } of takenBy(['evicted'])) at.node.evict(paid.txid);
  for (const { index } of takenBy(['replaced'])) at.node.submit(payment([index], [UNWATCHED], 1n));
  await at.step();
  const outputs = all.flatMap((each): VerifyRequest['outputs'] => {
    const reportedHeight = { right: each.minedAt, wrong: 2, none: null }[each.hint];
    const requested = { output: outputOf(each), requiredConfirmations: each.required, reportedHeight };
    return each.twice ? [requested, requested] : [requested];
  });
  return { at, outputs };
}

function outputOf({ fate, paid }: { readonly fate: Fate; readonly paid: ReturnType<typeof payment> }): TrackedOutput {
  const [first] = paid.outputs;
  return {
    outputId: `${paid.txid}:0`,
    txid: paid.txid,
    watchKey: first?.scriptHex ?? '',
    asset: 'BTC',
    amountBaseUnits: (first?.valueBaseUnits ?? 0n) + (fate === 'other' ? 1n : 0n),
    firstSeenAt: 1_000,
    spends: paid.spends,
  };
}

/** Answers of a newly started watcher, without their order numbers. */
async function responsesOf(at: WatcherHarness, outputs: VerifyRequest['outputs']) {
  at.restart();
  await at.step();
  await at.watcher().verify({ outputs });
  return at.sink.observations.slice(-outputs.length).map(({ order: _order, ...response }) => response);
}
