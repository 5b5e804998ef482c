import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ActorKind,
  createEngine,
  createKindRegistry,
  readJournal,
  replay,
} from '../../../src/platform/engine/index.ts';
import { createTestClock } from '../../support/clock.ts';
import { openConnections } from '../../support/database/open-connections.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, readTotal } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const LEDGERS = 200;
const EVENTS_EACH = 6;

describePostgres('parallel batches', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
    await createLedgerTable(database);
  });
  afterAll(() => database.drop());

  test('leave the same journals as sequential batches, actor by actor', async () => {
    const [parallel, single] = [await journalsWith(3), await journalsWith(1)];
    expect(parallel.most).toBeGreaterThan(1);
    expect(single.most).toBe(1);
    expect(parallel.journals).toEqual(single.journals);
  });

  /** Books everything at once, every second event twice; the journals without ids and times. */
  async function journalsWith(parallelBatches: number) {
    const { db } = database;
    const kinds = createKindRegistry([createLedgerKind()]);
    let [running, most, isBooking] = [0, 0, false];
    const kind = createLedgerKind();
    const counted: ActorKind = {
      ...kind,
      async project(trx, steps) {
        running += 1;
        most = Math.max(most, running);
        try {
          // On a busy machine a batch could end before the next one begins.
          if (isBooking && parallelBatches > 1) await expect.poll(() => most, POLLING).toBeGreaterThan(1);
          await kind.project?.(trx, steps);
        } finally {
          running -= 1;
        }
      },
    };
    const engine = createEngine({
      db,
      kinds: createKindRegistry([counted]),
      clock: createTestClock(),
      log: silentLog,
      parallelBatches,
    });
    const ids = Array.from({ length: LEDGERS }, newActorId);
    await Promise.all(ids.map((actorId) => engine.start({ kind: 'ledger', actorId, startKey: null, input: {} })));
    // On a busy machine opening a connection could take longer than the engine waits for one.
    await openConnections(db, parallelBatches + 1);
    isBooking = true;
    const events = Array.from({ length: EVENTS_EACH }, (_, index) => index);
    await Promise.all(
      ids.flatMap((actorId) =>
        events.flatMap((index) => {
          const command = { actorId, eventId: `e-${index}`, event: { type: 'book', amount: index + 1, note: '' } };
          return index % 2 === 0 ? [engine.deliver(command), engine.deliver(command)] : [engine.deliver(command)];
        }),
      ),
    );
    await engine.drain();
    const journals = await Promise.all(ids.map((id) => readJournal(db, id)));
    for (const id of ids) {
      expect((await replay(db, kinds, id))?.equal).toBe(true);
      expect(await readTotal(database, id)).toBe((EVENTS_EACH * (EVENTS_EACH + 1)) / 2);
    }
    return {
      most,
      journals: journals.map((entries) =>
        entries.map(({ sequence, eventId, outcome, state }) => ({ sequence, eventId, outcome, state })),
      ),
    };
  }
});
