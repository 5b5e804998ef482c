import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { BusObserver } from '../../bus/index.ts';
import type { RelayObserver } from '../../engine/index.ts';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Messages published from the outbox. */
export function relayInstruments(registry: Registry): RelayObserver {
  const published = new Histogram({
    name: 'quittance_outbox_publish_duration_seconds',
    help: 'Time until the bus has taken a message of the outbox, or not; without NATS, until its handler has settled it.',
    labelNames: ['queue', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return {
    published: ({ queue, outcome, durationMs }) => published.observe({ queue, outcome }, durationMs / 1_000),
  };
}

/** Messages delivered by the bus. */
export function busInstruments(registry: Registry): BusObserver {
  const handed = new Histogram({
    name: 'quittance_bus_handling_duration_seconds',
    help: 'Time a handler has taken for a message. again: it comes later; failed: unexpectedly; refused: it becomes a dead letter.',
    labelNames: ['queue', 'outcome'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const buried = new Counter({
    name: 'quittance_bus_dead_letters_total',
    help: 'Messages this process has set aside as dead letters.',
    labelNames: ['queue'],
    registers: [registry],
  });
  return {
    handedOut: ({ queue, outcome, durationMs }) => handed.observe({ queue, outcome }, durationMs / 1_000),
    buried: (queue) => buried.inc({ queue }),
  };
}

/** Whether the bus answers, checked at every scrape. */
export function busState(registry: Registry, answers: () => Promise<boolean>): void {
  new Gauge({
    name: 'quittance_bus_up',
    help: '1 when NATS answers; the bus inside the process always does.',
    registers: [registry],
    async collect() {
      this.set((await answers()) ? 1 : 0);
    },
  });
}
