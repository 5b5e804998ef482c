import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../../errors.ts';
import { inspectSyncing, type Syncing } from './inspect-sync.ts';
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
