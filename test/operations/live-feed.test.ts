import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createLiveFeed, type LiveFeed } from '../../src/operations/index.ts';
import {
  formatPosition,
  MAX_CHANGES,
  MAX_TRANSACTIONS,
  readChangesSince,
} from '../../src/operations/live/live-changes.ts';
import { readTransactionHorizon } from '../../src/platform/db/index.ts';
import { currentContext, runInNewContext } from '../../src/platform/request-context.ts';
import { createEmbeddedDatabase } from '../support/database/embedded-database.ts';
import { createPostgresDatabase, describeDatabases, describePostgres } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { silentLog } from '../support/silent-log.ts';
import { createInstallation, type Installation } from './installation.ts';
import { newListener, type TestListener } from './test-listener.ts';

const feeds: LiveFeed[] = [];

afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.stop();
});

describeDatabases('the change feed', (database) => {
  test('sends every step of every actor, in order, to all listeners', async () => {
    const all = createInstallation(database());
    const feed = newFeed(all);
    const [one, other] = [newListener(), newListener()];
    await feed.join(one, null);
    await feed.join(other, null);
    const id = await all.startSchedule();
    await all.engine.deliver({ actorId: id, eventId: 'customer.confirmed', event: { type: 'customer.confirmed' } });
    await all.engine.deliver({ actorId: id, eventId: 'merchant:p', event: { type: 'merchant.paused' } });
    await expect.poll(() => stepsOf(one, id), POLLING).toEqual([1, 2, 3]);
    await expect.poll(() => stepsOf(other, id), POLLING).toEqual([1, 2, 3]);
    expect(one.changes.at(-1)).toMatchObject({ kind: 'schedule', actorId: id, state: 'paused', at: all.clock.now() });
  });

  test('sends a returning listener what it missed since its position, from any process', async () => {
    const all = createInstallation(database());
    const listener = newListener();
    const leave = await newFeed(all).join(listener, null);
    const first = await all.startSchedule();
    await expect.poll(() => stepsOf(listener, first), POLLING).toEqual([1]);
    leave?.();
    const missed = await all.startSchedule();
    const again = newListener();
    await newFeed(all).join(again, listener.position);
    await expect.poll(() => stepsOf(again, missed), POLLING).toEqual([1]);
    expect(stepsOf(again, first)).toEqual([]);
    expect(again.reloads).toBe(0);
  });

  test('omits a step that cannot be read, with an alert, and sends the others', async () => {
    const all = createInstallation(database());
    const listener = newListener();
    const start = formatPosition(await readTransactionHorizon(all.db));
    const [broken, sound] = [await all.startSchedule(), await all.startSchedule()];
    await sql`update journal_entry set at = '290000-01-01T00:00:00Z' where actor_id = ${broken}`.execute(all.db);
    await newFeed(all).join(listener, start);
    await expect.poll(() => stepsOf(listener, sound), POLLING).toEqual([1]);
    expect(stepsOf(listener, broken)).toEqual([]);
    const alerts = await all.db.selectFrom('operator_alert').select('alert').where('actor_id', '=', broken).execute();
    expect(alerts).toEqual([{ alert: 'row_unreadable' }]);
  });

  test('sends outside any request context, independent of who joined first', async () => {
    const all = createInstallation(database());
    const contexts: unknown[] = [];
    const listener = { ...newListener(), onChanges: () => void contexts.push(currentContext()) };
    await runInNewContext({ requestId: 'first' }, () => newFeed(all).join(listener, null));
    await all.startSchedule();
    await expect.poll(() => contexts[0], POLLING).toBeNull();
  });

  test('asks a listener to reload that missed too much, or has a position of another database', async () => {
    const all = createInstallation(database());
    const before = formatPosition(await readTransactionHorizon(all.db));
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await Promise.all(Array.from({ length: MAX_CHANGES / 2 }, () => all.startDelivery()));
    }
    // Any open transaction on this server delays the feed.
    const { rows } = await sql<{ last: number }>`select max(inserted_xid) as last from journal_entry`.execute(all.db);
    await expect
      .poll(async () => (await readTransactionHorizon(all.db)).position, POLLING)
      .toBeGreaterThan(rows[0]?.last ?? 0);
    const [late, foreign] = [newListener(), newListener()];
    const feed = newFeed(all);
    await feed.join(late, before);
    await feed.join(foreign, formatPosition({ ...(await readTransactionHorizon(all.db)), position: 2 ** 40 }));
    await expect.poll(() => [late.reloads, foreign.reloads], POLLING).toEqual([1, 1]);
    const id = await all.startSchedule();
    await expect.poll(() => [stepsOf(late, id), stepsOf(foreign, id)], POLLING).toEqual([[1], [1]]);
    expect(late.changes).toHaveLength(1);
  });

  test('asks a listener with a very old position to reload, without reading anything for it', async () => {
    const all = createInstallation(database());
    const slow = slowJournal(all);
    const feed = newFeed(slow);
    const listener = newListener();
    const now = await readTransactionHorizon(all.db);
    await feed.join(listener, formatPosition({ ...now, position: now.position - MAX_TRANSACTIONS - 1 }));
    expect(listener.reloads).toBe(1);
    slow.respond();
    const id = await all.startSchedule();
    await expect.poll(() => stepsOf(listener, id), POLLING).toEqual([1]);
    expect(listener.reloads).toBe(1);
  });

  test('asks all listeners to reload after a long outage, and then sends new changes', async () => {
    const all = createInstallation(database());
    const slow = slowJournal(all);
    slow.respond();
    slow.fallBehind(MAX_TRANSACTIONS + 1_000);
    const listener = newListener();
    await newFeed(slow).join(listener, null);
    slow.fail();
    slow.fallBehind(0);
    await expect.poll(() => listener.reloads, POLLING).toBe(1);
    slow.respond();
    const id = await all.startSchedule();
    await expect.poll(() => stepsOf(listener, id), POLLING).toEqual([1]);
    expect(listener.reloads).toBe(1);
  });
});

test('changes of up to the maximum number of transactions are sent one by one', async () => {
  // A database without other transactions, which would advance the position.
  const database = await createEmbeddedDatabase();
  const all = createInstallation(database);
  const id = await all.startSchedule();
  const horizon = await readTransactionHorizon(all.db);
  const back = (count: number) => ({ ...horizon, position: horizon.position - count });
  const near = await readChangesSince(all.db, back(MAX_TRANSACTIONS));
  expect(near).toMatchObject({ changes: [{ actorId: id }], horizon, isTooMuch: false });
  const far = await readChangesSince(all.db, back(MAX_TRANSACTIONS + 1));
  expect(far).toEqual({ changes: [], xids: [], horizon, isTooMuch: true, isAnotherHistory: false });
  await database.drop();
});

describePostgres('the change feed, with long transactions', () => {
  test('a step that is committed after later ones is sent too, and none is sent twice', async () => {
    const database = await createPostgresDatabase();
    const all = createInstallation(database);
    let position = await readTransactionHorizon(all.db);
    const sent: string[] = [];
    const poll = async () => {
      const news = await readChangesSince(all.db, position);
      position = news.horizon;
      sent.push(...news.changes.map(({ actorId }) => actorId));
    };
    let commit = () => {};
    const isToCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    // An older transaction that appends its entry now and commits only when released.
    const slow = all.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('journal_entry')
        .values({
          actor_id: 'slow',
          sequence: 1,
          event_id: 'actor.started',
          event_type: 'actor.started',
          event: '{}',
          outcome: 'started',
          state: 'x',
          kind: 'schedule',
          version: '1',
          at: new Date(0),
          born: new Date(0),
          error: null,
        })
        .execute();
      begun();
      await isToCommit;
    });
    await hasBegun;
    const quick = await all.startSchedule();
    await poll();
    expect(sent).toEqual([]);
    commit();
    await slow;
    await expect
      .poll(async () => {
        await poll();
        return sent;
      }, POLLING)
      .toEqual(['slow', quick]);
    await poll();
    expect(sent).toHaveLength(2);
    await database.drop();
  });
});

function newFeed({ db }: Pick<Installation, 'db'>): LiveFeed {
  const feed = createLiveFeed({ db, log: silentLog, pollEveryMs: 10 });
  feeds.push(feed);
  return feed;
}

function stepsOf({ changes }: TestListener, id: string): number[] {
  return changes.filter(({ actorId }) => actorId === id).map(({ sequence }) => sequence);
}

/** The same database, with a journal that times out until allowed, and a horizon that can lag. */
function slowJournal({ db }: Installation) {
  let isFailing = true;
  let lag = 0;
  const slow = db.withPlugin({
    transformQuery({ node }) {
      if (isFailing && JSON.stringify(node).includes('journal_entry')) throw new Error('statement timeout');
      return node;
    },
    transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(laggedBy(lag)) }),
  });
  return {
    db: slow,
    respond() {
      isFailing = false;
    },
    fail() {
      isFailing = true;
    },
    fallBehind(transactions: number) {
      lag = transactions;
    },
  };
}

function laggedBy(lag: number) {
  return (row: Record<string, unknown>) =>
    typeof row.position === 'number' ? { ...row, position: row.position - lag } : row;
}
