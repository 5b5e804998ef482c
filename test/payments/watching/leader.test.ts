import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type ChainLease,
  createChainLease,
  type Leader,
  type LeaderTask,
  runWhileLeader,
} from '../../../src/payments/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { createDatabaseLine } from '../../support/database/database-line.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { deferred } from '../../support/deferred.ts';
import { PATIENCE } from '../../support/patience.ts';
import { silentLog } from '../../support/silent-log.ts';

const LEASE_MS = 1_000;
const RENEW_EVERY_MS = 100;

let leaders: Leader[] = [];
afterEach(async () => {
  await Promise.all(leaders.map((leader) => leader.stop()));
  leaders = [];
});

describeDatabases('leader election', (database) => {
  test('one process is the leader, and when it stops another takes over, never both', async () => {
    const stage = createStage();
    const first = stage.enter(database().db, 'first');
    await stage.isOnDuty('first');
    const second = stage.enter(database().db, 'second');
    await first.stop();
    await stage.isOnDuty('second');
    await second.stop();
    expect(stage.story).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  test('a leader task that does not end blocks neither a stop nor the lease of others', async () => {
    const lease = createChainLease({
      db: database().db,
      network: 'a network',
      holder: randomUUID(),
      leaseMs: LEASE_MS,
    });
    let isOnDuty = false;
    const duty: LeaderTask = {
      async start() {
        isOnDuty = true;
      },
      stop: () => new Promise(() => {}),
    };
    const options = { network: 'a network', renewEveryMs: RENEW_EVERY_MS, log: silentLog };
    const leader = runWhileLeader({ ...options, lease, createTask: () => duty });
    await vi.waitFor(() => expect(isOnDuty).toBe(true), PATIENCE);
    await leader.stop();
    expect(
      await database().db.selectFrom('chain_lease').selectAll().where('network', '=', 'a network').execute(),
    ).toEqual([]);
  });

  test('a leader task that fails to start is left to others and retried', async () => {
    const stage = createStage();
    let failures = 0;
    stage.beforeStart = async () => {
      failures += 1;
      if (failures < 3) throw new Error('no node');
    };
    stage.enter(database().db, 'first');
    await vi.waitFor(() => expect(stage.story).toContain('first begins'), PATIENCE);
    expect(failures).toBe(3);
  });
});

describeDatabases('leader election with a database that accepts queries and does not answer', (database) => {
  test('the leader ends its task, resumes when answers come again, and can be stopped meanwhile', async () => {
    const stage = createStage();
    const requested: (() => void)[] = [];
    let isSilent = false;
    const first = stage.enter(database().db, 'first', (lease) => ({
      ...lease,
      async take() {
        if (isSilent) await new Promise<void>((resolve) => void requested.push(resolve));
        return lease.take();
      },
    }));
    await stage.isOnDuty('first');
    isSilent = true;
    await vi.waitFor(() => expect(stage.story).toEqual(['first begins', 'first ends']), PATIENCE);
    stage.enter(database().db, 'second');
    await stage.isOnDuty('second');
    await leaders.pop()?.stop();
    isSilent = false;
    for (const respond of requested) respond();
    await stage.isOnDuty('first');
    isSilent = true;
    await first.stop();
    expect(stage.story.at(-1)).toBe('first ends');
  });
});

describePostgres('leader election while the database is down', () => {
  test('the leader ends its task before another can get the lease, and does not interfere when it comes back', async () => {
    const database = await createPostgresDatabase();
    const { line, url } = await createDatabaseLine(database);
    const remote = await connect({ url, dataDir: null, poolSize: 2 });
    try {
      const stage = createStage();
      const far = stage.enter(remote.db, 'far');
      await stage.isOnDuty('far');
      const near = stage.enter(database.db, 'near');
      await line.cut();
      await stage.isOnDuty('near');
      expect(stage.story).toEqual(['far begins', 'far ends', 'near begins']);
      await line.repair();
      await near.stop();
      await stage.isOnDuty('far');
      expect(stage.story).toEqual(['far begins', 'far ends', 'near begins', 'near ends', 'far begins']);
      await far.stop();
    } finally {
      await remote.close();
      await line.close();
      await database.drop();
    }
  });
});

describePostgres('leader election over connections that go silent', () => {
  // The first two wait for the time limit of a request, side by side.
  test.concurrent('the same process resumes the task on a new connection, without another candidate', async () => {
    const database = await createPostgresDatabase();
    const { line, url } = await createDatabaseLine(database);
    const remote = await connect({ url, dataDir: null, poolSize: 2, deadConnections: { suspectAfterMs: 500 } });
    try {
      const stage = createStage();
      let renewals = 0;
      const far = stage.enter(remote.db, 'far', (lease) => ({
        ...lease,
        async take() {
          const isMine = await lease.take();
          renewals += 1;
          return isMine;
        },
      }));
      // Stopped below: the test next to it may end first, and stops what is in the list.
      leaders = [];
      await stage.isOnDuty('far');
      // As many as the pool allows, so that no working connection is left.
      await Promise.all(Array.from({ length: 2 }, () => sql`select pg_sleep(0.05)`.execute(remote.db)));
      expect(line.silence()).toBe(2);
      const before = renewals;
      await vi.waitFor(() => expect(renewals).toBeGreaterThan(before + 3), PATIENCE);
      await stage.isOnDuty('far');
      await far.stop();
    } finally {
      await remote.close();
      await line.close();
      await database.drop();
    }
  });

  test.concurrent('a task that hangs on one is abandoned when its lease expires, and restarted', async () => {
    const lease: ChainLease = {
      take: async () => ++requested % 5 !== 0,
      remainingMs: () => 1_000,
      release: async () => {},
    };
    let [requested, begun] = [0, 0];
    const createTask = (): LeaderTask => ({
      async start() {
        begun += 1;
      },
      stop: () => (begun === 1 ? new Promise(() => {}) : Promise.resolve()),
    });
    const leader = runWhileLeader({ lease, network: 'a network', renewEveryMs: 10, createTask, log: silentLog });
    await vi.waitFor(() => expect(begun).toBeGreaterThan(1), PATIENCE);
    await leader.stop();
  });

  test('a task that is slow to start keeps its lease meanwhile, and ends with the process', async () => {
    const database = await createPostgresDatabase();
    const stage = createStage();
    const slowly = deferred();
    stage.beforeStart = () => slowly.promise;
    let renewals = 0;
    stage.enter(database.db, 'slow', (lease) => ({
      ...lease,
      take() {
        renewals += 1;
        return lease.take();
      },
    }));
    await vi.waitFor(() => expect(renewals).toBeGreaterThan(3), PATIENCE);
    slowly.resolve();
    await stage.isOnDuty('slow');
    await leaders.pop()?.stop();
    expect(stage.story).toEqual(['slow begins', 'slow ends']);
    await database.drop();
  });
});

// Helpers

function createStage() {
  const network = `network-${randomUUID()}`;
  const story: string[] = [];
  const stage = {
    story,
    beforeStart: async (): Promise<void> => {},
    enter(db: TestDatabase['db'], holder: string, through = (lease: ChainLease) => lease): Leader {
      const createTask = (): LeaderTask => {
        let isRunning = false;
        return {
          async start() {
            await stage.beforeStart();
            isRunning = true;
            story.push(`${holder} begins`);
          },
          async stop() {
            if (isRunning) story.push(`${holder} ends`);
          },
        };
      };
      const lease = through(createChainLease({ db, network, holder, leaseMs: LEASE_MS }));
      const leader = runWhileLeader({ lease, network, renewEveryMs: RENEW_EVERY_MS, createTask, log: silentLog });
      leaders.push(leader);
      return leader;
    },
    isOnDuty: (holder: string) => vi.waitFor(() => expect(story.at(-1)).toBe(`${holder} begins`), PATIENCE),
  };
  return stage;
}
