import { expect, test } from 'vitest';
import { connect } from '../../../src/platform/db/index.ts';
import { createEngine, createKindRegistry, readJournal, replay } from '../../../src/platform/engine/index.ts';
import { createTestClock } from '../../support/clock.ts';
import { createDatabaseLine } from '../../support/database/database-line.ts';
import { allowConnections, createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { deferred } from '../../support/deferred.ts';
import type { TcpProxy } from '../../support/outside/tcp-proxy.ts';
import { POLLING } from '../../support/polling.ts';
import { newActorId, startRuntime } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, readTotal } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const ACTORS = 8;
const EVENTS = 12;

describePostgres('while the database is unreachable', () => {
  test.each([
    ['refuses connections', (line: TcpProxy) => line.cut(), false],
    ['answers nothing on the connections there are', async (line: TcpProxy) => void line.silence(), true],
  ])(
    'because it %s, callers get a retryable error, and their retries succeed on new connections',
    async (_, breakLine, isHealthy) => {
      const database = await createPostgresDatabase();
      await createLedgerTable(database);
      const { line: proxy, url } = await createDatabaseLine(database);
      const deadConnections = { suspectAfterMs: 500, pollEveryMs: 100 };
      const connection = await connect({ url, dataDir: null, poolSize: 4, deadConnections });
      const clock = createTestClock();
      const runtime = await startRuntime({ connection, clock });
      const ids = Array.from({ length: ACTORS }, newActorId);
      await Promise.all(
        ids.map((actorId) => runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} })),
      );
      await Promise.all(
        ids.map((actorId) =>
          runtime.engine.deliver({ actorId, eventId: 'remind', event: { type: 'remind', inMs: 60_000 } }),
        ),
      );

      let rejections = 0;
      /** Like the bus: repeats the same event until it is accepted. */
      const persist = async (actorId: string, eventId: string): Promise<string> => {
        for (;;) {
          try {
            const { outcome } = await runtime.engine.deliver({ actorId, eventId, event: { type: 'book', amount: 1 } });
            return outcome;
          } catch (error) {
            expect(error).toMatchObject({ name: 'RetryableError', code: 'DATABASE_UNAVAILABLE' });
            rejections += 1;
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        }
      };
      const deliveries = Array.from({ length: EVENTS }, (_, index) => index).flatMap((index) =>
        ids.map((actorId) => persist(actorId, `e-${index}`)),
      );
      // The first batch is running when the connection breaks.
      await Promise.resolve();
      await breakLine(proxy);
      await expect.poll(() => rejections, POLLING).toBeGreaterThan(0);
      expect(await connection.isHealthy()).toBe(isHealthy);
      clock.advance(60_000);
      await proxy.repair();
      const outcomes = await Promise.all(deliveries);
      // A commit whose response was lost appears as a duplicate on the retry.
      expect(outcomes.filter((outcome) => outcome !== 'applied' && outcome !== 'duplicate')).toEqual([]);
      const kinds = createKindRegistry([createLedgerKind()]);
      for (const actorId of ids) {
        expect(await readTotal(database, actorId)).toBe(EVENTS);
        expect((await replay(database.db, kinds, actorId))?.equal).toBe(true);
      }
      const announcedOf = (actorId: string) =>
        [...runtime.announced.values()].filter((each) => each.actorId === actorId);
      for (const actorId of ids) {
        await expect
          .poll(() => announcedOf(actorId).filter(({ what }) => what === 'booked').length, POLLING)
          .toBe(EVENTS);
        await expect.poll(() => announcedOf(actorId).filter(({ what }) => what === 'reminded').length, POLLING).toBe(1);
      }
      await expect.poll(() => database.db.selectFrom('outbox_message').selectAll().execute(), POLLING).toEqual([]);
      await runtime.stop();
      await connection.close();
      await proxy.close();
      await database.drop();
    },
  );

  test('and after the connection was closed, delivery returns a retryable error instead of rejecting the event', async () => {
    const database = await createPostgresDatabase();
    const runtime = await startRuntime({ connection: database, clock: createTestClock() });
    await runtime.stop();
    await database.drop();
    const delivery = runtime.engine.deliver({ actorId: 'a', eventId: 'e', event: { type: 'book' } });
    await expect(delivery).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });

  test('and while the server rejects new connections, an event that needs one is not dead-lettered', async () => {
    const database = await createPostgresDatabase();
    await createLedgerTable(database);
    const url = database.url ?? '';
    const connection = await connect({ url, dataDir: null, poolSize: 2 });
    const kinds = createKindRegistry([createLedgerKind()]);
    const engine = createEngine({ db: connection.db, kinds, clock: createTestClock(), log: silentLog });
    const actorId = newActorId();
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    const book = () => engine.deliver({ actorId, eventId: 'book', event: { type: 'book', amount: 1 } });

    // The only live connection is in use when the event arrives, and idle by the time the server
    // has refused another one.
    const [taken, released] = [deferred(), deferred()];
    const inUse = connection.db.connection().execute(() => {
      taken.resolve();
      return released.promise;
    });
    await taken.promise;
    await allowConnections(url, false);
    const rejection = book().catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    expect(connection.poolUse()).toMatchObject({ open: 2, idle: 0 });
    released.resolve();
    await inUse;
    expect(await rejection).toMatchObject({ name: 'RetryableError', code: 'DATABASE_UNAVAILABLE' });
    const outcomes = async () => (await readJournal(database.db, actorId)).map(({ outcome }) => outcome);
    expect(await outcomes()).toEqual(['started']);
    expect(await database.db.selectFrom('dead_letter').selectAll().execute()).toEqual([]);

    await allowConnections(url, true);
    expect((await book()).outcome).toBe('applied');
    expect(await outcomes()).toEqual(['started', 'applied']);
    await connection.close();
    await database.drop();
  });
});
