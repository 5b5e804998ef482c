import type { Kysely, Transaction } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { dueAt, type Evidence, hasSucceededSince, isBorneOut } from './decide.ts';
import { readEvidence } from './evidence.ts';
import { disable, type EndpointCheck, notifyRecovered, warn } from './execute.ts';
import { findDueEndpoints, lockCheckedEndpoint } from './locked-endpoint.ts';

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

// Helpers

/**
 * Carries out what is due for one endpoint, in one transaction under its row lock. The emails and
 * the endpoint row are committed together, so several workers notify once. Skips an endpoint that
 * is locked; the next check finds it.
 */
async function checkEndpoint({ db, clock }: { db: Kysely<Database>; clock: Clock }, endpointId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const endpoint = await lockCheckedEndpoint(trx, endpointId);
    if (endpoint === null) return;
    const now = clock.now();
    const due = dueAt(endpoint, now);
    if (due.kind === 'nothing') return;
    const evidence = await readEvidence(trx, endpoint.id, due.since);
    const check: EndpointCheck = { trx, endpoint, since: due.since, now };
    if (!isBorneOut(due, evidence, now)) {
      if (due.kind !== 'notify_recovered' && hasSucceededSince(due.since, evidence))
        await correctFailingSince(trx, endpointId, evidence);
    } else if (due.kind === 'warn') await warn(check, due.warning);
    else if (due.kind === 'disable') await disable(check, 'failing');
    else if (due.kind === 'disable_gone') await disable(check, 'gone');
    else await notifyRecovered(check, evidence.lastSuccessAt ?? now);
  });
}

/**
 * Corrects `failing_since` when the attempt log has a success that the row does not: two concurrent
 * commits missed each other, or the delivery had already been abandoned.
 */
async function correctFailingSince(
  trx: Transaction<Database>,
  endpointId: string,
  { firstFailureAt }: Evidence,
): Promise<void> {
  await trx
    .updateTable('webhook_endpoint')
    .set({ failing_since: firstFailureAt === null ? null : new Date(firstFailureAt), notices_sent: 0, gone_at: null })
    .where('id', '=', endpointId)
    .execute();
}
