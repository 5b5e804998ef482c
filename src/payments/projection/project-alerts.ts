import type { Transaction } from 'kysely';
import type { TransactionEffects } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { storeAlerts } from '../operator-alerts.ts';
import type { TransactionStep } from './transaction-step.ts';

/** Stores the alerts that the steps raise. */
export async function projectAlerts(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  const alerts = steps.flatMap(({ actorId, effects, context: { mode } }) =>
    effects
      .filter((effect) => effect.type === 'alertOperator')
      .map((effect) => ({ actorId, mode, ...(effect.params as TransactionEffects['alertOperator']) })),
  );
  await storeAlerts(trx, alerts);
}
