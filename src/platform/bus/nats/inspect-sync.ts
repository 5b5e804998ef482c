/** Whether a NATS server syncs each message to disk before it acknowledges it. */
export type Syncing =
  | { readonly kind: 'always' }
  /** A power failure loses messages acknowledged since the last sync. */
  | { readonly kind: 'periodic'; readonly everySeconds: number }
  /** Older than 2.10, which has no such setting. */
  | { readonly kind: 'unsupported' }
  /** No monitoring port responds; clients are not sent this setting. */
  | { readonly kind: 'unseen' };

/** Default monitoring port of NATS. */
const MONITOR_PORT = 8222;
const TIMEOUT_MS = 1_000;
const NANOS_PER_SECOND = 1e9;
const FIRST_WITH_SETTING = [2, 10] as const;

/**
 * Queries the monitoring port of every server (`host:port` of the client addresses) and returns the
 * worst result.
 */
export async function inspectSyncing(
  { version, servers }: { readonly version: string; readonly servers: readonly string[] },
  monitorPort = MONITOR_PORT,
): Promise<Syncing> {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = FIRST_WITH_SETTING;
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) return { kind: 'unsupported' };
  const configs = await Promise.all(servers.map((server) => fetchMonitor(server.replace(/:\d+$/, ''), monitorPort)));
  const worst = (kind: Syncing['kind']) => configs.find((reply) => reply.kind === kind);
  return worst('periodic') ?? worst('unseen') ?? { kind: 'always' };
}

// Helpers

async function fetchMonitor(host: string, port: number): Promise<Syncing> {
  try {
    const response = await fetch(`http://${host}:${port}/jsz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return readConfig(await response.json());
  } catch {
    return { kind: 'unseen' };
  }
}

/** Reads `config` of `/jsz`. Any other shape means that another program listens on that port. */
function readConfig(reply: unknown): Syncing {
  const { config } = (reply ?? {}) as { config?: { sync_always?: unknown; sync_interval?: unknown } };
  if (config?.sync_always === true) return { kind: 'always' };
  if (typeof config?.sync_interval !== 'number') return { kind: 'unseen' };
  return { kind: 'periodic', everySeconds: config.sync_interval / NANOS_PER_SECOND };
}
