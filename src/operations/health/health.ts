import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { isTestAlert, readChainStatus } from '../../payments/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Rates } from '../../rates/index.ts';
import { failsNow, modeOfEndpoint } from '../merchants/list-merchants.ts';
import type { Alert } from '../types.ts';
import { lateTimers } from './late-timers.ts';
import { readAlerts } from './open-alerts.ts';

export interface HealthDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly bus: Pick<Bus, 'waiting'>;
  readonly rates: Pick<Rates, 'status'>;
  /** Networks that this deployment is configured to watch, even if no process has started yet. */
  readonly networks: readonly string[];
}

/** Health of everything except the actors themselves. */
export interface SystemHealth {
  readonly at: UnixMs;
  readonly chains: readonly ChainHealth[];
  readonly rates: ReturnType<Rates['status']>;
  /** `waiting` has the messages that are published but not handled yet, largest queue first. */
  readonly bus: { readonly responds: boolean; readonly waiting: readonly WaitingMessages[] };
  readonly outbox: { readonly waiting: number; readonly oldestAt: UnixMs | null };
  readonly timers: { readonly late: number; readonly oldestDueAt: UnixMs | null };
  readonly deadLetters: { readonly open: number; readonly oldestAt: UnixMs | null };
  /** Merchants with an endpoint that fails now, and since when the first one does. */
  readonly failingEndpoints: { readonly merchants: number; readonly since: UnixMs | null };
  /** The same of endpoints that receive only test events, which `failingEndpoints` omits. */
  readonly testFailingEndpoints: { readonly merchants: number; readonly since: UnixMs | null };
  readonly mails: { readonly waiting: number; readonly failed: number };
  readonly alerts: readonly Alert[];
  /** Alerts of test payments, to practise with. */
  readonly testAlerts: readonly Alert[];
}

export interface ChainHealth {
  readonly network: string;
  readonly state: string;
  readonly tip: number | null;
  readonly lagBlocks: number | null;
  /** Everything on the network has been seen up to this time. */
  readonly syncedUntil: UnixMs | null;
  /** Whether a process holds the lease to watch it. */
  readonly isHeld: boolean;
  /** Why the newest poll failed, without secrets; null when it succeeded. */
  readonly lastError: string | null;
}

export interface WaitingMessages {
  readonly queue: string;
  readonly count: number;
}

/**
 * Rejects with `RetryableError` when the database is unavailable, because
 * most figures come from it.
 */
export async function readHealth(deps: HealthDeps): Promise<SystemHealth> {
  const { db, clock, bus, rates, networks } = deps;
  const at = clock.now();
  const [chains, waiting, figures, alerts, testAlerts] = await Promise.all([
    readChainStatus(db, clock, networks),
    bus.waiting(),
    readFigures(db, at),
    readAlerts(db, sql`not ${isTestAlert}`),
    readAlerts(db, isTestAlert),
  ]);
  return {
    at,
    // A network that is no longer watched would be reported as blind forever.
    chains: chains
      .filter(({ network }) => networks.includes(network))
      .map(({ network, state, tipHeight, blocksBehind, syncedUntil, holder, lastError }) => {
        const isHeld = holder !== null;
        return { network, state, tip: tipHeight, lagBlocks: blocksBehind, syncedUntil, isHeld, lastError };
      }),
    rates: rates.status(),
    bus: { responds: waiting !== null, waiting: mostFirst(waiting ?? new Map()) },
    outbox: { waiting: figures.outbox, oldestAt: figures.outbox_oldest_at },
    timers: { late: figures.late, oldestDueAt: figures.late_due_at },
    deadLetters: { open: figures.dead_letters, oldestAt: figures.dead_letters_oldest_at },
    failingEndpoints: { merchants: figures.failing_merchants, since: figures.failing_since },
    testFailingEndpoints: { merchants: figures.test_failing_merchants, since: figures.test_failing_since },
    mails: { waiting: figures.mails_waiting, failed: figures.mails_failed },
    alerts,
    testAlerts,
  };
}

// Helpers

function mostFirst(counts: ReadonlyMap<string, number>): WaitingMessages[] {
  return [...counts].map(([queue, count]) => ({ queue, count })).sort((a, b) => b.count - a.count);
}

interface Figures {
  readonly outbox: number;
  readonly outbox_oldest_at: number | null;
  readonly late: number;
  readonly late_due_at: number | null;
  readonly dead_letters: number;
  readonly dead_letters_oldest_at: number | null;
  readonly failing_merchants: number;
  readonly failing_since: number | null;
  readonly test_failing_merchants: number;
  readonly test_failing_since: number | null;
  readonly mails_waiting: number;
  readonly mails_failed: number;
}

/** Emails that failed longer ago no longer affect health. */
const MAILS_FAILED_WITHIN = sql`interval '7 days'`;

/** One statement, for a consistent snapshot. */
async function readFigures(db: Kysely<Database>, now: UnixMs): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select outbox.*, timers.*, dead.*, endpoints.*,
      (select count(*) from mail where state = 'queued') as mails_waiting,
      (select count(*) from mail
        where state = 'failed' and created_at > ${new Date(now)}::timestamptz - ${MAILS_FAILED_WITHIN}) as mails_failed
    from (select count(*) as outbox, min(created_at) as outbox_oldest_at from outbox_message
        where published_at is null) as outbox,
      (select count(*) as late, min(due_at) as late_due_at from (${lateTimers(now)}) as late) as timers,
      (select count(*) as dead_letters, min(created_at) as dead_letters_oldest_at from dead_letter
        where resolved_at is null) as dead,
      (select count(distinct merchant_id) filter (where mode = 'live') as failing_merchants,
          min(failing_since) filter (where mode = 'live') as failing_since,
          count(distinct merchant_id) filter (where mode = 'test') as test_failing_merchants,
          min(failing_since) filter (where mode = 'test') as test_failing_since
        from (select merchant_id, failing_since, ${modeOfEndpoint} as mode from webhook_endpoint
          where ${failsNow}) as failing) as endpoints`.execute(db);
  if (rows[0] === undefined) throw new Error('an aggregate query returned no row');
  return rows[0];
}
