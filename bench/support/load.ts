import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { median, quantile } from './measure.ts';

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
      const answer = await pool.request({ path, method, headers: own, body: body ?? null });
      if (answer.statusCode !== status) {
        throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${await answer.body.text()}`);
      }
      await answer.body.dump();
      times.push(performance.now() - sentAt);
    }
  });
  await Promise.all(loops);
  const elapsedSeconds = (performance.now() - start) / 1_000;
  await pool.close();
  times.sort((a, b) => a - b);
  return { perSecond: times.length / elapsedSeconds, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

/** The median of several rounds, figure by figure. */
export function middle(rounds: readonly Load[]): Load {
  const of = (pick: (round: Load) => number) => median(rounds.map(pick));
  return {
    perSecond: of((round) => round.perSecond),
    p50Ms: of((round) => round.p50Ms),
    p99Ms: of((round) => round.p99Ms),
  };
}
