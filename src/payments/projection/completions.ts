import type { Transaction } from 'kysely';
import type { MerchantNotification, Mode, TransactionType, UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { isSimulated } from '../../wallets/index.ts';
import type { TransactionStep } from './transaction-step.ts';

/**
 * A payment completing in the current commit: by the chain, late, or by the merchant's decision.
 */
export interface Completion {
  readonly transactionId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly type: TransactionType;
  /** Paid on the simulated network of test keys: no coins moved. */
  readonly simulated: boolean;
  /** By the payment's own clock. */
  readonly completedAt: UnixMs;
}

/**
 * Writes of another feature in the commit that completes payments. Called once ever per payment: a
 * chart enters `completed` once, and the engine commits a step once. Set-based, by key, using only
 * `trx`; an error rolls back the batch.
 */
export type CompletionHook = (trx: Transaction<Database>, completions: readonly Completion[]) => Promise<void>;

/** Runs the hooks in sequence, so that all processes lock in the same order and cannot deadlock. */
export async function runCompletionHooks(
  trx: Transaction<Database>,
  steps: readonly TransactionStep[],
  hooks: readonly CompletionHook[],
): Promise<void> {
  const completions = steps.filter(isCompleting).map(toCompletion);
  if (completions.length === 0) return;
  for (const hook of hooks) await hook(trx, completions);
}

/** The step that enters `completed` also notifies the merchant; it is entered only once. */
export function isCompleting({ effects }: TransactionStep): boolean {
  return effects.some(({ type, params }) => {
    // The chart types the parameters of its effects; the engine passes them on unchanged.
    return type === 'notifyMerchant' && (params as MerchantNotification).event === 'payment.completed';
  });
}

// Helpers

function toCompletion({ actorId, at, context }: TransactionStep): Completion {
  const { merchantId, mode, type, network, completedAt } = context;
  return {
    transactionId: actorId,
    merchantId,
    mode,
    type,
    simulated: isSimulated(network),
    completedAt: completedAt ?? at,
  };
}
