import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connect } from '@nats-io/transport-node';

/** Publishes a text on a subject without the bus. Rejects when no stream stores it. */
export function publishRaw(url: string, subject: string, text: string): Promise<void> {
  return withConnection(url, async (connection) => void (await jetstream(connection).publish(subject, text)));
}

/**
 * Takes one message of a queue's partition 0 and disconnects without acknowledging it, like a dying
 * process.
 */
export function abandonMessage(url: string, stream: string, queue: string): Promise<void> {
  return withConnection(url, async (connection) => {
    const manager = await jetstreamManager(connection);
    for await (const info of manager.consumers.list(stream)) {
      if (info.config.filter_subject !== `${stream}.${queue}.0`) continue;
      const message = await jetstream(connection).consumers.getConsumerFromInfo(info).next();
      if (message === null) throw new Error(`There was no message in ${queue}`);
      return;
    }
    throw new Error(`There is no consumer of ${queue}`);
  });
}

/** Creates a stream outside the bus. */
export function createRawStream(url: string, name: string, subject: string): Promise<void> {
  return withConnection(url, async (connection) => {
    await (await jetstreamManager(connection)).streams.add({ name, subjects: [subject] });
  });
}

/** How many messages a stream holds. */
export async function countMessages(url: string, stream: string): Promise<number> {
  let count = 0;
  await withConnection(url, async (connection) => {
    const { state } = await (await jetstreamManager(connection)).streams.info(stream);
    count = state.messages;
  });
  return count;
}

/** The filter subjects of a stream's consumers. */
export async function consumerSubjects(url: string, stream: string): Promise<string[]> {
  const subjects: string[] = [];
  await withConnection(url, async (connection) => {
    const manager = await jetstreamManager(connection);
    for await (const { config } of manager.consumers.list(stream)) subjects.push(config.filter_subject ?? '');
  });
  return subjects.toSorted();
}

/** Deletes every consumer of a stream, but not the stream. */
export function deleteConsumers(url: string, stream: string): Promise<void> {
  return withConnection(url, async (connection) => {
    const manager = await jetstreamManager(connection);
    for await (const info of manager.consumers.list(stream)) await manager.consumers.delete(stream, info.name);
  });
}

async function withConnection(url: string, use: (connection: NatsConnection) => Promise<void>): Promise<void> {
  const connection = await connect({ servers: url.replace('nats://', '') });
  try {
    await use(connection);
  } finally {
    await connection.close();
  }
}
