import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { WatchedClient } from './watched-client.ts';

export interface DeadConnectionLimits {
  /** After this long without a response, the state of the session is queried from the server. */
  readonly suspectAfterMs: number;
  /**
   * Longer than the statement timeout: no response can follow, regardless of what the server
   * reports.
   */
  readonly responseWithinMs: number;
  /** How long `close` waits for connections in use, and for the server to close the others. */
  readonly closeWithinMs: number;
  readonly pollEveryMs: number;
}

export interface DeadConnectionDeps {
  readonly connectTo: pg.ClientConfig;
  readonly clients: ReadonlySet<WatchedClient>;
  readonly limits: DeadConnectionLimits;
}

/**
 * Closes dead connections: the socket is open but nothing gets through (a firewall dropped its
 * state, or the server at this address was replaced). That looks like a slow statement, so the
 * server is queried over a new connection, twice `pollEveryMs` apart because a response may be in
 * transit: a session that is idle or does not exist has no response left to send.
 *
 * Idle connections without a response since then are closed as well: they use the same path. The
 * session is terminated on the server, because an open transaction keeps its locks.
 */
export function closeDeadConnections({ connectTo, clients, limits }: DeadConnectionDeps): { stop(): void } {
  let isPolling = false;

  async function poll(): Promise<void> {
    const waitsLongerThan = (ms: number) => (each: WatchedClient) =>
      each.waitsForResponse && performance.now() - each.respondedAt > ms;
    const isTooLate = waitsLongerThan(limits.responseWithinMs);
    const suspects = [...clients].filter(waitsLongerThan(limits.suspectAfterMs));
    if (suspects.length === 0) return;
    const waited = new Map(suspects.map((each) => [each, each.respondedAt]));
    const isStillWaiting = (each: WatchedClient) => each.waitsForResponse && each.respondedAt === waited.get(each);
    const idle = await endIdleSessions(connectTo, suspects, { isStillWaiting, pauseMs: limits.pollEveryMs }).catch(
      () => new Set<WatchedClient>(),
    );
    const dead = suspects
      .filter(isStillWaiting)
      .filter((each) => idle.has(each) || (!each.hasNoTimeout && isTooLate(each)));
    if (dead.length === 0) return;
    const since = Math.min(...dead.map((each) => each.respondedAt));
    for (const each of dead) each.break();
    for (const each of clients) if (!each.waitsForResponse && each.respondedAt < since) each.break();
  }

  const timer = setInterval(() => {
    if (isPolling) return;
    isPolling = true;
    void poll().finally(() => {
      isPolling = false;
    });
  }, limits.pollEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}

// Helpers

const PROBE_WITHIN_MS = 3_000;

/**
 * Returns the connections whose server session is idle, now and a moment later, while they still
 * wait for the same response, and terminates those sessions. The pause gives this process time to
 * read a response that was buffered while it was busy.
 */
async function endIdleSessions(
  connectTo: pg.ClientConfig,
  suspects: readonly WatchedClient[],
  { isStillWaiting, pauseMs }: { isStillWaiting(client: WatchedClient): boolean; readonly pauseMs: number },
): Promise<ReadonlySet<WatchedClient>> {
  const probe = new WatchedClient({ ...connectTo, query_timeout: PROBE_WITHIN_MS });
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    const first = await idleAmong(probe, suspects);
    if (first.length === 0) return new Set();
    await sleep(pauseMs);
    const idle = (await idleAmong(probe, first)).filter(isStillWaiting);
    await probe.query(END_SESSIONS, [idle.map(({ backendPid }) => backendPid)]);
    return new Set(idle);
  } finally {
    probe.break();
  }
}

async function idleAmong(probe: WatchedClient, suspects: readonly WatchedClient[]): Promise<readonly WatchedClient[]> {
  const pids = suspects.map(({ backendPid }) => backendPid);
  const { rows } = await probe.query<{ own: number; busy: number[] }>(SESSIONS_AT_WORK, [pids]);
  const [response] = rows;
  // A pooler assigns its own process ids, which do not identify server sessions.
  if (response === undefined || response.own !== probe.backendPid) return [];
  return suspects.filter(({ backendPid }) => !response.busy.includes(backendPid));
}

const SESSIONS_AT_WORK = `
  select pg_backend_pid() as own, array(
    select pid from pg_stat_activity where pid = any($1::int4[]) and state not like 'idle%'
  ) as busy`;

/** Restricted to this user and database: the process id may have been reused. */
const END_SESSIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1::int4[]) and state like 'idle%' and usename = current_user and datname = current_database()`;
