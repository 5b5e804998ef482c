import { connect } from '../../src/db/index.ts';
import { createReplayWorker } from '../../src/webhooks/index.ts';
import { startWebhookService } from '../webhooks/harness.ts';
import { createTestClock, silentLog } from './engine.ts';

/**
 * A process for tests that kill it: sends webhooks and works through replays. Its one argument is a `ReplayOrder` as JSON. It
 * never ends by itself.
 */
export interface ReplayOrder {
  readonly databaseUrl: string;
  /** Where its clock stands. */
  readonly now: number;
}

const { databaseUrl, now } = JSON.parse(process.argv[2] ?? '{}') as ReplayOrder;
const connection = await connect({ url: databaseUrl, dataDir: null, poolSize: 4 });
const clock = createTestClock(now);
const { runtime } = await startWebhookService({ connection, clock });
// Small steps, so that there are many places to die at.
const pace = { maxSending: 7, maxUnfinished: 1_000 };
createReplayWorker({ db: connection.db, engine: runtime.engine, clock, log: silentLog, pollEveryMs: 1, pace }).start();
