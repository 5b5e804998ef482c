import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { createRateTable, type RateTable, type SourceStatus, withFallback } from './rate-table.ts';
import { createRateRefresher } from './refresh.ts';
import type { RateSource } from './source.ts';
import { createSampleSource } from './sources/sample.ts';

export interface Rates {
  /**
   * The rates for payments of live or test keys. Test keys get the live rate where there is one, and a sample
   * where there is none. Live payments never see a sample: without a source they have no rates.
   */
  forMode(mode: 'live' | 'test'): RateTable;
  /** How each live source is doing. */
  status(): readonly SourceStatus[];
  /** Resolves once every source was asked for the first time; failures are logged and do not stop the start. */
  start(): Promise<void>;
  stop(): void;
}

export interface RatesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds on a clock that never jumps, by which rates age. */
  readonly monotonicMs?: () => number;
  /** The sources of live rates; empty when live payments are not offered. */
  readonly sources: readonly RateSource[];
}

export function createRates({ clock, monotonicMs, log, sources }: RatesDeps): Rates {
  const clocks = monotonicMs === undefined ? { clock } : { clock, monotonicMs };
  const live = createRateTable(clocks);
  const samples = createRateTable(clocks);
  const refreshers = [
    createRateRefresher({ sources, table: live, log }),
    createRateRefresher({ sources: [createSampleSource()], table: samples, log }),
  ];
  const tables = { live, test: withFallback(live, samples) };
  return {
    forMode: (mode) => tables[mode],
    status: live.status,
    start: async () => void (await Promise.all(refreshers.map((refresher) => refresher.start()))),
    stop() {
      for (const refresher of refreshers) refresher.stop();
    },
  };
}
