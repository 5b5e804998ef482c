import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { WatchedClient } from './watched-client.ts';

export interface SilenceLimits {
  /** A statement without an answer for this long makes the server be asked what it is doing. */
  readonly suspectAfterMs: number;
  /** Longer than the server lets a statement run: nothing will answer any more, whatever the server says. */
  readonly answerWithinMs: number;
  /** How long closing waits for connections that are in use, and for the server to let go of the others. */
  readonly closeWithinMs: number;
  readonly lookEveryMs: number;
}

export interface SilenceDeps {
  readonly connectTo: pg.ClientConfig;
  readonly clients: ReadonlySet<WatchedClient>;
  readonly limits: SilenceLimits;
}

/**
 * Breaks connections that have gone silent: the socket stands, but nothing comes through (a firewall that forgot it, a server that was
 * replaced at its address). From outside, that looks like a slow statement, so the server is asked on a new connection: a session that
 * is not at work, or does not exist, has nothing more to answer. Twice a second apart, because an answer may be on its way.
 *
 * With it go all connections without an answer since: they went the same way, and would each take as long to be found out. What the
 * server still has of the session is ended, because a transaction that was left open keeps its locks.
 */
export function breakSilentConnections({ connectTo, clients, limits }: SilenceDeps): { stop(): void } {
  let isLooking = false;

  async function look(): Promise<void> {
    const waitsLongerThan = (ms: number) => (each: WatchedClient) =>
      each.waitsForAnswer && performance.now() - each.answeredAt > ms;
    const isTooLate = waitsLongerThan(limits.answerWithinMs);
    const suspects = [...clients].filter(waitsLongerThan(limits.suspectAfterMs));
    if (suspects.length === 0) return;
    const waited = new Map(suspects.map((each) => [each, each.answeredAt]));
    const isStillWaiting = (each: WatchedClient) => each.waitsForAnswer && each.answeredAt === waited.get(each);
    const idle = await endIdleSessions(connectTo, suspects, { isStillWaiting, pauseMs: limits.lookEveryMs }).catch(
      () => new Set<WatchedClient>(),
    );
    const silent = suspects
      .filter(isStillWaiting)
      .filter((each) => idle.has(each) || (!each.isPatient && isTooLate(each)));
    if (silent.length === 0) return;
    const since = Math.min(...silent.map((each) => each.answeredAt));
    for (const each of silent) each.break();
    for (const each of clients) if (!each.waitsForAnswer && each.answeredAt < since) each.break();
  }

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, limits.lookEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}

// Helpers

const PROBE_WITHIN_MS = 3_000;

/**
 * Those of the connections at whose other end no statement runs, both now and a moment later, while they wait for the same answer; their
 * sessions are ended. By then an answer that lay in a buffer while this process was busy has been read.
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
  const [answer] = rows;
  // A pooler gives ids of its own, which say nothing about the server's sessions.
  if (answer === undefined || answer.own !== probe.backendPid) return [];
  return suspects.filter(({ backendPid }) => !answer.busy.includes(backendPid));
}

const SESSIONS_AT_WORK = `
  select pg_backend_pid() as own, array(
    select pid from pg_stat_activity where pid = any($1::int4[]) and state not like 'idle%'
  ) as busy`;

/** Only of this user and database: the id may be another's by now. */
const END_SESSIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1::int4[]) and state like 'idle%' and usename = current_user and datname = current_database()`;
