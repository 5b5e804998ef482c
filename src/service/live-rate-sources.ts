import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import { TerminalError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { createFixedSource, createRatesAgent, publicRateSources, type RateSource } from '../rates/index.ts';

/** The sources of live rates, and their connections. */
export interface LiveRateSources {
  readonly sources: readonly RateSource[];
  /** To be called after the last use of the sources. */
  close(): Promise<void>;
}

/**
 * The operator's own rates together with the public sources. Only the role that quotes uses public
 * sources; a worker has no use for them. Throws a `TerminalError` that names the setting when the
 * selection cannot work.
 */
export function liveRateSources({
  config,
  clock,
  log,
}: {
  readonly config: Pick<Config, 'fixedRates' | 'rateSources' | 'roles'>;
  readonly clock: Clock;
  readonly log: Log;
}): LiveRateSources {
  const own = config.fixedRates === null ? [] : [createFixedSource(config.fixedRates)];
  const names = config.roles.includes('api') ? config.rateSources : [];
  if (names.length === 0) return { sources: own, close: async () => {} };
  const agent = createRatesAgent();
  try {
    const strangers = publicRateSources({ clock, log, agent, names });
    return { sources: [...own, ...strangers], close: () => agent.close() };
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    throw new TerminalError(error.code, `RATES_SOURCES: ${error.message}`);
  }
}
