import { Counter, Histogram, type Registry } from 'prom-client';
import type { TimerObserver } from '../../engine/index.ts';

/** Timers that became due. */
export function timerInstruments(registry: Registry): TimerObserver {
  const registers = [registry];
  const taken = new Counter({
    name: 'quittance_timers_taken_total',
    help: 'Due timers this process has sent on, repetitions included, by what they waited for.',
    labelNames: ['waits_for'],
    registers,
  });
  const lateness = new Histogram({
    name: 'quittance_timer_lateness_seconds',
    help: 'How long after its time a timer was sent on. Those that wait for a chain are also as late as its watcher.',
    labelNames: ['waits_for'],
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600],
    registers,
  });
  const failures = new Counter({
    name: 'quittance_timer_publish_failures_total',
    help: 'Due timers that the bus did not take; they come again.',
    registers,
  });
  for (const waits_for of ['clock', 'chain']) taken.inc({ waits_for }, 0);

  return {
    taken({ waitsFor, lateMs }) {
      taken.inc({ waits_for: waitsFor });
      if (lateMs !== null) lateness.observe({ waits_for: waitsFor }, lateMs / 1_000);
    },
    publishFailed: () => failures.inc(),
  };
}
