import { messageOf, RetryableError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { LATE, within } from '../platform/within.ts';
import { parsePositiveDecimal } from './decimal.ts';
import type { WritableRateTable } from './rate-table.ts';
import type { Quotes, RateSource } from './source.ts';

/** Polls sources and updates a rate table. */
export interface SourcePoller {
  /** Polls every source once, then each at its own interval. Resolves after the first round. */
  start(): Promise<void>;
  /** Polls every source once. Never rejects: failures are logged and recorded in the table. */
  pollOnce(): Promise<void>;
  stop(): void;
}

export interface SourcePollerDeps {
  readonly sources: readonly RateSource[];
  readonly table: WritableRateTable;
  readonly log: Log;
  readonly timeoutMs?: number;
}

/** A source that takes longer counts as failed. */
const SOURCE_TIMEOUT_MS = 5_000;

/** Sources are polled in parallel, so that a slow one does not delay the others. */
export function createSourcePoller(deps: SourcePollerDeps): SourcePoller {
  const { sources, table, log, timeoutMs = SOURCE_TIMEOUT_MS } = deps;
  const timers = new Map<RateSource, NodeJS.Timeout>();
  const stopping = new AbortController();

  async function poll(source: RateSource): Promise<void> {
    try {
      const quotes = await within({ ms: timeoutMs, signal: stopping.signal }, (signal) => source.fetch(signal));
      if (quotes === LATE) {
        throw new RetryableError('RATE_SOURCE_TIMEOUT', `${source.name} did not respond within ${timeoutMs} ms`);
      }
      requireDecimals(source.name, quotes);
      table.accept(source.name, quotes, source.kind, source.publishedAt?.() ?? null);
    } catch (error) {
      if (stopping.signal.aborted) return;
      table.fail(source.name, messageOf(error));
      log.warn(
        { err: error, source: source.name },
        'a rate source returned no rates; its last ones are used until they are too old',
      );
    }
  }

  async function pollRepeatedly(source: RateSource): Promise<void> {
    await poll(source);
    if (stopping.signal.aborted) return;
    // The timer must not keep a finished process alive.
    timers.set(source, setTimeout(() => void pollRepeatedly(source), source.pollEveryMs).unref());
  }

  return {
    start: async () => void (await Promise.all(sources.map(pollRepeatedly))),
    pollOnce: async () => void (await Promise.all(sources.map(poll))),
    stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

// Helpers

function requireDecimals(source: string, quotes: Quotes): void {
  for (const [symbol, usd] of Object.entries(quotes)) parsePositiveDecimal(usd, `the ${symbol} rate of ${source}`);
}
