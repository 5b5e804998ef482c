import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createEngine, createKindRegistry, leaseDueTimers } from '../../src/engine/index.ts';
import { createPostgresDatabase, describePostgres } from '../support/database.ts';
import { createTestClock, newActorId, START_MS, silentLog } from '../support/engine.ts';
import { createLedgerKind, createLedgerTable } from '../support/engine-charts.ts';
import { recordQueries } from '../support/slow-plans.ts';

describePostgres('The statements of a batch', () => {
  test('look rows up by index on a database created a second ago, however many rows came since', async () => {
    const database = await createPostgresDatabase();
    await createLedgerTable(database);
    // No statistics, now and later: autovacuum must not help.
    for (const table of ['actor', 'journal_entry', 'timer', 'outbox_message', 'watermark']) {
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(database.db);
    }
    const { db, queries, findSlow, close } = recordQueries(database);
    const engine = createEngine({
      db,
      kinds: createKindRegistry([createLedgerKind()]),
      clock: createTestClock(),
      log: silentLog,
    });
    const ids = Array.from({ length: 64 }, newActorId);
    const all = (deliver: (actorId: string) => Promise<unknown>) => Promise.all(ids.map(deliver));

    await all((actorId) => engine.start({ kind: 'ledger', actorId, startKey: actorId, input: {} }));
    await all((actorId) => engine.deliver({ actorId, eventId: 'e-1', event: { type: 'book', amount: 1 } }));
    await all((actorId) => engine.deliver({ actorId, eventId: 'e-2', event: { type: 'remind', inMs: 0 } }));
    await all((actorId) =>
      engine.deliver({ actorId, eventId: 'timer:reminder_due:3', event: { type: 'timer.reminder_due' } }),
    );
    await leaseDueTimers(db, { now: START_MS, leaseMs: 1, limit: 100 });
    await all((actorId) => engine.deliver({ actorId, eventId: 'e-3', event: { type: 'close' } }));

    expect(queries.length).toBeGreaterThan(15);
    expect(await findSlow()).toEqual([]);
    await close();
    await database.drop();
  });
});
