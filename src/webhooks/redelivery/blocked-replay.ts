import { type Kysely, sql } from 'kysely';
import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import { alertOnce, type Database } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';

/** Longer than any transaction of the service that is not stuck. */
const BLOCKED_AFTER_MS = MINUTE_MS;

/**
 * SQL: sessions of this database whose transaction is older than the row of `webhook_replay` in the
 * query. A new replay waits for them: they may have seen the endpoint disabled, and their events,
 * which got no delivery, must not be committed behind its cursor.
 */
export const OLDER_TRANSACTIONS = sql`
  pg_stat_activity where datname = current_database() and age(backend_xid) > age(webhook_replay.xmin)`;

/** Reports once per outage that replays wait for a transaction that does not end. */
export interface BlockedReplayReport {
  /** Logs and alerts the first time that a replay has waited too long; again after none did. */
  check(db: Kysely<Database>, now: UnixMs): Promise<void>;
}

export function createBlockedReplayReport(log: Pick<Log, 'error'>): BlockedReplayReport {
  let isReported = false;
  return {
    async check(db, now) {
      const blocker = await findBlocker(db, now);
      const wasReported = isReported;
      if (blocker === null) isReported = false;
      if (blocker === null || wasReported) return;
      const { pid, application, openSince, openSeconds } = blocker;
      log.error(
        { pid, application, openSeconds },
        'replays of webhooks wait for an open transaction; end it, or terminate its session with pg_terminate_backend',
      );
      // The same text from each process, so that it is raised once.
      const since = openSince === null ? '' : ` since ${new Date(openSince).toISOString()}`;
      const detail = `the session ${pid} ("${application}") has a transaction open${since}, and replays wait for it`;
      await alertOnce(db, { actorId: null, alert: 'replays_blocked', detail });
      isReported = true;
    },
  };
}

// Helpers

/** The oldest transaction that a replay waits for. */
interface Blocker {
  readonly pid: number;
  readonly application: string;
  /** Both null where the role of the service may not see the sessions of others. */
  readonly openSince: UnixMs | null;
  readonly openSeconds: number | null;
}

async function findBlocker(db: Kysely<Database>, now: UnixMs): Promise<Blocker | null> {
  const { rows } = await sql<Blocker>`
    select pid, application, "openSince", extract(epoch from clock_timestamp() - "openSince")::int4 as "openSeconds"
    from webhook_replay cross join lateral (
      select pid, application_name as application, xact_start as "openSince" from ${OLDER_TRANSACTIONS}
      order by age(backend_xid) desc limit 1
    ) as blocker
    where state = 'running' and cursor_event_id is null and created_at <= ${new Date(now - BLOCKED_AFTER_MS)}
    order by created_at limit 1`.execute(db);
  return rows[0] ?? null;
}
