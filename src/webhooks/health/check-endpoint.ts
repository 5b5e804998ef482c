import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { dueAt, type Evidence, hasSucceededSince, isBorneOut } from './decide.ts';
import { readEvidence } from './evidence.ts';
import { type Check, disable, notifyRecovered, warn } from './execute.ts';
import { lockEndpointHealth } from './locked-endpoint.ts';

/**
 * Carries out what is due for one endpoint, in one transaction under its row lock. The emails and
 * the endpoint row are committed together, so several workers notify once. Skips an endpoint that
 * is locked; the next check finds it.
 */
export async function checkEndpoint(
  { db, clock }: { db: Kysely<Database>; clock: Clock },
  endpointId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const endpoint = await lockEndpointHealth(trx, endpointId);
    if (endpoint === null) return;
    const now = clock.now();
    const due = dueAt(endpoint, now);
    if (due.kind === 'nothing') return;
    const evidence = await readEvidence(trx, endpoint.id, due.since);
    const check: Check = { trx, endpoint, since: due.since, now };
    if (!isBorneOut(due, evidence, now)) {
      if (due.kind !== 'notify_recovered' && hasSucceededSince(due.since, evidence))
        await correctFailingSince(trx, endpointId, evidence);
    } else if (due.kind === 'warn') await warn(check, due.warning);
    else if (due.kind === 'disable') await disable(check, 'failing');
    else if (due.kind === 'disable_gone') await disable(check, 'gone');
    else await notifyRecovered(check, evidence.lastSuccessAt ?? now);
  });
}

// Helpers

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
