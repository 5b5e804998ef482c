import { expect, test } from 'vitest';
import { LATE_AFTER_MS } from '../../src/operations/health/late-timers.ts';
import { NEXT_TIMERS } from '../../src/operations/health/next-timers.ts';
import { listNextTimers } from '../../src/operations/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createInstallation } from './installation.ts';

describeDatabases('the next timers of all actors', (database) => {
  test('are the first of every queue and gate by their time, the late ones first', async () => {
    const all = createInstallation(database());
    const now = all.clock.now();
    const actorId = await all.startSchedule();
    await all.db.deleteFrom('timer').execute();
    const timer = (name: string, inMs: number, gate: string | null, queue = 'one') => {
      const at = new Date(now + inMs);
      const lane = { queue, partition: 0, gate, height: null };
      return { actor_id: actorId, name, set_by_sequence: 1, due_at: at, fires_at: at, ...lane };
    };
    const byClock = Array.from({ length: NEXT_TIMERS }, (_, index) => timer(`c${index}`, 1_000 * index, null));
    await all.db
      .insertInto('timer')
      .values([
        ...byClock,
        timer('other-queue', 1_500, null, 'two'),
        timer('gated', 2_500, 'net'),
        timer('other-gate', 3_500, 'unwatched'),
        timer('held-back', -2 * LATE_AFTER_MS, 'unwatched'),
        timer('late', -LATE_AFTER_MS, null, 'two'),
        { ...timer('block', 0, 'net'), due_at: null, fires_at: null, height: 7 },
        { ...timer('late-block', 0, 'net'), due_at: null, fires_at: null, height: 5 },
      ])
      .execute();
    await all.db
      .insertInto('watermark')
      .values({ gate: 'net', reached_at: new Date(now), height: 6 })
      .execute();

    const timers = await listNextTimers(all);
    expect(timers).toHaveLength(NEXT_TIMERS);
    expect(timers.slice(0, 9).map(({ name, isLate }) => [name, isLate])).toEqual([
      ['late-block', true],
      ['late', true],
      ['held-back', false],
      ['c0', false],
      ['c1', false],
      ['other-queue', false],
      ['c2', false],
      ['gated', false],
      ['c3', false],
    ]);
    expect(timers[1]).toMatchObject({ actorId, kind: 'schedule', state: 'unconfirmed', gate: null });
  });
});
