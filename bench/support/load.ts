import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { type Meter, medians, type RoundFigures } from './costs.ts';
import { median, quantile } from './measure.ts';
import type { RoundRequest } from './rounds.ts';

/** A server under load, and its requests. */
export interface Target {
  readonly url: string;
  /** The next request. Any other response status fails the bench. */
  next(): {
    readonly path: string;
    readonly method: 'GET' | 'POST';
    readonly body?: string;
    /** Replaces the common headers. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Keeps `connections` requests in flight for the given time, each on its own open connection. */
export async function fire(
  { url, next, headers, status }: Target,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Load> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const times: number[] = [];
  const start = performance.now();
  const until = start + seconds * 1_000;
  const loops = Array.from({ length: connections }, async () => {
    while (performance.now() < until) {
      const { path, method, body, headers: own = headers } = next();
      const sentAt = performance.now();
      const response = await pool.request({ path, method, headers: own, body: body ?? null });
      if (response.statusCode !== status) {
        throw new Error(`${method} ${path} returned ${response.statusCode}: ${await response.body.text()}`);
      }
      await response.body.dump();
      times.push(performance.now() - sentAt);
    }
  });
  await Promise.all(loops);
  const elapsedSeconds = (performance.now() - start) / 1_000;
  await pool.close();
  times.sort((a, b) => a - b);
  const requests = times.length;
  return {
    requests,
    perSecond: requests / elapsedSeconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** A load and what each of its requests cost. */
export type MeasuredLoad = Load & RoundFigures;

export async function fireMeasured(
  meter: Meter,
  target: Target,
  { callers, durationMs, countRows }: RoundRequest,
): Promise<MeasuredLoad> {
  const loads: Load[] = [];
  const work = async () => {
    const load = await fire(target, { connections: callers, seconds: durationMs / 1_000 });
    loads.push(load);
    return load.requests;
  };
  const figures = await meter(work, { countRows });
  return { ...(loads[0] as Load), ...figures };
}

/** The median of several rounds, figure by figure. */
export function middle(rounds: readonly MeasuredLoad[]): MeasuredLoad {
  const of = (pick: (round: Load) => number) => median(rounds.map(pick));
  const times = { p50Ms: of((round) => round.p50Ms), p99Ms: of((round) => round.p99Ms) };
  return { ...medians(rounds), ...times, requests: of((round) => round.requests) };
}
