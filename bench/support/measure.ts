import { performance } from 'node:perf_hooks';

interface Callers {
  readonly callers: number;
  readonly durationMs: number;
}

type Turn = (caller: number) => Promise<number>;

/** As `runCallers`, but returns work per second. */
export async function throughput(load: Callers, turn: Turn): Promise<number> {
  const start = performance.now();
  const done = await runCallers(load, turn);
  return done / ((performance.now() - start) / 1_000);
}

/**
 * Runs `callers` concurrent loops for `durationMs`; each iteration returns how much it did. Returns
 * the sum.
 */
export async function runCallers({ callers, durationMs }: Callers, turn: Turn): Promise<number> {
  const until = performance.now() + durationMs;
  const done = await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      let count = 0;
      while (performance.now() < until) count += await turn(caller);
      return count;
    }),
  );
  return done.reduce((sum, count) => sum + count, 0);
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Times `count` runs, one after another. */
export async function latency(count: number, run: () => Promise<unknown>): Promise<Latency> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

/** The median of several runs, so that one disturbed run on a shared machine does not decide. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function quantile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}
