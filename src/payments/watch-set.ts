import { type Kysely, sql } from 'kysely';
import { createWatchedScripts, type WatchSet } from '../chains/index.ts';
import type { Database } from '../db/index.ts';

/** Rows per page while loading. */
const PAGE_ROWS = 50_000;

/**
 * Every address of a network that was ever derived, in memory. Addresses are derived, committed and so watched before
 * they are handed out; whatever a scan could meet was loaded before it began.
 *
 * A refresh reads exactly the rows it has not seen: those inserted by transactions that were not yet finished when it
 * last looked (`pg_snapshot_xmin`) or came later. A row number would not do, because a slow transaction commits lower
 * numbers after higher ones.
 */
export function createWatchSet({ db, network }: { db: Kysely<Database>; network: string }): WatchSet {
  const keys = createWatchedScripts();
  let seenBelowXid = '0';

  return {
    async refresh() {
      const { rows } = await sql<{ xmin: string }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`.execute(db);
      const nextBelow = rows[0]?.xmin ?? seenBelowXid;
      for (let after = '', full = true; full; ) {
        const page: { watch_key: string; address: string }[] = await loadPage(db, {
          network,
          since: seenBelowXid,
          after,
        });
        for (const row of page) keys.add(row.watch_key);
        after = page.at(-1)?.address ?? after;
        full = page.length === PAGE_ROWS;
      }
      seenBelowXid = nextBelow;
    },
    has: keys.has,
    hasBytes: keys.hasBytes,
  };
}

// Helpers

async function loadPage(
  db: Kysely<Database>,
  { network, since, after }: { network: string; since: string; after: string },
): Promise<{ watch_key: string; address: string }[]> {
  const { rows } = await sql<{ watch_key: string; address: string }>`
    select watch_key, address from address
    where network = ${network} and inserted_xid >= ${since}::xid8 and address > ${after}
    order by address limit ${PAGE_ROWS}`.execute(db);
  return rows;
}
