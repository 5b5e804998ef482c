import { jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterEach, expect, test } from 'vitest';
import { BUS_CHECKS } from '../../../src/cli/doctor/checks/bus.ts';
import { createNatsBus } from '../../../src/platform/bus/index.ts';
import { describeWith } from '../../support/run/components.ts';
import { createNatsServer, type OwnNatsServer } from '../../support/service/nats.ts';
import { silentLog } from '../../support/silent-log.ts';
import { look } from './installation.ts';

let server: OwnNatsServer | undefined;
afterEach(() => server?.remove());

async function start(options: Parameters<typeof createNatsServer>[0] = {}): Promise<string> {
  server = await createNatsServer(options);
  await server.start();
  return server.url;
}

const nats = (url: string) => look(BUS_CHECKS, { NATS_URL: url, NATS_PREFIX: 'mine' });

const describeNats = describeWith('natsServer');

describeNats('doctor with a NATS server', () => {
  test('reports ok before and after the bus has created its stream, and creates none', async () => {
    const url = await start();
    const unmade = 'ok NATS: no stream has the subjects of mine yet; the first start creates it';
    expect(await nats(url)).toEqual([
      expect.stringMatching(/^ok NATS: 2\.[\d.]+ at 127\.0\.0\.1:\d+ responds$/),
      expect.stringMatching(
        /^(warning NATS: it cannot sync each message: |ok NATS: cannot tell whether each message is synced)/,
      ),
      unmade,
    ]);
    expect((await nats(url))[2]).toBe(unmade);
    const bus = createNatsBus({ url, prefix: 'mine', log: silentLog, deadLetter: async () => {} });
    await bus.publish({ queue: 'actor-any', partition: 0, id: 'one', data: 1 });
    await bus.close();
    expect((await nats(url))[2]).toBe('ok NATS: the stream mine is configured correctly; 1 messages pending');
  });

  test('reports that JetStream is disabled', async () => {
    const found = await nats(await start({ hasJetStream: false }));
    expect(found).toEqual([
      expect.stringMatching(/^ok NATS/),
      expect.stringMatching(/^problem NATS: JetStream cannot be used: /),
    ]);
  });

  test('reports an in-memory stream, one with other settings, and a server with a tiny message limit', async () => {
    const url = await start({ configuration: 'max_payload: 10000' });
    const connection = await connect({ servers: url.replace('nats://', '') });
    const manager = await jetstreamManager(connection);
    const config = { name: 'mine', subjects: ['mine.*.*'], retention: RetentionPolicy.Workqueue };
    await manager.streams.add({ ...config, storage: StorageType.Memory });
    expect((await nats(url)).filter((line) => !line.includes('sync'))).toEqual([
      expect.stringMatching(/responds$/),
      'warning NATS: it accepts at most 10000 bytes per message',
      'problem NATS: the stream mine is stored in memory: a restart of NATS loses its messages',
    ]);
    await manager.streams.delete('mine');
    await manager.streams.add({ ...config, storage: StorageType.File, duplicate_window: 1_000_000_000 });
    expect((await nats(url)).at(-1)).toBe('warning NATS: the stream mine differs in discard, duplicate_window');
    await connection.close();
  });

  test('reports a rejected login and an unreachable server, without repeating the password', async () => {
    const url = await start({ configuration: 'authorization { user: pay, password: right }' });
    const wrong = await nats(url.replace('nats://', 'nats://pay:wrong-word@'));
    expect(wrong).toEqual([expect.stringMatching(/^problem NATS: cannot connect: .*authorization/i)]);
    expect(await nats(url.replace('nats://', 'nats://pay:right@'))).toContainEqual(
      expect.stringMatching(/^ok NATS: 2\./),
    );
    const absent = await nats('nats://pay:wrong-word@127.0.0.1:1');
    expect(absent).toEqual([expect.stringMatching(/^problem NATS: cannot connect: /)]);
    expect([...wrong, ...absent].join()).not.toContain('wrong-word');
  });
});

test('checks nothing without NATS', async () => {
  expect(await look(BUS_CHECKS, {})).toEqual([
    'ok NATS: not used: the bus runs inside the process, so only one process can run',
  ]);
});
