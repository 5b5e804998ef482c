import type { Observation, ObservationSink, Standing } from './port.ts';

/** Told how watchers fare. Called in the middle of their work: quick, and it must not throw. */
export interface WatchObserver {
  /** A look is over. `blocks` is how far the cursor has moved forward by it. */
  looked(look: { network: string; hasFailed: boolean; durationMs: number; blocks: number }): void;
  /** Findings that were accepted. */
  observed(finding: Pick<Observation, 'network'> & { standing: Standing['kind'] }): void;
}

/** The same sink, which tells of what it has accepted. */
export function observedSink(sink: ObservationSink, observer: WatchObserver | undefined): ObservationSink {
  if (observer === undefined) return sink;
  return async (observations, telling) => {
    await sink(observations, telling);
    for (const { network, standing } of observations) observer.observed({ network, standing: standing.kind });
  };
}
