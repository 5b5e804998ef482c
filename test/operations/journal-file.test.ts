import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import * as machines from '../../machines/index.ts';
import { exportJournal, importJournal, readStepDetail, regressionTestOf } from '../../src/operations/index.ts';
import { MAX_FILE_ENTRIES } from '../../src/operations/journal/journal-file.ts';
import { seen } from '../machines/transaction/observations.ts';
import { createEmbeddedDatabase } from '../support/database/embedded-database.ts';
import { deliverAll } from './histories.ts';
import { createInstallation } from './installation.ts';

const database = await createEmbeddedDatabase();
const all = createInstallation(database);
afterAll(() => database.drop());

const id = await all.startTransaction();
await deliverAll(all, id, [
  { type: 'merchant.dismissed', by: 'key_1' },
  { ...seen({ order: 1, amount: 7n }) },
  { type: 'chain.balance_dropped', missingBaseUnits: '7' },
  { type: 'merchant.rejected', by: 'key_1' },
]);
const file: unknown = JSON.parse(JSON.stringify(await exportJournal(all.db, id)));

test('an exported journal can be inspected without its database', async () => {
  const offline = await importJournal(all.kinds, file);
  expect(offline).toMatchObject({ actorId: id, kind: 'transaction', isSound: true });
  expect(offline.steps.map(({ state, outcome }) => [state, outcome])).toEqual([
    ['open.awaitingPayment', 'started'],
    ['open.awaitingPayment', 'ignored'],
    ['open.partiallyPaid', 'applied'],
    ['open.inReview', 'applied'],
    ['failed', 'applied'],
  ]);
  for (const stepDetail of offline.stepDetails) {
    expect(stepDetail).toEqual(await readStepDetail(all, id, stepDetail.step.sequence));
  }
});

test('a file whose end does not follow from its steps is reported', async () => {
  const { rests } = file as { rests: { context: object } };
  const changed = { ...(file as object), rests: { ...rests, context: { ...rests.context, notifications: 9 } } };
  expect((await importJournal(all.kinds, changed)).isSound).toBe(false);
});

test.each([
  [{ format: 'another' }, 'format'],
  [{ kind: 'nothing' }, 'kind'],
  [{ entries: [] }, 'entries'],
  [{ entries: [{ sequence: 0 }] }, 'entries.0'],
  [{ more: 1 }, ''],
])('a file with %j is rejected by name', async (change, field) => {
  const rejection = await captured(() => importJournal(all.kinds, { ...(file as object), ...change }));
  expect(rejection).toMatchObject({ code: 'INVALID_JOURNAL_FILE' });
  expect((rejection as { field: string }).field.startsWith(field)).toBe(true);
});

test('a file with steps that the chart cannot replay, or out of order, is rejected', async () => {
  const { entries } = file as { entries: { event: object; sequence: number }[] };
  const [first, ...others] = entries;
  const broken = [{ ...first, event: { type: 'actor.started', input: { dueBaseUnits: 'x' } } }, ...others];
  for (const wrong of [broken, entries.toReversed(), others]) {
    await expect(importJournal(all.kinds, { ...(file as object), entries: wrong })).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_JOURNAL_FILE' }),
    );
  }
});

test('the event loop turns between the entries of a file', async () => {
  let turns = 0;
  let turn = setImmediate(count);
  function count(): void {
    turns += 1;
    turn = setImmediate(count);
  }
  await importJournal(all.kinds, longFile(100));
  clearImmediate(turn);
  expect(turns).toBeGreaterThanOrEqual(99);
});

test('a file with too many entries, or with too long a context for their number, is rejected', async () => {
  await expect(importJournal(all.kinds, longFile(MAX_FILE_ENTRIES + 1))).rejects.toMatchObject({
    field: 'entries',
    message: `entries must have at most ${MAX_FILE_ENTRIES} entries`,
  });
  await expect(importJournal(all.kinds, longFile(100, 'x'.repeat(200_000)))).rejects.toMatchObject({
    code: 'INVALID_JOURNAL_FILE',
    field: 'entries',
    message: expect.stringContaining('16 MiB'),
  });
});

test('the generated regression test passes for what happened, and fails for what did not', async () => {
  const written = regressionTestOf(await exportJournal(all.db, id));
  expect(written).toContain(`import { transactionMachine, statePath } from 'quittance/machines';`);
  expect(() => run(written)).not.toThrow();
  expect(() =>
    run(written.replace('"state": "failed"', '"state": "failed"').replace('"failed"],', '"completed"],')),
  ).toThrow();
  expect(() => run(written.replace(/"failedAt": \d+/, '"failedAt": 1'))).toThrow();
});

/** The exported journal up to the coins, in the output `outputId`, and then ignored entries. */
function longFile(count: number, outputId = 'a:0'): unknown {
  const { entries, ...rest } = file as { entries: { event: object }[] };
  const [start, ignored, coins] = entries;
  const changed = { ...coins, sequence: 2, event: { ...coins?.event, outputId } };
  const others = Array.from({ length: count - 2 }, (_, index) => ({ ...ignored, sequence: index + 3 }));
  return { ...rest, entries: [start, changed, ...others] };
}

/** Runs the body of the one test in the text, with its imports passed as arguments. */
function run(text: string): void {
  const body = text
    .replace(/^import .*$/gm, '')
    .replaceAll(' as const', '')
    .replaceAll(' as never', '');
  const names = { expect, initialTransition, transition, ...machines, test: (_: string, check: () => void) => check() };
  runInNewContext(body, names);
}

async function captured(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('it was not refused');
}
