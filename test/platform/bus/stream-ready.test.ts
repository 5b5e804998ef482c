import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createNatsBus, PARTITIONS } from '../../../src/platform/bus/index.ts';
import { untilStreamResponds } from '../../../src/platform/bus/nats/stream-ready.ts';
import { POLLING } from '../../support/polling.ts';
import { describeWith } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { createNatsServer, type OwnNatsServer, uniquePrefix } from '../../support/service/nats.ts';
import { silentLog } from './harness.ts';
import { countMessages, createRawStream } from './nats-raw.ts';

const TOGETHER = 5;
const STREAMS = level.pick({ quick: 25, full: 100 });
const QUEUE = 'work';

describeWith('natsServer')('a stream that was just created', () => {
  let server: OwnNatsServer;
  let connection: NatsConnection;
  beforeAll(async () => {
    server = await createNatsServer();
    await server.start();
    connection = await connect({ servers: server.url });
  });
  afterAll(async () => {
    await connection?.close();
    await server?.remove();
  });

  function ask(name: string): Promise<void> {
    return untilStreamResponds(jetstream(connection), { prefix: name, ackWaitMs: 1_000 }, { name });
  }

  test('is probed until it answers, and stores none of the probes', async () => {
    const name = uniquePrefix();
    const response = ask(name);
    await createRawStream(server.url, name, `${name}.*.*`);
    await response;
    expect(await countMessages(server.url, name)).toBe(0);
  });

  test('is awaited with a limit', async () => {
    await expect(ask(uniquePrefix())).rejects.toThrow('does not respond yet');
  });

  // Found by the property of test/payments/order: nats-server 2.9 made consumers that sent nothing.
  test('delivers every partition to the processes that started while it was created', async () => {
    for (let made = 0; made < STREAMS; made += 1) {
      const address = { url: server.url, prefix: uniquePrefix() };
      const open = () => createNatsBus({ ...address, deadLetter: async () => {}, log: silentLog });
      const [first, ...others] = [open(), ...Array.from({ length: TOGETHER - 1 }, open)] as const;
      const buses = [first, ...others];
      const got = new Set<unknown>();
      await Promise.all(
        buses.map((bus) =>
          bus.subscribe({ queue: QUEUE, maxInFlightPerPartition: 4 }, async ({ data }) => void got.add(data)),
        ),
      );
      const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
      await Promise.all(
        partitions.map((partition) =>
          first.publish({ queue: QUEUE, partition, id: `message-${partition}`, data: partition }),
        ),
      );
      await vi.waitFor(() => expect(got).toEqual(new Set(partitions)), POLLING);
      await Promise.all(buses.map((bus) => bus.close()));
    }
  }, 300_000);
});
