import type { UnixMs } from '../../../machines/index.ts';
import { createLocalBus, createNatsBus } from '../../../src/platform/bus/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import type { CrashPoint } from '../../../src/platform/engine/index.ts';
import { createTestClock } from '../clock.ts';
import { createDeadLetterPort } from '../service/engine.ts';
import { startRecurringService } from '../service/recurring.ts';
import { type Phase, runScenario } from '../service/recurring-scenario.ts';
import { silentLog } from '../silent-log.ts';

/**
 * A process for tests that kill it, or that kills itself at a crash point: recurring payment
 * requests including emails. With a scenario it plays that and exits. Without one it runs until it
 * is killed: it sends its parent `ready` and then the number of sent emails, and receives the time
 * of its clock. Its one argument is a `ChildOrder` as JSON. /
 */
export interface ChildOrder {
  readonly databaseUrl: string;
  /** Null: the in-process bus. */
  readonly nats: { readonly url: string; readonly prefix: string } | null;
  readonly smtpPort: number;
  /** Initial time of its clock. */
  readonly now: UnixMs;
  readonly scenario: { readonly merchantId: string; readonly until: UnixMs } | null;
  /** Kills itself at the first pass of the point after the scenario has reached the phase. */
  readonly crash: { readonly point: CrashPoint; readonly phase: Phase } | null;
}

const ACK_WAIT_MS = 1_000;

const order = JSON.parse(process.argv[2] ?? '{}') as ChildOrder;
const connection = await connect({ url: order.databaseUrl, dataDir: null, poolSize: 6 });
const clock = createTestClock(order.now);
const deadLetter = createDeadLetterPort(connection);
let isArmed = false;
let sent = 0;

const { runtime, stop } = await startRecurringService({
  connection,
  bus:
    order.nats === null
      ? createLocalBus({ deadLetter, log: silentLog, failureDelaysMs: [1] })
      : createNatsBus({ ...order.nats, deadLetter, log: silentLog, ackWaitMs: ACK_WAIT_MS }),
  clock,
  smtpPort: order.smtpPort,
  crash(point) {
    if (isArmed && point === order.crash?.point) process.kill(process.pid, 'SIGKILL');
  },
  onCompleting: () => enter('completed'),
  onSent() {
    sent += 1;
    process.send?.(sent);
  },
});

if (order.scenario === null) {
  process.on('message', (now) => clock.advance(Number(now) - clock.now()));
  process.send?.('ready');
} else {
  await runScenario({ ...order.scenario, connection, engine: runtime.engine, clock, onPhase: enter });
  await stop();
  await connection.close();
}

// Helpers

function enter(phase: Phase): void {
  isArmed ||= phase === order.crash?.phase;
}
