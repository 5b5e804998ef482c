import type { Observation, ObservationSink, OutputStatus } from './port.ts';

/** Receives watcher metrics. Called synchronously by watchers: must be fast and must not throw. */
export interface WatchObserver {
  /** A poll has ended. `blocks` is the number of blocks by which the cursor advanced. */
  polled(poll: { network: string; hasFailed: boolean; durationMs: number; blocks: number }): void;
  /** The sink accepted an observation. */
  observed(finding: Pick<Observation, 'network'> & { status: OutputStatus['kind'] }): void;
}

/** Wraps `sink` so that `observer` is called for each observation the sink has accepted. */
export function observedSink(sink: ObservationSink, observer: WatchObserver | undefined): ObservationSink {
  if (observer === undefined) return sink;
  return async (observations, options) => {
    await sink(observations, options);
    for (const { network, status } of observations) observer.observed({ network, status: status.kind });
  };
}
