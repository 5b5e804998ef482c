import type { Mode } from '../../machines/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createSourcePoller } from './poll-sources.ts';
import { createRateTable, type RateTable, type SourceStatus, withFallback } from './rate-table.ts';
import type { RateSource } from './source.ts';
import { createSampleSource } from './sources/sample.ts';

export interface Rates {
  /**
   * The rates for payments with live or test keys. Test keys use the live rate if there is one,
   * else a sample rate. Live payments never use sample rates: without a source they have none.
   */
  forMode(mode: Mode): RateTable;
  status(): readonly SourceStatus[];
  /** Resolves after the first poll of every source; failures are logged and do not reject. */
  start(): Promise<void>;
  stop(): void;
}

export interface RatesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Monotonic clock in milliseconds, for the age of rates. */
  readonly monotonicMs?: () => number;
  /** The sources of live rates; empty when there are no live payments. */
  readonly sources: readonly RateSource[];
}

export function createRates({ clock, monotonicMs, log, sources }: RatesDeps): Rates {
  const clocks = monotonicMs === undefined ? { clock } : { clock, monotonicMs };
  const live = createRateTable(clocks);
  const samples = createRateTable(clocks);
  const pollers = [
    createSourcePoller({ sources, table: live, log }),
    createSourcePoller({ sources: [createSampleSource()], table: samples, log }),
  ];
  const tables = { live, test: withFallback(live, samples) };
  return {
    forMode: (mode) => tables[mode],
    status: live.status,
    start: async () => void (await Promise.all(pollers.map((poller) => poller.start()))),
    stop() {
      for (const poller of pollers) poller.stop();
    },
  };
}
