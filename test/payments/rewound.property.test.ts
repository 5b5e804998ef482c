import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumBaseUnits } from '../../machines/vocabulary/amount.ts';
import { rewindWatchers } from '../../src/payments/index.ts';
import { assertNever } from '../../src/platform/errors.ts';
import { liveRecords } from '../chains/evm/watcher/histories/shown-sums.ts';
import { branchFrom, pays } from '../chains/evm/watcher/sightings/sighting-support.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { changeTransactions } from '../support/database/transaction-rows.ts';
import { address, COIN, coins, type FakeTransaction, otherAddress } from '../support/nodes/fake-evm-node.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { openAccount } from './support/open-account.ts';
import { mine, openWatcher, type WatcherOfTest } from './support/rewound-watcher.ts';

const ACCOUNT = { watchKey: address(0), asset: COIN } as const;

/** What happens to the chain, the node, the payment and the service between two polls. */
const chainEvent = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('contract pays'), wei: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sender pays'), wei: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('blocks'), blocks: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('traces'), traces: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('status'), status: fc.constantFrom('pending', 'completed', 'expired') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('due') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rewind'), blocks: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorg'),
      depth: fc.integer({ min: 1, max: 4 }),
      keeps: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    }),
  },
);
type ChainEvent = typeof chainEvent extends fc.Arbitrary<infer Each> ? Each : never;

describePostgres('rewinds among all other events', () => {
  let database: TestDatabase;

  test('finally a payment shows the content of its address, and no balance drop', async () => {
    database = await createPostgresDatabase();
    try {
      await assertAsyncProperty(
        fc.asyncProperty(fc.array(chainEvent, { minLength: 4, maxLength: 12 }), (events) => applyAll(database, events)),
        { numRuns: level.runs(120), interruptAfterTimeLimit: 120_000 },
      );
    } finally {
      await database.drop();
    }
  });
});

// Helpers

async function applyAll({ db }: TestDatabase, events: readonly ChainEvent[]): Promise<void> {
  const at = openWatcher(db);
  await openAccount(db, {
    network: at.network,
    watchKey: address(0),
    crypto: COIN,
    vettedAt: 1,
    expiresAt: Date.UTC(2033, 0),
  });
  mine(at, 20);
  await at.poll();
  for (const each of events) {
    await applyEvent(db, at, each);
    if (each.kind !== 'traces' && each.kind !== 'status') await at.poll();
  }
  for (let polls = 0; polls < 4; polls += 1) {
    at.node.timeSeconds += 700;
    mine(at, 1);
    await at.makeDue();
    await at.poll();
  }
  const shown = sumBaseUnits(liveRecords({ sink: at }, ACCOUNT));
  expect({ shown, drops: at.drops }).toEqual({ shown: at.node.balance(ACCOUNT, at.node.best().hash), drops: [] });
}

async function applyEvent(db: TestDatabase['db'], at: WatcherOfTest, each: ChainEvent): Promise<void> {
  switch (each.kind) {
    case 'contract pays':
      return void at.node.mine([pays(each.wei)]);
    case 'sender pays':
      return void at.node.mine([fromSender(each.wei)]);
    case 'blocks':
      return mine(at, each.blocks);
    case 'traces':
      at.node.traces = each.traces;
      return;
    case 'status':
      await changeTransactions(db, { status: each.status }, { network: at.network });
      return;
    case 'due':
      return at.makeDue();
    case 'reorg':
      return reorganise(at, each);
    case 'rewind':
      await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: each.blocks }));
      return at.restart();
    default:
      return assertNever(each, 'chain event');
  }
}

let senders = 5_000;

/** Each has its own sender, so that no later nonce replaces an earlier payment. */
function fromSender(wei: number): FakeTransaction {
  senders += 1;
  return coins(address(0), BigInt(wei), { from: otherAddress(senders) });
}

/** The new branch is one block longer, and has the transactions of the old one that it keeps. */
function reorganise(at: WatcherOfTest, { depth, keeps }: Extract<ChainEvent, { readonly kind: 'reorg' }>): void {
  const branch = at.node.bestBranch();
  const kept = branch.slice(-depth).map(({ transactions }, index) => (keeps[index] === true ? [...transactions] : []));
  branchFrom(at, branch.at(-depth - 1)?.hash ?? '', [[], ...kept]);
}
