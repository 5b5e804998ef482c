import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../machines/index.ts';
import { lacksTrustedProxy } from '../http/api/index.ts';
import type { Connection } from '../platform/db/index.ts';
import { buildParts, type PartsOptions } from './build-parts.ts';
import { inviteToSetup } from './invite-to-setup.ts';
import { prepareDatabase } from './prepare-database.ts';
import { provisionFile } from './provisioning/provision-file.ts';
import { beginStopping, REQUESTS_MS, type Stopping } from './stopping.ts';
import { startWatchers } from './watchers/watchers.ts';
import { startWorkers } from './workers.ts';

export interface ServiceOptions extends PartsOptions {
  /** Receives a few lines for the terminal. */
  readonly print: (text: string) => void;
}

export interface Service {
  readonly publicUrl: string;
  /** Address of the monitoring server; null before the start, and without MONITOR_PORT. */
  readonly monitorUrl: () => string | null;
  /** Resolves when all roles of this process are running. Waits for the database if necessary. */
  start(): Promise<void>;
  /**
   * Reports not ready, serves requests for the drain delay, takes no new work, finishes running
   * work, closes connections. Unfinished work stays in the database. Resolves within
   * `STOP_WITHIN_MS`, even if a part hangs; never rejects.
   */
  close(): Promise<void>;
}

/** A process of the service: the order in which the parts of `buildParts` start and stop. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, log, clock, provisioning, print } = options;
  let wasReady = false;
  const parts = await buildParts(options, () => wasReady);
  const { connection, reserved, http, runtime, rates, readiness, monitor, networks, publicUrl } = parts;
  const { db } = connection;
  const aborted = new AbortController();
  let starting: Promise<void> = Promise.resolve();
  let stopWorkers: () => Promise<void> = async () => {};
  let stopWatchers: () => Promise<void> = async () => {};

  async function start(): Promise<void> {
    const { signal } = aborted;
    await monitor?.listen();
    // Listen first: while the database is unavailable, callers get a retryable error instead of a
    // refused connection.
    await reserved?.release();
    await http?.listen();
    await prepareDatabase({ config, connection, log, signal });
    if (provisioning !== null) {
      const deps = { db, clock, networks, endpoints: parts.endpoints };
      print(await provisionFile(deps, provisioning.file, provisioning.out));
    }
    await rates.start();
    // A stop during the start waits until here, or until the check before the next part.
    signal.throwIfAborted();
    runtime.relay.start();
    if (config.roles.includes('worker')) {
      const { mail, retention, archiveAfterDays } = config;
      const kept = { retention, archiveAfterDays, isEmbedded: connection.kind === 'embedded' };
      const { tracer, secretBox, observers } = parts;
      const webhooks = parts.endpoints.urls;
      const working = { runtime, db, clock, log, publicUrl, tracer, secretBox, webhooks, mail, observers };
      const workers = await startWorkers({ ...working, ...kept });
      stopWorkers = workers.stop;
    }
    signal.throwIfAborted();
    if (config.roles.includes('watcher')) {
      const holder = holderName(connection);
      const { nodes } = config;
      const watchers = await startWatchers({
        nodes,
        runtime,
        db,
        clock,
        log,
        publicUrl,
        holder,
        observers: parts.observers,
      });
      stopWatchers = watchers.stop;
    }
    // The demo shop accepts payments only on the simulated network.
    const canDemo = connection.kind === 'embedded' && provisioning === null && networks.isSimulated('test');
    const isDemo = canDemo && (await parts.demo.prepare());
    signal.throwIfAborted();
    http?.open();
    readiness.open();
    wasReady = true;
    log.info({ publicUrl, roles: config.roles, database: connection.kind }, 'quittance is running');
    if (
      http !== null &&
      lacksTrustedProxy({ isHttps: publicUrl.startsWith('https:'), trustedProxies: config.trustedProxies })
    ) {
      log.warn(MISSING_PROXY);
    }
    if (http === null) return;
    if (isDemo) print(parts.demo.invitation());
    else await inviteToSetup({ db, clock, publicUrl, log, print, signal });
  }

  /** Serves requests until load balancers have noticed, then finishes the running ones. */
  async function stopServing({ part }: Stopping): Promise<void> {
    if (http === null) return;
    http.drain();
    // A process that was never ready gets no requests from a load balancer.
    if (wasReady) await sleep(config.drainDelaySeconds * SECOND_MS);
    await part('requests', () => Promise.all([parts.feed.stop(), http.close(REQUESTS_MS)]));
  }

  async function stopWorking({ part }: Stopping): Promise<void> {
    await part('start', () => starting);
    // Watchers stop first, so that no new work arrives while the workers finish.
    await part('watchers', () => stopWatchers());
    await part('workers', () => stopWorkers());
  }

  async function close(): Promise<void> {
    const stopping = beginStopping({ log });
    const { part } = stopping;
    readiness.drain();
    aborted.abort();
    await reserved?.release();
    await Promise.all([stopServing(stopping), stopWorking(stopping)]);
    rates.stop();
    await part('engine', () => Promise.all([runtime.engine.drain(), parts.addresses.stop(), parts.live.close()]));
    await part('relay', () => runtime.relay.stop());
    await part('bus', () => runtime.bus.close(0));
    await part('timers', () => runtime.timers.settled());
    await part('database', () => connection.close());
    await part('tracing', parts.closeTracing);
    // Last, because it reports until then that this process is stopping.
    await part('monitor', async () => monitor?.close());
  }

  return {
    publicUrl,
    monitorUrl: () => monitor?.url() ?? null,
    start() {
      const started = start();
      // A stop waits for it; the caller of `start` receives the failure.
      starting = started.catch(() => undefined);
      return started;
    },
    close,
  };
}

// Helpers

const MISSING_PROXY =
  'PUBLIC_URL is https and TRUSTED_PROXIES is empty: if a proxy is in front, all clients appear as the proxy and share its rate limit';

/**
 * Identifies this process as a lease holder. Only one process at a time uses the embedded database,
 * so a lease in it is the process's own from before a crash and can be taken immediately.
 */
function holderName({ kind }: Pick<Connection, 'kind'>): string {
  return kind === 'embedded' ? 'embedded' : `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
}
