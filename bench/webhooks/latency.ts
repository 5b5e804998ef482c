import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../support/measure.ts';
import type { Shop, WebhookInstallation } from './installation.ts';
import type { Raised } from './worker.ts';

/** Milliseconds from the commit of an event to its arrival at the endpoint. */
export interface ArrivalTimes {
  readonly events: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const TICK_MS = 50;
const EVENTS_PER_TICK = 10;
const POLL_MS = 50;
/** Later arrivals are not waited for. */
const TIMEOUT_MS = 60_000;

/**
 * Commits ten events every 50 ms for shops whose path is `/taking/timed/…`, in turn, whether or not
 * the previous ones have arrived, and one more for `other`, which is not measured.
 */
export async function measureArrivals(
  { receiver, worker }: WebhookInstallation,
  { shops, other, seconds }: { shops: readonly Shop[]; other: Shop; seconds: number },
): Promise<number[]> {
  await receiver.report();
  const raising: Promise<Raised>[] = [];
  const start = performance.now();
  for (let tick = 0; tick * TICK_MS < seconds * 1_000; tick += 1) {
    await sleep(Math.max(0, start + tick * TICK_MS - performance.now()));
    const some = Array.from({ length: EVENTS_PER_TICK }, (_, index) => {
      return shops[(tick * EVENTS_PER_TICK + index) % shops.length] as Shop;
    });
    raising.push(worker.raise([...some, other]));
  }
  const committedAt = new Map<string, number>();
  for (const raised of await Promise.all(raising)) {
    for (const id of raised.webhookEventIds.slice(0, EVENTS_PER_TICK)) committedAt.set(id, raised.committedAt);
  }
  const times: number[] = [];
  for (const until = performance.now() + TIMEOUT_MS; times.length < committedAt.size; await sleep(POLL_MS)) {
    if (performance.now() > until) throw new Error(`only ${times.length} of ${committedAt.size} events have arrived`);
    for (const [id, at] of (await receiver.report()).arrivals) {
      const since = committedAt.get(id);
      if (since !== undefined) times.push(at - since);
    }
  }
  return times;
}

export function summarize(times: readonly number[]): ArrivalTimes {
  const sorted = [...times].sort((a, b) => a - b);
  return { events: sorted.length, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}
