import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNatsBus } from '../../src/platform/bus/index.ts';
import { createRelay } from '../../src/platform/engine/index.ts';
import { createOwnNats } from '../chaos/environment/own-nats.ts';
import { createPostgresDatabase } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import { canNatsSyncEachMessage, findNatsServer } from '../support/run/nats-version.ts';
import { describeFull } from '../support/run/skip.ts';
import { silentLog } from '../support/silent-log.ts';
import { createPowerCutHarness } from './harness.ts';

const MESSAGES = 50;
const QUEUE = 'kept';
const SHIPPED = join(import.meta.dirname, '../../deploy/nats/nats.conf');

describeWith('powerCuts', 'natsServer')('NATS, when the power is cut after it acknowledged messages,', () => {
  // At the quick level test/chaos/power-faults.test.ts covers this.
  if (level.isFull) {
    test('loses them unless it syncs each one', async () => {
      expect(await countAfterCut({ isSynced: false })).toBeLessThan(MESSAGES);
    });
  }

  if (canNatsSyncEachMessage()) {
    test('keeps all of them with sync_interval: always', async () => {
      expect(await countAfterCut({ isSynced: true })).toBe(MESSAGES);
    });
  } else {
    test('is too old here for sync_interval: always, and rejects the shipped configuration', () => {
      const { status, stderr } = spawnSync(findNatsServer() ?? '', ['-c', SHIPPED, '-t'], {
        encoding: 'utf8',
        env: { ...process.env, NATS_PASSWORD: 'secret' },
      });
      expect([status, stderr]).toEqual([1, expect.stringContaining('unknown field "sync_interval"')]);
    });
  }
});

// At the quick level test/platform/engine/retained-messages.test.ts covers this.
describeFull('the service, when the power of NATS is cut', () => {
  describeWith(
    'postgres',
    'powerCuts',
    'natsServer',
  )('and acknowledged messages are lost,', () => {
    test('publishes them again from the outbox until each is handled', async () => {
      const { disk, reaper, logFile } = createPowerCutHarness();
      const nats = await createOwnNats({ disk, reaper, logFile, isSynced: false });
      disk.sync();
      const { db, drop } = await createPostgresDatabase();
      const bus = openBus(nats.port);
      const quick = { unpublishedAfterMs: 20, sweepEveryMs: 20, lostAfterMs: 2_000 };
      const relay = createRelay({ db, bus, log: silentLog, retainedQueues: new Set([QUEUE]), ...quick });
      const messages = createMessages();
      const rows = messages.map((message) => ({ ...message, data: JSON.stringify(message.data) }));
      await db.insertInto('outbox_message').values(rows).execute();
      const acknowledged = () =>
        db.selectFrom('outbox_message').select('id').where('published_at', 'is not', null).execute();
      relay.publish(messages);
      await expect.poll(async () => (await acknowledged()).length, POLLING).toBe(MESSAGES);
      disk.cut();
      await nats.crash();
      await disk.restore();
      await nats.start();
      const handled = new Set<string>();
      await bus.subscribe({ queue: QUEUE, maxInFlightPerPartition: MESSAGES }, async ({ id }) => {
        handled.add(id);
        relay.settled(id);
      });
      relay.start();
      await expect.poll(() => handled.size, { ...POLLING, timeout: 60_000 }).toBe(MESSAGES);
      await expect
        .poll(() => db.selectFrom('outbox_message').select('id').execute(), { ...POLLING, timeout: 60_000 })
        .toEqual([]);
      await bus.close();
      await relay.stop();
      await drop();
    });
  });
});

// Helpers

/** Number of messages acknowledged before the cut that still exist after it. */
async function countAfterCut({ isSynced }: { readonly isSynced: boolean }): Promise<number> {
  const { disk, reaper, logFile } = createPowerCutHarness();
  const nats = await createOwnNats({ disk, reaper, logFile, isSynced });
  disk.sync();
  const bus = openBus(nats.port);
  await Promise.all(createMessages().map((message) => bus.publish(message)));
  expect(await nats.waiting()).toBe(MESSAGES);
  await bus.close();
  disk.cut();
  await nats.crash();
  await disk.restore();
  await nats.start();
  return nats.waiting();
}

function openBus(port: number) {
  return createNatsBus({
    url: `nats://127.0.0.1:${port}`,
    prefix: 'power',
    log: silentLog,
    deadLetter: () => Promise.reject(new Error('nothing may become a dead letter')),
  });
}

function createMessages() {
  return Array.from({ length: MESSAGES }, (_, index) => ({
    id: `m-${index}`,
    queue: QUEUE,
    partition: 0,
    data: index,
  }));
}
