import { SENDER_LIMITS } from '../../src/webhooks/index.ts';
import { readSettings } from '../support/settings.ts';
import { createRandom, type Random } from './random.ts';

/**
 * What arithmetic alone cannot say about a large installation, simulated with a seed that is
 * printed (`BENCH_SEED`):
 *
 * - sockets to merchants' servers in the peak hour, when a few endpoints are slow and some never
 *   answer: how many are open at once, and how long a webhook waits for a slot of its endpoint.
 *   Compared with Little's law, which gives only the mean
 * - a burst of timers on a worker that has other work: how long ordinary events wait behind it,
 *   when the timer service keeps 1,000 of a lane in progress, and when it publishes all of them at
 *   once
 *
 * Nothing here is measured. Rates and distributions are assumptions, printed with the results.
 */

const { BENCH_SEED: SEED } = readSettings(
  'A simulation of sockets and timer bursts in a large installation. Nothing is measured.',
  { BENCH_SEED: 20_261_122 },
);
const WEBHOOKS_PER_PAYMENT = 2;
/** Payments of the busiest hour relative to the daily mean. */
const PEAK_FACTOR = 4;
/** As the sender's: places times the mean time of an answer, within a minimum and a maximum. */
const PLACE_TIME_MS = 6_000;
const { minInFlightPerEndpoint: FEWEST, maxInFlightPerEndpoint: MOST } = SENDER_LIMITS;
const TIMEOUT_MS = 15_000;

/** How endpoints respond: their share, and median and spread of the response time. */
const MANNERS = [
  { name: 'usual', share: 0.9, medianMs: 120, sigma: 0.6 },
  { name: 'slow', share: 0.08, medianMs: 1_200, sigma: 0.7 },
  { name: 'silent', share: 0.02, medianMs: Number.POSITIVE_INFINITY, sigma: 0 },
] as const;

/** After ten failures an endpoint is held back and gets one probe a minute. */
const FAILURES_UNTIL_HELD_BACK = 10;
const PROBE_EVERY_MS = 60_000;

function main(): void {
  print(`seed ${SEED}`);
  print(
    `assumed: peak hour ${PEAK_FACTOR} × the mean, ${WEBHOOKS_PER_PAYMENT} webhooks a payment, ${FEWEST} to ${MOST} places per endpoint and worker,`,
  );
  print(
    `endpoints: ${MANNERS.map(({ name, share, medianMs }) => `${100 * share} % ${name} (median ${Number.isFinite(medianMs) ? `${medianMs} ms` : 'no answer'})`).join(', ')}`,
  );
  simulateSockets();
  simulateBursts();
}

function simulateSockets(): void {
  print(
    '\n| payments a day | endpoints | workers | webhooks a second at peak | sockets by Little | sockets p50 | p99 | most | endpoints sent more than they take | of all webhooks | wait of the others p99 | p99.9 |',
  );
  print('|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const { payments, endpoints, workers, minutes } of [
    { payments: 1_000_000, endpoints: 1_000, workers: 1, minutes: 30 },
    { payments: 1_000_000, endpoints: 20, workers: 1, minutes: 30 },
    { payments: 100_000_000, endpoints: 20_000, workers: 16, minutes: 2 },
    { payments: 100_000_000, endpoints: 200, workers: 16, minutes: 2 },
  ]) {
    const perSecond = (payments * WEBHOOKS_PER_PAYMENT * PEAK_FACTOR) / 86_400;
    const result = runSockets(createRandom(SEED), { perSecond, endpoints, workers, minutes });
    const cells = [
      show(payments),
      show(endpoints),
      show(workers),
      perSecond.toFixed(0),
      show(result.little),
      show(result.p50),
      show(result.p99),
      show(result.most),
      show(result.overloaded),
      `${(100 * result.overloadedShare).toFixed(1)} %`,
      `${show(result.waitP99Ms)} ms`,
      `${show(result.waitP999Ms)} ms`,
    ];
    print(`| ${cells.join(' | ')} |`);
  }
}

function simulateBursts(): void {
  print('\n| burst | worker takes | other events | places | burst is over after | other events wait p50 | p99 |');
  print('|---|---|---|---|---|---|---|');
  for (const perSecond of [500, 2_000]) {
    for (const places of [1_000, Number.POSITIVE_INFINITY]) {
      const burst = 100_000;
      const others = perSecond / 4;
      const { overMs, waitP50Ms, waitP99Ms } = runBurst(createRandom(SEED), { burst, perSecond, others, places });
      const cells = [
        show(burst),
        `${show(perSecond)}/s`,
        `${show(others)}/s`,
        Number.isFinite(places) ? show(places) : 'no limit',
        `${(overMs / 1_000).toFixed(0)} s`,
        `${show(waitP50Ms)} ms`,
        `${show(waitP99Ms)} ms`,
      ];
      print(`| ${cells.join(' | ')} |`);
    }
  }
}

main();

// Helpers

interface SocketWorld {
  readonly perSecond: number;
  readonly endpoints: number;
  readonly workers: number;
  readonly minutes: number;
}

interface SocketResult {
  readonly little: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  /** Endpoints that respond but have too few slots, and their share of all traffic. */
  readonly overloaded: number;
  readonly overloadedShare: number;
  readonly waitP99Ms: number;
  readonly waitP999Ms: number;
}

/**
 * Every endpoint is a queue with its own slots; arrivals choose one by Zipf's law, so that a few
 * get most of them.
 */
function runSockets(random: Random, { perSecond, endpoints, workers, minutes }: SocketWorld): SocketResult {
  const cumulated = zipf(endpoints);
  const manners = Array.from({ length: endpoints }, () => mannerOf(random));
  /** When each slot of each endpoint is free again, and what is known of silent endpoints. */
  const free = manners.map((manner) => new Float64Array(workers * placesOf(manner)));
  const failures = new Uint32Array(endpoints);
  const probeAt = new Float64Array(endpoints);
  const waits: (readonly [endpoint: number, waitMs: number])[] = [];
  const loadMs = new Float64Array(endpoints);
  const changes: (readonly [at: number, by: number])[] = [];
  let [served, busyMs] = [0, 0];
  const untilMs = minutes * 60_000;
  for (let now = 0; now < untilMs; now += random.exponential(1_000 / perSecond)) {
    const endpoint = chosen(cumulated, random.next());
    const manner = manners[endpoint] ?? MANNERS[0];
    if (manner.name === 'silent' && (failures[endpoint] ?? 0) >= FAILURES_UNTIL_HELD_BACK) {
      if (now < (probeAt[endpoint] ?? 0)) continue;
      probeAt[endpoint] = now + PROBE_EVERY_MS;
    }
    const own = free[endpoint] ?? new Float64Array(1);
    const place = soonest(own);
    const startedAt = Math.max(now, own[place] ?? 0);
    const lastsMs = Math.min(TIMEOUT_MS, random.logNormal(manner.medianMs, manner.sigma));
    own[place] = startedAt + lastsMs;
    changes.push([startedAt, 1], [startedAt + lastsMs, -1]);
    if (lastsMs >= TIMEOUT_MS) failures[endpoint] = (failures[endpoint] ?? 0) + 1;
    // Waiting that a silent endpoint causes for itself does not count against the service.
    if (manner.name !== 'silent') {
      waits.push([endpoint, startedAt - now]);
      loadMs[endpoint] = (loadMs[endpoint] ?? 0) + lastsMs;
    }
    served += 1;
    busyMs += lastsMs;
  }
  const isOverloaded = (endpoint: number) => (loadMs[endpoint] ?? 0) > (free[endpoint]?.length ?? 0) * untilMs;
  const others = waits.flatMap(([endpoint, waitMs]) => (isOverloaded(endpoint) ? [] : [waitMs])).sort((a, b) => a - b);
  return {
    overloaded: loadMs.reduce((count, _, endpoint) => count + (isOverloaded(endpoint) ? 1 : 0), 0),
    overloadedShare: 1 - others.length / waits.length,
    little: ((served / untilMs) * busyMs) / served,
    ...overTime(changes, untilMs),
    waitP99Ms: quantileOf(others, 0.99),
    waitP999Ms: quantileOf(others, 0.999),
  };
}

function placesOf({ medianMs, sigma }: (typeof MANNERS)[number]): number {
  const meanMs = medianMs * Math.exp(sigma ** 2 / 2);
  return Math.min(Math.max(Math.floor(PLACE_TIME_MS / meanMs), FEWEST), MOST);
}

/** Open sockets, weighted by time. */
function overTime(changes: (readonly [number, number])[], untilMs: number): Pick<SocketResult, 'p50' | 'p99' | 'most'> {
  changes.sort((a, b) => a[0] - b[0]);
  const durations = new Map<number, number>();
  let [open, since, most] = [0, 0, 0];
  for (const [at, by] of changes) {
    if (at > untilMs) break;
    durations.set(open, (durations.get(open) ?? 0) + at - since);
    open += by;
    since = at;
    most = Math.max(most, open);
  }
  const sorted = [...durations].sort((a, b) => a[0] - b[0]);
  const total = sorted.reduce((sum, [, ms]) => sum + ms, 0);
  const at = (fraction: number) => {
    let passed = 0;
    for (const [count, ms] of sorted) {
      passed += ms;
      if (passed >= fraction * total) return count;
    }
    return most;
  };
  return { p50: at(0.5), p99: at(0.99), most };
}

/**
 * The worker: one queue in order of arrival with a fixed service rate. The burst refills its slots
 * as they become free.
 */
function runBurst(
  random: Random,
  { burst, perSecond, others, places }: { burst: number; perSecond: number; others: number; places: number },
): { overMs: number; waitP50Ms: number; waitP99Ms: number } {
  const serviceMs = 1_000 / perSecond;
  const waits: number[] = [];
  let [freeAt, unpublished, inProgress, overMs] = [0, burst, 0, 0];
  /** Completion times of the burst's events, in order. */
  let done: number[] = [];
  let read = 0;
  const publish = (now: number) => {
    while (read < done.length && (done[read] ?? 0) <= now) {
      read += 1;
      inProgress -= 1;
    }
    if (read > 10_000) {
      done = done.slice(read);
      read = 0;
    }
    while (unpublished > 0 && inProgress < places) {
      unpublished -= 1;
      inProgress += 1;
      freeAt = Math.max(freeAt, now) + serviceMs;
      done.push(freeAt);
      overMs = freeAt;
    }
  };
  for (let now = 0; unpublished > 0 || now < overMs; now += random.exponential(1_000 / others)) {
    publish(now);
    freeAt = Math.max(freeAt, now) + serviceMs;
    waits.push(freeAt - now);
  }
  waits.sort((a, b) => a - b);
  return { overMs, waitP50Ms: quantileOf(waits, 0.5), waitP99Ms: quantileOf(waits, 0.99) };
}

function zipf(count: number): Float64Array {
  const cumulated = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1);
    cumulated[rank] = sum;
  }
  return cumulated.map((each) => each / sum);
}

function chosen(cumulated: Float64Array, at: number): number {
  let [low, high] = [0, cumulated.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulated[middle] ?? 1) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function mannerOf(random: Random): (typeof MANNERS)[number] {
  let at = random.next();
  for (const manner of MANNERS) {
    if (at < manner.share) return manner;
    at -= manner.share;
  }
  return MANNERS[0];
}

function soonest(free: Float64Array): number {
  let best = 0;
  for (let place = 1; place < free.length; place += 1) if ((free[place] ?? 0) < (free[best] ?? 0)) best = place;
  return best;
}

function quantileOf(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

function show(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
