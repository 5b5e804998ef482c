import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createUtxoWatcher } from '../../src/chains/index.ts';
import { BITCOIN_FORMAT } from '../../src/chains/utxo/raw-reader.ts';
import { createWatcherStore } from '../../src/payments/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { insertDeadLetters } from '../../src/platform/engine/index.ts';
import { createMemorySink, createMemoryWatchSet, silentLog } from '../chains/support/watcher-store.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createFakeUtxoNode, payment, script } from '../support/nodes/fake-utxo-node.ts';
import { codeBlocks, documents, readDocument } from './markdown.ts';

const BLOCKS = documents().flatMap((name) => codeBlocks(readDocument(name), 'sql'));

describeDatabases('the SQL in the documents', (database) => {
  test('runs on the schema of this version', async () => {
    expect(BLOCKS.length).toBeGreaterThan(4);
    for (const block of BLOCKS) await run(database().db, block);
  });

  test('sends a dead letter again, to the queue of its actor, and only once', async () => {
    const { db } = database();
    const actorId = `txn_${randomUUID()}`;
    await insertActor(db, actorId);
    const data = { actorId, eventId: 'chain:1', event: { type: 'chain.output_seen' } };
    const messageId = `${actorId}:chain:1`;
    await insertDeadLetters(db, [{ queue: 'engine', messageId, actorId, data, reason: 'a bug' }]);
    const { id } = await db
      .selectFrom('dead_letter')
      .select('id')
      .where('message_id', '=', messageId)
      .executeTakeFirstOrThrow();
    const again = blockWith('update dead_letter').replaceAll('id = 1', `id = ${id}`);
    await run(db, again);
    await run(db, again);
    const waiting = await sql`select queue, data from outbox_message where data ->> 'actorId' = ${actorId}`.execute(db);
    expect(waiting.rows).toEqual([{ queue: 'actor-transaction', data }]);
  });

  test('rewinds a watcher, which then reports the following blocks again', async () => {
    const { db } = database();
    const network = `rewound-${randomUUID()}`;
    const node = createFakeUtxoNode();
    const sink = createMemorySink();
    const start = () => {
      const { genesisHash, rpc } = node;
      return createUtxoWatcher({
        params: { network, asset: 'BTC', genesisHash, format: BITCOIN_FORMAT, staleAfterMs: null },
        rpc,
        store: createWatcherStore({ db, network, onProgress: () => {} }),
        watchSet: createMemoryWatchSet([script(0)]),
        sink: sink.sink,
        clock: { now: () => node.timeSeconds * 1_000 },
        log: silentLog,
      });
    };
    for (let mined = 0; mined < 20; mined += 1) node.mine([]);
    await start().step();
    node.submit(payment([1], [0]));
    node.mine();
    // Deeper than the blocks that every start reports again.
    for (let mined = 0; mined < 25; mined += 1) node.mine([]);
    await start().step();
    const sent = () => sink.observations.map(({ status }) => status);
    const first = sent();
    expect(first).toMatchObject([{ kind: 'block', height: 21 }]);

    await start().step();
    expect(sent(), 'a start alone repeats nothing that is deep in the chain').toEqual(first);

    const rewind = blockWith('delete from chain_block').replaceAll('litecoin-mainnet', network);
    await run(db, rewind.replaceAll('2900000', '20'));
    await start().step();
    expect(sent()).toEqual([...first, ...first]);
    const [before, after] = sink.observations.map(({ order }) => order);
    expect(after).toBeGreaterThan(before ?? 0);

    await run(db, rewind); // A height that is not stored changes nothing.
    await start().step();
    expect(sent()).toHaveLength(2);
  });
});

// Helpers

function blockWith(text: string): string {
  const block = BLOCKS.find((each) => each.includes(text));
  if (block === undefined) throw new Error(`no SQL block has "${text}"`);
  return block;
}

/** Every statement of a block, in order, on one connection. */
async function run(db: Kysely<Database>, block: string): Promise<void> {
  const statements = block.split(/;\s*$/m).filter((statement) => statement.trim() !== '');
  await db.connection().execute(async (connection) => {
    for (const statement of statements) await sql.raw(statement).execute(connection);
  });
}

async function insertActor(db: Kysely<Database>, id: string): Promise<void> {
  await sql`insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
    values (${id}, 'transaction', '1', 'completed', 'active', '{}', 1, date_trunc('milliseconds', now()), now(), now())`.execute(
    db,
  );
}
