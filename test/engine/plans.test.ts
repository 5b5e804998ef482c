import type { CompiledQuery } from 'kysely';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { parserOf } from '../../src/db/values.ts';
import { createEngine, createKindRegistry, leaseDueTimers } from '../../src/engine/index.ts';
import { planByIndex } from '../../src/engine/sql/plan.ts';
import { createPostgresDatabase, describePostgres } from '../support/database.ts';
import { createTestClock, newActorId, START_MS, silentLog } from '../support/engine.ts';
import { createLedgerKind, createLedgerTable } from '../support/engine-charts.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

describePostgres('The statements of a batch', () => {
  test('look rows up by index on a database created a second ago, however many rows came since', async () => {
    const database = await createPostgresDatabase();
    await createLedgerTable(database);
    // No statistics, now and later: autovacuum must not help.
    for (const table of ['actor', 'journal_entry', 'timer', 'outbox_message', 'watermark']) {
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(database.db);
    }
    const queries: CompiledQuery[] = [];
    const getTypeParser = (oid: number) => parserOf(oid) ?? pg.types.getTypeParser(oid);
    const pool = new pg.Pool({ connectionString: database.url ?? '', max: 1, types: { getTypeParser } });
    const dialect = new PostgresDialect({ pool });
    const db = new Kysely<Database>({ dialect, log: (event) => void queries.push(event.query) });
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

    const touching = queries.filter((query) => /^\s*(with|select|update|delete|insert)/i.test(query.sql));
    expect(touching.length).toBeGreaterThan(15);
    await db.transaction().execute(async (trx) => {
      await planByIndex(trx);
      for (const query of touching) {
        const { rows } = await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
          ...query,
          sql: `explain (format json) ${query.sql}`,
        });
        const scans = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)).filter(isSlow);
        expect(scans.map(describeNode), query.sql).toEqual([]);
      }
    });
    await db.destroy();
    await database.drop();
  });
});

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Reads all of a table. Function scans (`unnest`) and CTEs are the batch's own rows. */
function isSlow(node: PlanNode): boolean {
  return node['Node Type'] === 'Seq Scan';
}

function describeNode(node: PlanNode): string {
  return `${node['Node Type']} on ${node['Relation Name']}`;
}
