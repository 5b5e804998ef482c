import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UnreadableOutputsError, type VerifyRequest, type Watcher } from '../../src/chains/index.ts';
import { createVerifyHandler } from '../../src/payments/index.ts';
import type { BusHandler } from '../../src/platform/bus/index.ts';
import { databaseUnavailable } from '../../src/platform/db/index.ts';
import { RetryableError, TerminalError } from '../../src/platform/errors.ts';
import { currentContext, type RequestContext, runInNewContext } from '../../src/platform/request-context.ts';
import { counting } from '../support/database/count-statements.ts';
import { describeDatabases, type TestDatabase } from '../support/database/test-database.ts';
import { deferred } from '../support/deferred.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { LITECOIN, newWallet, type StartedPayment, startEngine, startPayment } from './watching/sink-support.ts';

type Requested = VerifyRequest['outputs'];

const nodeAway = () => new RetryableError('NODE_UNREACHABLE', 'http://node does not answer');
const unreadable = () => {
  const cause = new RetryableError('NODE_RESPONSE_UNUSABLE', 'the node cannot return a block');
  return new UnreadableOutputsError(cause, { cause });
};

/** An error of Postgres as a connection throws it. */
const databaseFailed = (code: string) => databaseUnavailable(Object.assign(new Error(`failed: ${code}`), { code }));

describeDatabases('concurrent verifications', (database) => {
  let payments: Promise<StartedPayment[]> | undefined;

  /** Created once: no test changes them. */
  function start(): Promise<StartedPayment[]> {
    payments ??= startPayments(database().db);
    return payments;
  }

  it('share a poll and the statement for their addresses, each with its own coin and depth', async () => {
    const [first, second, third] = await start();
    const { watcher, requests } = createRecorder();
    const { db, statements } = counting(database().db);
    const handle = createVerifyHandler({ db, watcher });
    await Promise.all([
      handle(messageOf(first?.transactionId, { requiredConfirmations: 3 })),
      handle(messageOf(second?.transactionId, { requiredConfirmations: 12, crypto: 'USDT' })),
      handle(messageOf(third?.transactionId, { requiredConfirmations: 1, height: null })),
    ]);
    expect(requests.map((outputs) => outputs.map(inShort))).toEqual([
      [
        [`${first?.transactionId}:0`, first?.watchKey, 'LTC', 3, 7],
        [`${second?.transactionId}:0`, second?.watchKey, 'USDT', 12, 7],
        [`${third?.transactionId}:0`, third?.watchKey, 'LTC', 1, null],
      ],
    ]);
    expect(statements()).toBe(1);
  });

  it('wait for the next poll when one runs, because it may be older than they are', async () => {
    const [first, second, third] = await start();
    const gate = deferred();
    const { watcher, requests } = createRecorder(() => gate.promise);
    const handle = createVerifyHandler({ db: database().db, watcher });
    const all = [handle(messageOf(first?.transactionId))];
    await expect.poll(() => requests.length).toBe(1);
    all.push(handle(messageOf(second?.transactionId)), handle(messageOf(third?.transactionId)));
    gate.resolve();
    await Promise.all(all);
    expect(requests.map((outputs) => outputs.length)).toEqual([1, 2]);
  });

  it('are not split by one whose payment has no address, which alone is rejected', async () => {
    const [first, second] = await start();
    const { watcher, requests } = createRecorder();
    const handle = createVerifyHandler({ db: database().db, watcher });
    const ids = [first?.transactionId, 'txn_unknown', second?.transactionId];
    const settled = await Promise.allSettled(ids.map((id) => handle(messageOf(id))));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: { name: 'TerminalError', code: 'ADDRESS_UNKNOWN' } });
    expect(requests.map((outputs) => outputs.length)).toEqual([2]);
  });

  it.each([
    ['a node that is away', nodeAway()],
    ['a node that is still loading', new RetryableError('NODE_SYNCING', 'the node is loading')],
    ['a node that refuses the password', new TerminalError('NODE_REFUSED_CREDENTIALS', 'the node answered 401')],
    ['a watcher whose database is away', databaseFailed('ECONNREFUSED')],
  ])('request %s once for all of them, and all are retried', async (_, failure) => {
    const { watcher, requests } = createRecorder(() => Promise.reject(failure));
    const handle = createVerifyHandler({ db: database().db, watcher });
    const settled = await Promise.allSettled((await start()).map((each) => handle(messageOf(each.transactionId))));
    expect(settled.map(({ status }) => status)).toEqual(settled.map(() => 'rejected'));
    expect(requests).toHaveLength(1);
  });

  it('are split by an output that cannot be read, and no further once the node is down', async () => {
    const failures = [unreadable(), nodeAway()];
    const { watcher, requests } = createRecorder(() => Promise.reject(failures.shift()));
    const handle = createVerifyHandler({ db: database().db, watcher });
    const settled = await Promise.allSettled((await start()).map((each) => handle(messageOf(each.transactionId))));
    expect(settled.map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
      settled.map(() => 'NODE_UNREACHABLE'),
    );
    expect(requests).toHaveLength(2);
  });

  it('are retried when the node rejects its credentials, because an operator will fix that', async () => {
    const [first, second] = await start();
    const rejected = new TerminalError('NODE_REFUSED_CREDENTIALS', 'http://node answered 401');
    const { watcher, requests } = createRecorder(() => Promise.reject(rejected));
    const handle = createVerifyHandler({ db: database().db, watcher });
    const outcomes = await Promise.allSettled([first, second].map((each) => handle(messageOf(each?.transactionId))));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { name: 'RetryableError', code: 'NODE_REFUSED_CREDENTIALS' } });
    }
    expect(requests).toHaveLength(1);
  });

  it('run outside any request context, and a single one in its own', async () => {
    const [first, second] = await start();
    const contexts: (RequestContext | null)[] = [];
    const { watcher } = createRecorder(async () => void contexts.push(currentContext()));
    const handle = createVerifyHandler({ db: database().db, watcher });
    const requested = (id: string | undefined, merchantId: string) =>
      runInNewContext({ merchantId }, () => handle(messageOf(id)));
    await Promise.all([requested(first?.transactionId, 'mer_1'), requested(second?.transactionId, 'mer_2')]);
    await requested(second?.transactionId, 'mer_2');
    expect(contexts.map((context) => context?.ids.merchantId)).toEqual([undefined, 'mer_2']);
  });

  it('end as they would one by one, in any group', async () => {
    const started = await start();
    const fate = fc.constantFrom<Fate>('answered', 'unknown', 'unreadable', 'refused', 'mistaken', 'unstorable');
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 12 }), async (fates) => {
        const messages = fates.map((each, index) => {
          const { transactionId } = started[index % started.length] ?? { transactionId: '' };
          const id = each === 'unknown' ? `txn_unknown_${index}` : transactionId;
          return messageOf(id, { outputId: `${each}:${index}` });
        });
        const together = await outcomesOf(database().db, messages, (handle) =>
          Promise.allSettled(messages.map((message) => handle(message))),
        );
        const oneByOne = await outcomesOf(database().db, messages, async (handle) => {
          const settled: PromiseSettledResult<void>[] = [];
          for (const message of messages) settled.push(...(await Promise.allSettled([handle(message)])));
          return settled;
        });
        expect(together).toEqual(oneByOne);
        expect(together.responded).toEqual(
          messages.map(({ data }) => data.outputs[0]?.outputId).filter((id) => id?.startsWith('answered')),
        );
      }),
      { numRuns: level.runs(40) },
    );
  });
});

// Helpers

type Fate = 'answered' | 'unknown' | 'unreadable' | 'refused' | 'mistaken' | 'unstorable';

/** Failures that one member can cause, by the name of its output. */
const FAILURES: readonly (readonly [string, () => Error])[] = [
  ['unreadable', unreadable],
  ['refused', () => new TerminalError('NODE_PRUNED', 'the node has deleted the block')],
  ['mistaken', () => new Error('a mistake of ours')],
  // The server cannot read a file.
  ['unstorable', () => databaseFailed('58030')],
];

async function startPayments(db: TestDatabase['db']): Promise<StartedPayment[]> {
  const engine = startEngine(db);
  const derivationKeyId = await newWallet(db, LITECOIN);
  const one = () => startPayment(db, engine, { derivationKeyId, network: LITECOIN, crypto: 'LTC' });
  return Promise.all([one(), one(), one(), one(), one()]);
}

/** A watcher that records its requests, and answers all of them unless `before` throws. */
function createRecorder(before: (outputs: Requested) => Promise<void> = async () => {}) {
  const requests: Requested[] = [];
  const responded: string[] = [];
  const verify = async ({ outputs }: VerifyRequest) => {
    requests.push(outputs);
    await before(outputs);
    responded.push(...outputs.map(({ output }) => output.outputId));
  };
  return { watcher: { verify } as Watcher, requests, responded };
}

async function outcomesOf(
  db: TestDatabase['db'],
  messages: readonly unknown[],
  run: (handle: BusHandler) => Promise<PromiseSettledResult<void>[]>,
) {
  const { watcher, responded } = createRecorder(async (outputs) => {
    for (const [name, failure] of FAILURES) {
      if (outputs.some(({ output }) => output.outputId.startsWith(name))) throw failure();
    }
  });
  const settled = await run(createVerifyHandler({ db, watcher }));
  expect(settled).toHaveLength(messages.length);
  const reasons = settled.map((each) => (each.status === 'fulfilled' ? null : String(each.reason)));
  return { reasons, responded };
}

interface MessageChanges {
  readonly outputId?: string;
  readonly crypto?: 'LTC' | 'USDT';
  readonly requiredConfirmations?: number;
  readonly height?: number | null;
}

function messageOf(transactionId = '', changes: MessageChanges = {}) {
  const { outputId = `${transactionId}:0`, crypto = 'LTC', requiredConfirmations = 3, height = 7 } = changes;
  const output = { outputId, txid: transactionId, amountBaseUnits: '1000', firstSeenAt: 1, height };
  const data = { transactionId, crypto, requiredConfirmations, outputs: [output] };
  return { queue: 'verify', partition: 0, id: `${transactionId} ${outputId}`, data, attempt: 1 };
}

function inShort({ output, requiredConfirmations, reportedHeight }: Requested[number]) {
  return [output.outputId, output.watchKey, output.asset, requiredConfirmations, reportedHeight];
}
