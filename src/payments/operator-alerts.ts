import type { BusHandler } from '../bus/index.ts';
import type { Log } from '../log.ts';

/** Makes an alert heard where operators listen. Its row was written in the commit that raised it. */
export function createOperatorAlertHandler({ log }: { log: Log }): BusHandler {
  return async ({ data }) => {
    log.error({ alert: data }, 'operator alert');
  };
}
