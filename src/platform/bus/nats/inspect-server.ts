import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../../errors.ts';
import { parseServerAddress, type ServerAddress } from './server-address.ts';
import { differences, findStream, streamConfigOf, type Topology } from './topology.ts';

/** What a NATS server reports about itself. */
export interface InspectedServer {
  /** Hosts and ports. */
  readonly display: string;
  readonly version: string;
  readonly maxPayloadBytes: number;
  readonly syncing: Syncing;
  /** Why JetStream cannot be used; null when it can. */
  readonly jetStreamProblem: string | null;
  /** Null when it does not exist yet or cannot be read. */
  readonly stream: InspectedStream | null;
}

export interface InspectedStream {
  readonly name: string;
  readonly messages: number;
  readonly isOnDisk: boolean;
  /** Names of stream settings that differ from what the bus expects. */
  readonly differences: readonly string[];
}

const TIMEOUT_MS = 3_000;

/**
 * Reads a server and the stream of this prefix; changes neither. Rejects when the server is
 * unreachable or rejects the connection.
 */
export async function inspectNatsServer({ url, prefix }: { url: string; prefix: string }): Promise<InspectedServer> {
  const address = parseServerAddress(url);
  const connection = await connect(clientOptions(address));
  try {
    const { version = 'unknown', max_payload: maxPayloadBytes = 0 } = connection.info ?? {};
    const syncing = await inspectSyncing({ version, servers: address.servers });
    const { display } = address;
    return { display, version, maxPayloadBytes, syncing, ...(await inspectJetStream(connection, prefix)) };
  } finally {
    await connection.close();
  }
}

/** Whether a NATS server syncs each message to disk before it acknowledges it. */
type Syncing =
  | { readonly kind: 'always' }
  /** A power failure loses messages acknowledged since the last sync. */
  | { readonly kind: 'periodic'; readonly everySeconds: number }
  /** Older than 2.10, which has no such setting. */
  | { readonly kind: 'unsupported' }
  /** No monitoring port responds; clients are not sent this setting. */
  | { readonly kind: 'unseen' };

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

function clientOptions({ servers, user, pass, token, isTls }: ServerAddress) {
  return {
    name: 'quittance doctor',
    servers: [...servers],
    ...(user === undefined ? {} : { user, pass }),
    ...(token === undefined ? {} : { token }),
    ...(isTls ? { tls: {} } : {}),
    timeout: TIMEOUT_MS,
    reconnect: false,
    maxReconnectAttempts: 0,
  };
}

async function inspectJetStream(
  connection: NatsConnection,
  prefix: string,
): Promise<Pick<InspectedServer, 'jetStreamProblem' | 'stream'>> {
  try {
    const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS, checkAPI: true });
    const topology: Topology = { prefix, ackWaitMs: 0 };
    const info = await findStream(manager, topology);
    return { jetStreamProblem: null, stream: info === undefined ? null : inspected(info, topology) };
  } catch (error) {
    return { jetStreamProblem: messageOf(error), stream: null };
  }
}

function inspected({ config, state }: StreamInfo, topology: Topology): InspectedStream {
  return {
    name: config.name,
    messages: state.messages,
    isOnDisk: config.storage === 'file',
    differences: differences(config, streamConfigOf(topology)),
  };
}

/** Default monitoring port of NATS. */
const MONITOR_PORT = 8222;
const MONITOR_TIMEOUT_MS = 1_000;
const NANOS_PER_SECOND = 1e9;
const FIRST_WITH_SETTING = [2, 10] as const;

async function fetchMonitor(host: string, port: number): Promise<Syncing> {
  try {
    const response = await fetch(`http://${host}:${port}/jsz`, { signal: AbortSignal.timeout(MONITOR_TIMEOUT_MS) });
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
