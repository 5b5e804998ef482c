import { createNatsBus } from '../../../src/platform/bus/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import type { CrashPoint } from '../../../src/platform/engine/index.ts';
import { createReplayWorker } from '../../../src/webhooks/index.ts';
import { CHILD_APPLICATION, raiseEvent, startWebhookService } from '../../webhooks/harness.ts';
import { createTestClock } from '../clock.ts';
import { createDeadLetterPort } from '../service/engine.ts';
import { silentLog } from '../silent-log.ts';

/**
 * A process for tests that kill it, or that kills itself at the given pass of a crash point: raises
 * events of one merchant and delivers them, or works through replays. Its one argument is a
 * `ChildOrder` as JSON. It never exits on its own.
 */
export interface ChildOrder {
  readonly databaseUrl: string;
  readonly merchantId: string;
  readonly events: number;
  /** Works through replays too. */
  readonly replays?: true;
  /** How far its clock advances every few ms. */
  readonly clockStepMs: number;
  readonly crash: { readonly point: CrashPoint; readonly pass: number } | null;
  /** A bus shared with other processes; without it, the process has its own. */
  readonly nats?: { readonly url: string; readonly prefix: string; readonly ackWaitMs: number };
}

const CLOCK_EVERY_MS = 10;

const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;
const connection = await connect({
  url: order.databaseUrl,
  dataDir: null,
  poolSize: 4,
  applicationName: CHILD_APPLICATION,
});
const clock = createTestClock();
let passes = 0;
const { nats } = order;
const bus =
  nats === undefined
    ? {}
    : { bus: createNatsBus({ ...nats, deadLetter: createDeadLetterPort(connection), log: silentLog }) };
const service = await startWebhookService({
  connection,
  clock,
  ...bus,
  crash(point) {
    if (point !== order.crash?.point) return;
    passes += 1;
    if (passes === order.crash.pass) process.kill(process.pid, 'SIGKILL');
  },
});
if (order.clockStepMs > 0) setInterval(() => clock.advance(order.clockStepMs), CLOCK_EVERY_MS);
if (order.replays) {
  // Small steps, so that there are many points at which it can be killed.
  const pace = { maxSending: 7, maxUnfinished: 1_000 };
  const { db } = connection;
  const { engine } = service.runtime;
  createReplayWorker({ db, engine, clock, log: silentLog, pollEveryMs: 1, pace }).start();
}
for (let count = 0; count < order.events; count += 1) await raiseEvent(service, connection, order);
