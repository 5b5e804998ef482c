import { type Kysely, sql } from 'kysely';
import { createWatchedScripts, type WatchSet } from '../../chains/index.ts';
import {
  type Database,
  isContinued,
  readTransactionHorizon,
  type TransactionHorizon,
} from '../../platform/db/index.ts';

/** Rows per page while loading. */
const PAGE_ROWS = 50_000;

/**
 * Every address of a network ever derived, in memory. Addresses are derived and committed before
 * they are assigned, and loaded before each scan, so a scan knows every address it could meet.
 *
 * A refresh reads exactly the rows not seen yet: those inserted by transactions that were
 * unfinished at the last refresh (`pg_snapshot_xmin`) or started later. A row number would not do,
 * because a slow transaction commits lower numbers after higher ones.
 *
 * Transaction ids lost in a crash are assigned again. They are higher than that of any row seen,
 * because a visible row has its WAL written; so the mark advances only to the last row seen. A
 * failover loses rows as well: then all are read again.
 */
export function createWatchSet({ db, network }: { db: Kysely<Database>; network: string }): WatchSet {
  const keys = createWatchedScripts();
  let seen: TransactionHorizon | null = null;
  let lastId = 0;

  return {
    async refresh() {
      const horizon = await readTransactionHorizon(db);
      if (seen !== null && !isContinued(seen, horizon)) {
        seen = null;
        lastId = 0;
      }
      for (let after = '', full = true; full; ) {
        const page: WatchedRow[] = await loadPage(db, { network, since: seen?.position ?? 0, after });
        for (const row of page) {
          keys.add(row.watch_key);
          lastId = Math.max(lastId, row.inserted_id);
        }
        after = page.at(-1)?.address ?? after;
        full = page.length === PAGE_ROWS;
      }
      seen = { history: horizon.history, position: Math.min(horizon.position, lastId + 1) };
    },
    has: keys.has,
    hasBytes: keys.hasBytes,
  };
}

// Helpers

interface WatchedRow {
  readonly watch_key: string;
  readonly address: string;
  readonly inserted_id: number;
}

async function loadPage(
  db: Kysely<Database>,
  { network, since, after }: { network: string; since: number; after: string },
): Promise<WatchedRow[]> {
  const { rows } = await sql<WatchedRow>`
    select watch_key, address, inserted_xid::text::int8 as inserted_id from address
    where network = ${network} and inserted_xid >= ${String(since)}::xid8 and address > ${after}
    order by address limit ${PAGE_ROWS}`.execute(db);
  return rows;
}
