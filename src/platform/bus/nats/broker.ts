import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connect, deferred } from '@nats-io/transport-node';
import { messageOf } from '../../errors.ts';
import type { EventLog } from '../../log.ts';
import { settledWithin } from '../../within.ts';
import type { ServerAddress } from './server-address.ts';
import { untilStreamResponds } from './stream-ready.ts';
import type { StreamIncarnation, Topology } from './topology.ts';
import { ensureStream, successorName } from './topology.ts';

/**
 * Keeps a broker session open for the lifetime of the bus. A *session* is a period during which the
 * connection is up and the stream exists. It ends when either is lost; a new one starts
 * automatically once both are back.
 */
export interface Broker {
  /** The current session, if any. */
  current(): Session | undefined;
  /** Why there is no session, for error messages. */
  problem(): string;
  /** Resolves when the first attempt to start a session has succeeded or failed. */
  readonly tried: Promise<void>;
  /** Resolves when the running attempt to start a session, if any, has succeeded or failed. */
  attempted(): Promise<void>;
  /** Resolves with the current or next session; with `undefined` when the broker is closed. */
  session(): Promise<Session | undefined>;
  /**
   * Called when the stream or a consumer is missing: ends this session and resolves after an
   * attempt to start a new one.
   */
  renew(stale: Session): Promise<void>;
  close(): Promise<void>;
}

export interface Session {
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly stream: StreamIncarnation;
  readonly ended: Promise<void>;
}

/** Timeout of one connection attempt and of one request to the broker. */
export const REQUEST_TIMEOUT_MS = 2_000;

/** Delay between attempts to connect or to create the stream. */
const RECONNECT_DELAY_MS = 250;

/** A connection is closed after this many unanswered pings, sent one per interval. */
const PING_INTERVAL_MS = 10_000;
const MAX_UNANSWERED_PINGS = 2;

export interface BrokerDeps {
  readonly address: ServerAddress;
  readonly topology: Topology;
  readonly log: EventLog;
}

/** Starts connecting immediately and keeps retrying until closed. */
export function createBroker({ address, topology, log }: BrokerDeps): Broker {
  const closing = new AbortController();
  const tried = deferred<void>();
  let next = deferred<Session | undefined>();
  let live: { session: Session; end: () => void } | undefined;
  /** Incremented whenever a session ends or opens, so that a superseded attempt gives up. */
  let epoch = 0;
  let opening: Promise<void> = Promise.resolve();
  let connection: NatsConnection | undefined;
  let hadStream = false;
  let isReported = false;
  let problem = 'not connected yet';

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        connection = await connect(clientOptions(address));
      } catch (error) {
        reportLoss(error);
        tried.resolve();
        await pause();
        continue;
      }
      if (!closing.signal.aborted) await follow(connection);
      await connection.close();
    }
  }

  /**
   * Resolves when the connection is closed permanently; until then the client reconnects
   * automatically.
   */
  async function follow(nc: NatsConnection): Promise<void> {
    const statuses = nc.status();
    opening = open(nc);
    for await (const status of statuses) {
      if (status.type === 'disconnect') {
        endSession();
        reportLoss('the connection was lost');
      }
      if (status.type === 'reconnect') {
        endSession();
        opening = open(nc);
      }
    }
    endSession();
  }

  /**
   * Starts a session. Resolves after the first attempt; on failure it keeps retrying in the
   * background.
   */
  async function open(nc: NatsConnection): Promise<void> {
    epoch += 1;
    const mine = epoch;
    if (await tryToOpen(nc, mine)) return;
    void (async () => {
      do await pause();
      while (mine === epoch && !closing.signal.aborted && !(await tryToOpen(nc, mine)));
    })();
  }

  async function tryToOpen(nc: NatsConnection, mine: number): Promise<boolean> {
    try {
      const js = jetstream(nc, { timeout: REQUEST_TIMEOUT_MS });
      const jsm = await jetstreamManager(nc, { timeout: REQUEST_TIMEOUT_MS, checkAPI: false });
      // If a stream existed before, it may still be in the middle of being deleted.
      const nameIfMissing = hadStream ? successorName(topology) : topology.prefix;
      const { name, birth } = await ensureStream(jsm, topology, nameIfMissing);
      hadStream = true;
      await untilStreamResponds(js, topology, { name });
      const stream = { name, birth, boot: bootOf(nc) };
      if (mine === epoch && !closing.signal.aborted) beginSession({ js, jsm, stream });
      return true;
    } catch (error) {
      if (mine === epoch) reportLoss(error);
      return false;
    } finally {
      tried.resolve();
    }
  }

  function beginSession(parts: Omit<Session, 'ended'>): void {
    const ended = deferred<void>();
    live = { session: { ...parts, ended }, end: () => ended.resolve() };
    next.resolve(live.session);
    isReported = false;
    log.info({ servers: address.display, stream: parts.stream.name }, 'NATS is ready');
  }

  function endSession(): void {
    epoch += 1;
    if (live === undefined) return;
    next = deferred();
    live.end();
    live = undefined;
  }

  /** Logs the cause once per outage, not for every attempt. */
  function reportLoss(cause: unknown): void {
    problem = messageOf(cause);
    if (isReported || closing.signal.aborted) return;
    isReported = true;
    const fields = { servers: address.display, stream: topology.prefix, reason: problem };
    log.warn(fields, 'NATS is unavailable; retrying. It must run with JetStream enabled (-js)');
  }

  async function pause(): Promise<void> {
    await sleep(RECONNECT_DELAY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  const running = run();
  return {
    current: () => live?.session,
    problem: () => problem,
    tried,
    attempted: () => opening,
    session: () => next,
    renew(stale) {
      if (live?.session === stale && connection !== undefined) {
        log.warn({ stream: stale.stream.name }, 'the NATS stream or one of its consumers is missing; recreating it');
        endSession();
        opening = open(connection);
      }
      return opening;
    },
    async close() {
      closing.abort();
      problem = 'this bus is closed';
      const nc = connection;
      // The server must have everything that was sent, acknowledgements in particular.
      if (live !== undefined && nc !== undefined) await settledWithin([nc.flush()], REQUEST_TIMEOUT_MS);
      endSession();
      next.resolve(undefined);
      tried.resolve();
      await nc?.close();
      await running;
    },
  };
}

/** A server gets a new id on every start. In a cluster, processes connect to different servers. */
function bootOf({ info }: NatsConnection): string | null {
  return info === undefined || info.cluster !== undefined ? null : info.server_id;
}

function clientOptions(address: ServerAddress) {
  const { servers, user, pass, token, isTls } = address;
  return {
    name: 'quittance',
    servers: [...servers],
    ...(user === undefined ? {} : { user, pass }),
    ...(token === undefined ? {} : { token }),
    ...(isTls ? { tls: {} } : {}),
    timeout: REQUEST_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_DELAY_MS,
    // A server that is being reconfigured may reject our credentials for a while: treat it as an
    // outage.
    ignoreAuthErrorAbort: true,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_UNANSWERED_PINGS,
    noAsyncTraces: true,
  };
}
