import { randomUUID } from 'node:crypto';
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
import { openConnections } from '../../support/database/open-connections.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { deferred } from '../../support/deferred.ts';
import { POLLING } from '../../support/polling.ts';
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
    const harness = createHarness();
    const first = harness.enter(database().db, 'first');
    await harness.becomesLeader('first');
    const second = harness.enter(database().db, 'second');
    await first.stop();
    await harness.becomesLeader('second');
    await second.stop();
    expect(harness.events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  test('a leader task that does not end blocks neither a stop nor the lease of others', async () => {
    const lease = createChainLease({
      db: database().db,
      network: 'a network',
      holder: randomUUID(),
      leaseMs: LEASE_MS,
    });
    let hasStarted = false;
    const task: LeaderTask = {
      async start() {
        hasStarted = true;
      },
      stop: () => new Promise(() => {}),
    };
    const options = { network: 'a network', renewEveryMs: RENEW_EVERY_MS, log: silentLog };
    const leader = runWhileLeader({ ...options, lease, createTask: () => task });
    await vi.waitFor(() => expect(hasStarted).toBe(true), POLLING);
    await leader.stop();
    expect(
      await database().db.selectFrom('chain_lease').selectAll().where('network', '=', 'a network').execute(),
    ).toEqual([]);
  });

  test('a leader task that fails to start is left to others and retried', async () => {
    const harness = createHarness();
    let failures = 0;
    harness.beforeStart = async () => {
      failures += 1;
      if (failures < 3) throw new Error('no node');
    };
    harness.enter(database().db, 'first');
    await vi.waitFor(() => expect(harness.events).toContain('first begins'), POLLING);
    expect(failures).toBe(3);
  });
});

describeDatabases('leader election with a database that accepts queries and does not answer', (database) => {
  test('the leader ends its task, resumes when answers come again, and can be stopped meanwhile', async () => {
    const harness = createHarness();
    const requested: (() => void)[] = [];
    let isSilent = false;
    const first = harness.enter(database().db, 'first', (lease) => ({
      ...lease,
      async take() {
        if (isSilent) await new Promise<void>((resolve) => void requested.push(resolve));
        return lease.take();
      },
    }));
    await harness.becomesLeader('first');
    isSilent = true;
    await vi.waitFor(() => expect(harness.events).toEqual(['first begins', 'first ends']), POLLING);
    harness.enter(database().db, 'second');
    await harness.becomesLeader('second');
    await leaders.pop()?.stop();
    isSilent = false;
    for (const respond of requested) respond();
    await harness.becomesLeader('first');
    isSilent = true;
    await first.stop();
    expect(harness.events.at(-1)).toBe('first ends');
  });
});

describePostgres('leader election while the database is down', () => {
  test('the leader ends its task before another can get the lease, and does not interfere when it comes back', async () => {
    const database = await createPostgresDatabase();
    const { line, url } = await createDatabaseLine(database);
    const remote = await connect({ url, dataDir: null, poolSize: 2 });
    try {
      const harness = createHarness();
      const far = harness.enter(remote.db, 'far');
      await harness.becomesLeader('far');
      const near = harness.enter(database.db, 'near');
      await line.cut();
      await harness.becomesLeader('near');
      expect(harness.events).toEqual(['far begins', 'far ends', 'near begins']);
      await line.repair();
      await near.stop();
      await harness.becomesLeader('far');
      expect(harness.events).toEqual(['far begins', 'far ends', 'near begins', 'near ends', 'far begins']);
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
      const harness = createHarness();
      let renewals = 0;
      const far = harness.enter(remote.db, 'far', (lease) => ({
        ...lease,
        async take() {
          const isMine = await lease.take();
          renewals += 1;
          return isMine;
        },
      }));
      // Stopped below: the test next to it may end first, and stops what is in the list.
      leaders = [];
      await harness.becomesLeader('far');
      // As many as the pool allows, so that no working connection is left.
      await openConnections(remote.db, 2);
      expect(line.silence()).toBe(2);
      const before = renewals;
      await vi.waitFor(() => expect(renewals).toBeGreaterThan(before + 3), POLLING);
      await harness.becomesLeader('far');
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
    await vi.waitFor(() => expect(begun).toBeGreaterThan(1), POLLING);
    await leader.stop();
  });

  test('a task that is slow to start keeps its lease meanwhile, and ends with the process', async () => {
    const database = await createPostgresDatabase();
    const harness = createHarness();
    const slowly = deferred();
    harness.beforeStart = () => slowly.promise;
    let renewals = 0;
    harness.enter(database.db, 'slow', (lease) => ({
      ...lease,
      take() {
        renewals += 1;
        return lease.take();
      },
    }));
    await vi.waitFor(() => expect(renewals).toBeGreaterThan(3), POLLING);
    slowly.resolve();
    await harness.becomesLeader('slow');
    await leaders.pop()?.stop();
    expect(harness.events).toEqual(['slow begins', 'slow ends']);
    await database.drop();
  });
});

// Helpers

function createHarness() {
  const network = `network-${randomUUID()}`;
  const events: string[] = [];
  const harness = {
    events,
    beforeStart: async (): Promise<void> => {},
    enter(db: TestDatabase['db'], holder: string, through = (lease: ChainLease) => lease): Leader {
      const createTask = (): LeaderTask => {
        let isRunning = false;
        return {
          async start() {
            await harness.beforeStart();
            isRunning = true;
            events.push(`${holder} begins`);
          },
          async stop() {
            if (isRunning) events.push(`${holder} ends`);
          },
        };
      };
      const lease = through(createChainLease({ db, network, holder, leaseMs: LEASE_MS }));
      const leader = runWhileLeader({ lease, network, renewEveryMs: RENEW_EVERY_MS, createTask, log: silentLog });
      leaders.push(leader);
      return leader;
    },
    becomesLeader: (holder: string) => vi.waitFor(() => expect(events.at(-1)).toBe(`${holder} begins`), POLLING),
  };
  return harness;
}
