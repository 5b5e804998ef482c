import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { EngineLoad, EngineObserver, ObservedBatch } from '../../platform/engine/index.ts';
import { RetryableError } from '../../platform/errors.ts';

/** Metrics of the engine: number of commands, size and duration of batches. */
export function engineInstruments(registry: Registry): EngineObserver {
  const registers = [registry];
  const commands = new Counter({
    name: 'quittance_engine_commands_total',
    help: 'Commands the engine has settled, by type and result. put_off: retry with the same id; rejected: a retry cannot succeed.',
    labelNames: ['command', 'outcome'],
    registers,
  });
  const steps = new Counter({
    name: 'quittance_engine_steps_total',
    help: 'Journal entries this process has committed, by kind of actor and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const sizes = new Histogram({
    name: 'quittance_engine_batch_commands',
    help: 'Commands in one batch; at most 512.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 350, 511],
    registers,
  });
  const durations = new Histogram({
    name: 'quittance_engine_batch_duration_seconds',
    help: 'Time from the first statement of a batch to its commit, including repetitions.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const repetitions = new Counter({
    name: 'quittance_engine_batch_repetitions_total',
    help: 'Batches that were repeated: after a conflict with another transaction, or in halves to find a bad command.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['conflict', 'transient', 'halved']) repetitions.inc({ reason }, 0);
  for (const command of ['event', 'start']) commands.inc({ command, outcome: 'put_off' }, 0);

  return {
    batchEnded(batch) {
      sizes.observe(batch.commands.length);
      durations.observe(batch.durationMs / 1_000);
      const outcomes = batch.commands.map(({ type: command }, index) => {
        return { command, outcome: outcomeOf(batch.results[index]) };
      });
      countEach(commands, outcomes);
      countEach(
        steps,
        batch.steps.map(({ kind, step }) => ({ kind: kind.name, outcome: step.outcome })),
      );
    },
    batchRepeated: (reason) => repetitions.inc({ reason }),
  };
}

/** Current load of the engine, read at each scrape. */
export function engineLoad(registry: Registry, load: () => EngineLoad): void {
  new Gauge({
    name: 'quittance_engine_waiting_commands',
    help: 'Commands waiting for a batch, at most 20,000; further callers must retry later.',
    registers: [registry],
    collect() {
      this.set(load().waiting);
    },
  });
}

// Helpers

function outcomeOf(result: ObservedBatch['results'][number] | undefined): string {
  if (result === undefined) return 'rejected';
  if ('rejection' in result) return result.rejection instanceof RetryableError ? 'put_off' : 'rejected';
  return result.outcome.outcome;
}

/**
 * One increment per combination, not per item: a batch has hundreds of items but few combinations.
 */
function countEach<L extends string>(counter: Counter<L>, items: readonly Readonly<Record<L, string>>[]): void {
  const counts = new Map<string, { labels: Readonly<Record<L, string>>; count: number }>();
  for (const labels of items) {
    const key = Object.values(labels).join(' ');
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { labels, count: 1 });
    else known.count += 1;
  }
  for (const { labels, count } of counts.values()) counter.inc({ ...labels }, count);
}
