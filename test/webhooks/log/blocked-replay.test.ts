import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import { createLogger } from '../../../src/platform/log.ts';
import type { PollLoop } from '../../../src/platform/poll-loop.ts';
import { createReplayWorker, getReplay, requestReplay } from '../../../src/webhooks/index.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { type FakeSender, startFakeSender } from '../fake-sender.ts';
import { addEndpoint, createMerchant } from '../harness.ts';

describePostgres('a transaction that stays open', () => {
  let database: TestDatabase;
  let sender: FakeSender;
  let worker: PollLoop | undefined;
  afterEach(async () => {
    await worker?.stop();
    await sender?.stop();
    await database?.drop();
  });

  test('is reported once when replays wait for it, with its session and age', async () => {
    database = await createPostgresDatabase();
    const { db } = database;
    sender = await startFakeSender(database);
    const { clock } = sender;
    const merchantId = await createMerchant(database);
    const { id: endpointId } = await addEndpoint(database, { merchantId, url: 'https://shop.example/mine' });
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    let checks = 0;
    const counting = {
      now() {
        checks += 1;
        return clock.now();
      },
    };
    worker = createReplayWorker({ db, engine: sender.runtime.engine, clock: counting, log, pollEveryMs: 5 });
    worker.start();
    const checkAgain = async () => {
      const before = checks;
      await vi.waitFor(() => expect(checks).toBeGreaterThan(before + 2), POLLING);
    };
    const outage = async () => {
      const before = lines.length;
      const { replayId, pid } = await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ pid: number }>`
          select pg_backend_pid() as pid, pg_current_xact_id()::text as own`.execute(trx);
        const { id } = await requestReplay({ db, clock }, { merchantId, endpointId, since: clock.now() - HOUR_MS });
        await checkAgain();
        expect(lines.length, 'a transaction of less than a minute').toBe(before);
        clock.advance(MINUTE_MS);
        await vi.waitFor(() => expect(lines.length).toBe(before + 1), POLLING);
        await checkAgain();
        return { replayId: id, pid: rows[0]?.pid };
      });
      await vi.waitFor(
        async () => expect((await getReplay(database, { merchantId, replayId })).state).toBe('done'),
        POLLING,
      );
      await checkAgain();
      expect(lines).toHaveLength(before + 1);
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
        pid,
        openSeconds: expect.any(Number),
        msg: expect.stringContaining('pg_terminate_backend'),
      });
      return pid;
    };
    const pids = [await outage(), await outage()];
    const alerts = await db.selectFrom('operator_alert').select(['alert', 'detail']).orderBy('id').execute();
    expect(alerts).toEqual(
      pids.map((pid) => ({
        alert: 'replays_blocked',
        detail: expect.stringMatching(new RegExp(`^the session ${pid} \\(".*"\\) has a transaction open since 20`)),
      })),
    );
  });
});
