import { sql, type Transaction } from 'kysely';
import type { TransactionEffects } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import { deleteWatermarks } from '../engine/index.ts';
import { simulatedGate } from './network-gates.ts';
import type { TransactionStep } from './transaction-step.ts';

/** An alarm is a row before it is a log line: nobody can miss it by not looking at the moment. */
export async function projectAlerts(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  const alerts = steps.flatMap(({ actorId, effects }) =>
    effects
      .filter((effect) => effect.type === 'alertOperator')
      .map((effect) => ({ actor_id: actorId, ...(effect.params as TransactionEffects['alertOperator']) })),
  );
  if (alerts.length > 0) await trx.insertInto('operator_alert').values(alerts).execute();
}

/**
 * Monitoring has ended: the address stays taken for ever but nothing waits for it any more, and a
 * chain simulated for it alone goes.
 */
export async function releaseAddresses(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  const released = steps
    .filter(({ effects }) => effects.some((effect) => effect.type === 'stopWatching'))
    .map((step) => step.actorId);
  if (released.length === 0) return;
  await sql`update address set released_at = now() where transaction_id = any(${released}::text[])`.execute(trx);
  await deleteWatermarks(trx, released.map(simulatedGate));
}
