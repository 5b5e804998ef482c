import type { Transaction } from 'kysely';
import type { TransactionContext } from '../../../machines/index.ts';
import type { Observation } from '../../chains/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import { observationOf } from '../watching/chain-events.ts';
import { findWatchKeys } from '../watching/request-verification.ts';
import { recordUnassigned } from './unassigned-payments.ts';

/**
 * Records coins whose events were in transit when the monitoring of their payment ended, in the
 * commit that finds it closed: it no longer accepts events, and the sink had found it open.
 */
export async function recordMissedCoins(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  publicUrl: string,
): Promise<void> {
  const missed = steps.filter((step) => step.event.type.startsWith('chain.output_') && !isOutdated(step));
  if (missed.length === 0) return;
  const ids = [...new Set(missed.map(({ actorId }) => actorId))];
  const watchKeys = await findWatchKeys(trx, ids);
  const observations = missed.flatMap(({ actorId, event, context }): Observation[] => {
    const watchKey = watchKeys.get(actorId);
    if (watchKey === undefined) return [];
    return [{ ...observationOf(event), watchKey, network: context.network, asset: context.crypto }];
  });
  await recordUnassigned(trx, observations, { publicUrl });
}

// Helpers

/** Whether the payment already had a newer report of the same output. */
function isOutdated({ event, context }: { event: TransactionStep['event']; context: TransactionContext }): boolean {
  return context.outputs.some(({ outputId, order }) => outputId === event.outputId && order >= Number(event.order));
}
