import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../src/platform/db/index.ts';
import { planByIndex } from '../../../src/platform/engine/sql/plan.ts';
import { openRecorded } from './recorded-connection.ts';
import type { TestDatabase } from './test-database.ts';

/** A connection that records every statement that reads or writes rows, to explain them later. */
export interface RecordingConnection {
  readonly db: Kysely<Database>;
  readonly queries: CompiledQuery[];
  /**
   * The recorded statements that scan a whole table when planned as the engine plans its batches,
   * with the scans of each.
   */
  findSlow(): Promise<readonly { readonly sql: string; readonly scans: readonly string[] }[]>;
  close(): Promise<void>;
}

/** Connects to a test database on Postgres. */
export function recordQueries(database: TestDatabase): RecordingConnection {
  const queries: CompiledQuery[] = [];
  const db = openRecorded(database, (query) => {
    if (/^\s*(with|select|update|delete|insert)/i.test(query.sql)) queries.push(query);
  });
  return {
    db,
    queries,
    async findSlow() {
      const requested = [...queries];
      return db.transaction().execute(async (trx) => {
        await planByIndex(trx);
        const slow = [];
        for (const query of requested) {
          const { rows } = await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
            ...query,
            sql: `explain (format json) ${query.sql}`,
          });
          const scans = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)).filter(isSlow);
          if (scans.length > 0) slow.push({ sql: query.sql, scans: scans.map(describeNode) });
        }
        return slow;
      });
    },
    close: () => db.destroy(),
  };
}

/**
 * Number of rows of tables and indexes that a statement reads, including those it filters out. Runs
 * the statement and rolls it back.
 */
export async function countRowsRead(db: Kysely<Database>, query: CompiledQuery): Promise<number> {
  let count = 0;
  const takenBack = new Error('taken back');
  const running = db.transaction().execute(async (trx) => {
    await planByIndex(trx);
    const { rows } = await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
      ...query,
      sql: `explain (analyze, format json) ${query.sql}`,
    });
    for (const node of rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan))) {
      if (node['Relation Name'] === undefined) continue;
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      count += ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 1);
    }
    throw takenBack;
  });
  await running.catch((error: unknown) => {
    if (error !== takenBack) throw error;
  });
  return count;
}

/** Number of blocks that a statement reads, from the cache or the disk. */
export async function countBlocksRead(db: Kysely<Database>, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
    explain (analyze, buffers, format json) ${statement}`.execute(db);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error('there is no plan');
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

/** A node of a plan in JSON, as `explain` returns it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A node and all nodes below it. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

// Helpers

/** Scans a whole table. Function scans (`unnest`) and CTEs read the batch's own rows. */
function isSlow(node: PlanNode): boolean {
  return node['Node Type'] === 'Seq Scan';
}

function describeNode(node: PlanNode): string {
  return `${node['Node Type']} on ${node['Relation Name']}`;
}
