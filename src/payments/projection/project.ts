import { sql, type Transaction } from 'kysely';
import type { TransactionEffects } from '../../../machines/index.ts';
import { type Database, settleAll, unnestRows } from '../../platform/db/index.ts';
import { deleteWatermarks } from '../../platform/engine/index.ts';
import { projectAttention } from '../attention/raise-and-close-items.ts';
import { notifyCompleted } from '../notices/notify-completed.ts';
import { storeAlerts } from '../operator-alerts.ts';
import { simulatedGate } from '../watching/gate-names.ts';
import type { TransactionAttachment } from './attachment.ts';
import { type CompletionHook, runCompletionHooks } from './completions.ts';
import { projectDecisions } from './decisions.ts';
import { insertMetadataValues } from './metadata-values.ts';
import { projectPayments } from './payments.ts';
import { insertTransactions, termsOf, updateTransactions } from './transaction-rows.ts';
import type { TransactionStep } from './transaction-step.ts';

/** Writes the rows that the interface shows in the commit of their actors, so that they agree. */
export async function projectTransactions(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  { publicUrl, onCompleted = [] }: { publicUrl: string; onCompleted?: readonly CompletionHook[] },
): Promise<void> {
  const started = steps.filter((step) => step.outcome === 'started');
  const startedIds = new Set(started.map((step) => step.actorId));
  const last = lastStepOfEach(steps);
  await settleAll([
    // A transaction that changes in the batch that starts it is inserted in its final state.
    insertTransactions(
      trx,
      started.map((step) => ({ start: step, now: last.get(step.actorId) ?? step })),
    ),
    projectMetadata(trx, started),
    updateTransactions(
      trx,
      [...last.values()].filter((step) => !startedIds.has(step.actorId)),
    ),
    projectPayments(trx, [...last.values()]),
    projectAlerts(trx, steps),
    projectAttention(trx, steps, publicUrl),
    projectDecisions(trx, steps),
    releaseAddresses(trx, [...last.values()]),
    completePayments(trx, steps, { publicUrl, onCompleted }),
    ...started.map((step) => runOnStarted(trx, step)),
  ]);
}

// Helpers

/** In sequence, like the hooks themselves: the notices lock merchants too. */
async function completePayments(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  { publicUrl, onCompleted }: { publicUrl: string; onCompleted: readonly CompletionHook[] },
): Promise<void> {
  await runCompletionHooks(trx, steps, onCompleted);
  await notifyCompleted(trx, steps, publicUrl);
}

async function runOnStarted(trx: Transaction<Database>, { actorId, attachment }: TransactionStep): Promise<void> {
  await (attachment as TransactionAttachment).onStarted?.(trx, actorId);
}

function lastStepOfEach(steps: readonly TransactionStep[]): Map<string, TransactionStep> {
  return new Map(steps.map((step) => [step.actorId, step]));
}

async function projectMetadata(trx: Transaction<Database>, started: readonly TransactionStep[]): Promise<void> {
  const rows = started.flatMap((step) => {
    const { merchant_id, mode, metadata } = termsOf(step);
    return metadata === null ? [] : [{ id: step.actorId, merchant_id, mode, metadata: JSON.stringify(metadata) }];
  });
  if (rows.length === 0) return;
  const columns = { text: ['id', 'merchant_id', 'mode'], jsonb: ['metadata'] } as const;
  await insertMetadataValues(trx, sql`(select * from ${unnestRows('started', columns, rows)})`);
}

/** Stores the alerts that the steps raise. */
async function projectAlerts(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  const alerts = steps.flatMap(({ actorId, effects, context: { mode } }) =>
    effects
      .filter((effect) => effect.type === 'alertOperator')
      .map((effect) => ({ actorId, mode, ...(effect.params as TransactionEffects['alertOperator']) })),
  );
  await storeAlerts(trx, alerts);
}

/**
 * Monitoring has ended: releases the address, which is never reused but no longer waited for, and
 * deletes the chain simulated for it.
 */
async function releaseAddresses(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  const released = steps.filter(({ effects }) => effects.some((effect) => effect.type === 'stopWatching'));
  if (released.length === 0) return;
  const mine = released.map(({ context: { network, depositAddress: address } }) => ({ network, address }));
  await sql`
    update address set released_at = now()
    from ${unnestRows('mine', { text: ['network', 'address'] }, mine)}
    where address.network = mine.network and address.address = mine.address`.execute(trx);
  await deleteWatermarks(
    trx,
    released.map(({ actorId }) => simulatedGate(actorId)),
  );
}
