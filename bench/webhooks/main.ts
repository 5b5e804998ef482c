import { deleteStream, uniquePrefix } from '../../test/support/service/nats.ts';
import { costTable, medians } from '../support/costs.ts';
import { median } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';
import { type BusChoice, createWebhookInstallation, LOCAL_BUS, type WebhookInstallation } from './installation.ts';
import { type ArrivalTimes, measureArrivals, summarize } from './latency.ts';
import { type DeliveryRate, deliver, postBare, waitForDeliveries } from './throughput.ts';
import { fillWaiting, sendWaiting } from './waiting.ts';

/**
 * What webhooks cost, with a worker of the service in one process and merchants' servers in
 * another:
 *
 * - deliveries per second from the commit of the events until the delivery is `delivered`, against
 *   a bare loop of undici POSTs with the same headers, bodies and signatures over as many
 *   connections to the same server; with many endpoints, and with one, which has its own slots
 * - time from commit to arrival at fifty endpoints, with and without one more that accepts
 *   connections and never responds
 * - memory of the worker with many deliveries waiting for their retry, and when all of them become
 *   due simultaneously
 *
 * Worker, Postgres, servers and this loop share the processors, so rounds alternate: read the
 * ratios.
 */

const {
  BENCH_ROUNDS: ROUNDS,
  BENCH_EVENTS: EVENTS,
  BENCH_WAITING: WAITING,
  BENCH_SECONDS: QUIET_SECONDS,
  BENCH_NATS_URL: NATS_URL,
} = readSettings('Deliveries per second, time to arrival and memory, against a bare loop of POSTs.', {
  BENCH_ROUNDS: 3,
  BENCH_EVENTS: 5_000,
  BENCH_WAITING: 100_000,
  /**
   * Seconds of each of two rounds without the silent endpoint; the round with it takes twice as
   * long, until after it is held back.
   */
  BENCH_SECONDS: 30,
  /** Also measures the throughput over NATS when set to a server URL. */
  BENCH_NATS_URL: '',
});

const ENDPOINTS = 200;
/** One endpoint gets fewer deliveries at a time, so fewer events are enough. */
const ENDPOINT_SHARE = 5;
const BARE_SECONDS = 3;
const WARM_UP_EVENTS = 2_000;
const BACKLOG_EVENTS = 4_000;
const MEASURED_ENDPOINTS = 50;

async function main(): Promise<void> {
  await within(LOCAL_BUS, (installation) => compareThroughput('bus in the process', installation));
  if (NATS_URL !== '') {
    const prefix = uniquePrefix();
    try {
      await within({ natsUrl: NATS_URL, prefix }, (installation) => compareThroughput('NATS', installation));
    } finally {
      await deleteStream(NATS_URL, prefix);
    }
  }
  await within(LOCAL_BUS, compareArrivals);
  await within(LOCAL_BUS, measureMemory);
}

async function compareThroughput(name: string, installation: WebhookInstallation): Promise<void> {
  const many = await installation.addShops(ENDPOINTS, '/taking/plain');
  const one = many.slice(0, 1);
  // One endpoint first: the worker keeps the connections that many have opened, and reuses them.
  const { rows = Number.NaN } = await deliver(installation, { shops: one, events: WARM_UP_EVENTS, countRows: true });
  await postBare(installation, { shops: one, connections: 1, seconds: 1 });
  print('');
  for (const [shops, events] of [
    [one, EVENTS / ENDPOINT_SHARE],
    [many, EVENTS],
  ] as const) {
    const ours: DeliveryRate[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const rate = await deliver(installation, { shops, events });
      ours.push(rate);
      bare.push(await postBare(installation, { shops, connections: rate.connections, seconds: BARE_SECONDS }));
    }
    const [delivered, posted] = [medians(ours), median(bare)];
    const connections = median(ours.map((each) => each.connections));
    print(`${name}, ${shops.length} endpoint(s), ${connections} connections:`);
    for (const line of costTable('delivery', [['service', { ...delivered, rows }]])) print(`  ${line}`);
    print(
      `  from commit to recorded: ${percent(delivered.perSecond, posted)} of a bare loop's ${show(posted)} POSTs/s`,
    );
  }
}

async function compareArrivals(installation: WebhookInstallation): Promise<void> {
  const shops = await installation.addShops(MEASURED_ENDPOINTS, '/taking/timed/');
  const [healthy, silent] = await Promise.all(
    ['/taking/plain', '/silent/'].map(async (path) => (await installation.addShops(1, path))[0]),
  );
  if (healthy === undefined || silent === undefined) throw new Error('a shop was not made');
  await measureArrivals(installation, { shops, other: healthy, seconds: 5 });
  const without = await measureArrivals(installation, { shops, other: healthy, seconds: QUIET_SECONDS });
  for (let raised = 0; raised < BACKLOG_EVENTS; raised += 500) {
    await installation.worker.raise(Array.from({ length: 500 }, () => silent));
  }
  await waitForDeliveries(installation, silent, BACKLOG_EVENTS);
  const withSilent = await measureArrivals(installation, { shops, other: silent, seconds: 2 * QUIET_SECONDS });
  // Repeated, so that drift of the machine's speed affects both sides.
  without.push(...(await measureArrivals(installation, { shops, other: healthy, seconds: QUIET_SECONDS })));
  const [quiet, beside] = [summarize(without), summarize(withSilent)];
  print('');
  print(`commit to arrival at ${MEASURED_ENDPOINTS} endpoints, 220 events/s:`);
  print(`  all response                      ${times(quiet)}`);
  print(`  one more with ${show(BACKLOG_EVENTS)} that is silent  ${times(beside)}`);
  print(`  ratio of p99: ${(beside.p99Ms / quiet.p99Ms).toFixed(2)}`);
}

async function measureMemory(installation: WebhookInstallation): Promise<void> {
  const { worker } = installation;
  const shops = await installation.addShops(ENDPOINTS, '/taking/plain');
  const [failing] = await installation.addShops(1, '/failing/');
  if (failing === undefined) throw new Error('a shop was not made');
  await deliver(installation, { shops, events: WARM_UP_EVENTS });
  const before = await worker.memory();
  await fillWaiting(installation, { failing, shops, deliveries: WAITING });
  const waiting = await worker.memory();
  print('');
  print(`worker after ${show(WARM_UP_EVENTS)} deliveries: ${megabytes(before.residentBytes)} resident`);
  print(`  with ${show(WAITING)} waiting for their retry: ${megabytes(waiting.residentBytes)}`);
  const { delivered, tookMs } = await sendWaiting(installation, WAITING);
  const after = await worker.memory();
  print(`  all due at once: ${megabytes(after.peakResidentBytes)} at most`);
  const [tookSeconds, perSecond] = [(tookMs / 1_000).toFixed(0), show((1_000 * delivered) / tookMs)];
  print(`  delivered: ${show(delivered)} of ${show(WAITING)} in ${tookSeconds} s, ${perSecond} a second`);
  print(`  afterwards: ${megabytes(after.residentBytes)}`);
}

// Helpers

async function within(bus: BusChoice, work: (installation: WebhookInstallation) => Promise<void>): Promise<void> {
  const installation = await createWebhookInstallation(bus);
  // An aborted run leaves no database behind.
  const giveUp = () => void installation.remove().finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, giveUp);
  try {
    await work(installation);
  } finally {
    for (const signal of SIGNALS) process.off(signal, giveUp);
    await installation.remove();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const show = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (value: number, base: number) => `${Math.round((100 * value) / base)} %`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;
const times = ({ events, p50Ms, p99Ms }: ArrivalTimes) =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms (${show(events)} events)`;

await main();
