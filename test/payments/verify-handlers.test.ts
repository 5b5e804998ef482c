import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import type { Watcher } from '../../src/chains/index.ts';
import { createSearchHandler, createSimulatedVerifyHandler, createVerifyHandler } from '../../src/payments/index.ts';
import type { BusHandler, ReceivedMessage } from '../../src/platform/bus/index.ts';
import { connect, type Database } from '../../src/platform/db/index.ts';
import type { Engine } from '../../src/platform/engine/index.ts';
import { RetryableError, TerminalError } from '../../src/platform/errors.ts';
import { silentLog } from '../support/silent-log.ts';

/** Nothing listens there. */
const NO_DATABASE = 'postgres://postgres@127.0.0.1:1/quittance';

const data = { transactionId: 'txn_1', crypto: 'LTC', requiredConfirmations: 3, outputs: [] };
const message: ReceivedMessage = { queue: 'verify', partition: 0, id: 'm-1', data, attempt: 1 };

/** Neither is called before the database has answered. */
const watcher = {} as Watcher;
const engine = {} as Engine;

test.each<[string, (db: Kysely<Database>) => BusHandler]>([
  ['on a real network', (db) => createVerifyHandler({ db, watcher })],
  ['on a simulated network', (db) => createSimulatedVerifyHandler({ db, engine })],
])('a verification %s that finds no database is retried instead of becoming a dead letter', async (_, create) => {
  const { db, close } = await connect({ url: NO_DATABASE, dataDir: null, poolSize: 1 });
  try {
    await expect(create(db)(message)).rejects.toBeInstanceOf(RetryableError);
  } finally {
    await close();
  }
});

test('a search is asked for again while the node is away, and given up when its response cannot change', async () => {
  const searched: string[] = [];
  let failure: Error | null = new RetryableError('NODE_AWAY', 'no response');
  const search = async (txid: string) => {
    searched.push(txid);
    if (failure !== null) throw failure;
    return { height: 1, outputs: 1 };
  };
  const handle = createSearchHandler({ watcher: { network: 'litecoin-regtest', search } as Watcher, log: silentLog });
  const requested = { ...message, data: { txid: 'ab' } };
  await expect(handle(requested)).rejects.toBe(failure);
  failure = new TerminalError('NODE_PRUNED', 'the block is pruned');
  await handle(requested);
  failure = null;
  await handle(requested);
  expect(searched).toEqual(['ab', 'ab', 'ab']);
});
