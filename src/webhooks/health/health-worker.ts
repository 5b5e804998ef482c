import type { Kysely } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { findDueEndpoints } from './locked-endpoint.ts';

export interface HealthDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
}

const CHECK_EVERY_MS = MINUTE_MS;
const PAGE_ROWS = 100;

/**
 * Checks every minute for endpoints whose merchant must be notified. Any number of processes may
 * run one.
 */
export function createHealthWorker({
  checkEveryMs = CHECK_EVERY_MS,
  ...deps
}: HealthDeps & { checkEveryMs?: number }): PollLoop {
  return createPollLoop({
    work: (stopping) => checkEndpoints(deps, stopping),
    everyMs: checkEveryMs,
    onFailure: (error) =>
      deps.log.error({ reason: messageOf(error) }, 'the health of endpoints cannot be checked; retrying'),
  });
}

/** Checks all endpoints once. An endpoint whose check fails does not block the others. */
export async function checkEndpoints(deps: HealthDeps, stopping?: AbortSignal): Promise<void> {
  for (let after = '', full = true; full; ) {
    const ids = await findDueEndpoints(deps.db, { now: deps.clock.now(), after, limit: PAGE_ROWS });
    for (const endpointId of ids) {
      if (stopping?.aborted === true) return;
      try {
        await checkEndpoint(deps, endpointId);
      } catch (error) {
        deps.log.warn({ endpointId, reason: messageOf(error) }, 'the health of an endpoint could not be checked');
      }
    }
    after = ids.at(-1) ?? '';
    full = ids.length === PAGE_ROWS;
  }
}
