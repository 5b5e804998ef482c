import { type TransactionContext, type TransactionEffects, transactionMachine } from '../../machines/index.ts';
import { settleAll } from '../platform/db/index.ts';
import { type ActorKind, type Consequence, defineKind, type Step } from '../platform/engine/index.ts';
import { isSimulated } from '../wallets/index.ts';
import type { Admission } from './create/admission.ts';
import { admitTransactions } from './create/admit-transactions.ts';
import type { CompletionHook } from './projection/completions.ts';
import { projectTransactions } from './projection/project.ts';
import { projectWebhookEvents } from './projection/webhook-events.ts';
import { OPERATOR_ALERT_QUEUE, SIMULATED_VERIFY_QUEUE, type VerifyMessage, verifyQueue } from './queues.ts';
import { recordMissedCoins } from './unassigned/record-missed-coins.ts';
import { heightGate, timeGate } from './watching/gate-names.ts';

export interface TransactionKindDeps {
  readonly publicUrl: string;
  /** Decides who may start payments; absent: everyone. */
  readonly admission?: Admission;
  /** Writes of other features when payments complete; run in this order. */
  readonly onCompleted?: readonly CompletionHook[];
  /** Messages sent by the commit of a completion; absent: none. */
  readonly notifySchedule?: (payment: TransactionContext) => readonly Consequence[];
}

/** Maps the effects of a transaction to engine operations, without its own decisions. */
export function createTransactionKind(deps: TransactionKindDeps): ActorKind {
  return defineKind<TransactionEffects>()({
    machine: transactionMachine,
    merchantOf: ({ merchantId }) => merchantId,
    prepare: (trx, drafts) => admitTransactions(trx, drafts, deps.admission),
    async project(trx, steps) {
      const projected = [
        projectWebhookEvents(trx, steps, deps.publicUrl),
        projectTransactions(trx, steps, deps),
      ] as const;
      const [hints] = await settleAll(projected);
      return hints;
    },
    recordMissed: (trx, steps) => recordMissedCoins(trx, steps, deps.publicUrl),
    effects: {
      startTimer: ({ timer, dueAt, gated }, { context }) => [
        { kind: 'timer', name: timer, dueAt, gate: gated ? timeGate(context.network) : null },
      ],
      startHeightTimer: ({ timer, height }, { context }) => [
        { kind: 'heightTimer', name: timer, height, gate: heightGate(context.network, context.transactionId) },
      ],
      cancelTimer: ({ timer }) => [{ kind: 'cancelTimer', name: timer }],
      // Nothing to do: an address is watched from its derivation, before it is assigned.
      watchAddress: () => [],
      // The projection releases the address in the same commit.
      stopWatching: () => [],
      verifyOutputs: ({ outputIds }, step) => [verification(outputIds, step)],
      // The projection stores the event and the deliveries that are owed.
      notifyMerchant: ({ event }, { context }) =>
        event === 'payment.completed' ? (deps.notifySchedule?.(context) ?? []) : [],
      // The projection writes the alert; the message gets it logged immediately, unless it is a
      // test.
      alertOperator: ({ alert, detail }, { actorId, context: { mode } }) =>
        mode === 'test'
          ? []
          : [{ kind: 'message', queue: OPERATOR_ALERT_QUEUE, key: actorId, data: { actorId, alert, detail } }],
    },
  });
}

// Helpers

function verification(outputIds: readonly string[], { context }: Step<TransactionContext>): Consequence {
  const { network, transactionId, crypto, confirmationsRequired } = context;
  const data: VerifyMessage = {
    transactionId,
    crypto,
    requiredConfirmations: confirmationsRequired,
    outputs: context.outputs
      .filter((output) => outputIds.includes(output.outputId))
      .map(({ outputId, txid, amountBaseUnits, firstSeenAt, height }) => {
        return { outputId, txid, amountBaseUnits, firstSeenAt, height };
      }),
  };
  const queue = isSimulated(network) ? SIMULATED_VERIFY_QUEUE : verifyQueue(network);
  return { kind: 'message', queue, key: transactionId, data };
}
