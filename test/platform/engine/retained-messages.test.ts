import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Bus, BusMessage } from '../../../src/platform/bus/index.ts';
import { createRelay } from '../../../src/platform/engine/index.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { createTestBus } from '../../support/service/engine.ts';
import { createLedgerTable } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const RETAINED = 'retained';
const OTHER = 'other';

describeBothDatabases('messages that no other part recreates', (database) => {
  beforeAll(() => createLedgerTable(database()));
  beforeEach(async () => void (await database().db.deleteFrom('outbox_message').execute()));
  const rows = () => database().db.selectFrom('outbox_message').select(['id', 'published_at']).orderBy('id').execute();

  /** A broker that acknowledges and then loses its storage, until `isSound`. */
  const createLossyBus = (inner: Bus) => {
    const lossy = { isSound: false, lost: [] as string[] };
    const publish = async (message: BusMessage) => {
      if (lossy.isSound) return inner.publish(message);
      lossy.lost.push(message.id);
    };
    return { lossy, bus: { ...inner, publish } };
  };

  async function insert(queue: string, id: string) {
    const message = { id, queue, partition: 0, data: id };
    await sql`insert into outbox_message (id, queue, partition, data) values (${id}, ${queue}, 0, ${JSON.stringify(id)})`.execute(
      database().db,
    );
    return message;
  }

  test('are published again after the broker lost them, and deleted once they are handled', async () => {
    const { lossy, bus } = createLossyBus(createTestBus(database()));
    const quick = { unpublishedAfterMs: 20, sweepEveryMs: 20, lostAfterMs: 50 };
    const relay = createRelay({
      db: database().db,
      bus,
      log: silentLog,
      retainedQueues: new Set([RETAINED]),
      ...quick,
    });
    const handled: string[] = [];
    await bus.subscribe({ queue: RETAINED, maxInFlightPerPartition: 1 }, async ({ id }) => {
      handled.push(id);
      relay.settled(id);
    });
    relay.publish([await insert(RETAINED, 'retained-1'), await insert(OTHER, 'other-1')]);
    relay.start();
    // For the other queue the broker's acknowledgement is enough: its row is deleted for good.
    await expect.poll(rows, POLLING).toEqual([{ id: 'retained-1', published_at: expect.anything() }]);
    await expect.poll(() => lossy.lost.filter((id) => id === 'retained-1').length, POLLING).toBeGreaterThan(2);
    expect(lossy.lost.filter((id) => id === 'other-1')).toHaveLength(1);
    lossy.isSound = true;
    await expect.poll(rows, POLLING).toEqual([]);
    expect(handled).toContain('retained-1');
    await relay.stop();
    await bus.close();
  });

  test('are not republished while the broker may still have them, also by the sweeps of other processes', async () => {
    const { lossy, bus } = createLossyBus(createTestBus(database()));
    const first = createRelay({ db: database().db, bus, log: silentLog, retainedQueues: new Set([RETAINED]) });
    first.publish([await insert(RETAINED, 'retained-2')]);
    await expect.poll(async () => (await rows())[0]?.published_at ?? null, POLLING).not.toBeNull();
    await first.stop();
    const quick = { unpublishedAfterMs: 0, sweepEveryMs: 1 };
    const other = createRelay({
      db: database().db,
      bus,
      log: silentLog,
      retainedQueues: new Set([RETAINED]),
      ...quick,
    });
    other.start();
    // An unpublished message proves that sweeps were made.
    await insert(OTHER, 'other-2');
    await expect.poll(() => lossy.lost, POLLING).toEqual(['retained-2', 'other-2']);
    await expect.poll(async () => (await rows()).map(({ id }) => id), POLLING).toEqual(['retained-2']);
    await other.stop();
    await bus.close();
  });
});
