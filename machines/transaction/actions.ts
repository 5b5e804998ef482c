import type { BaseUnitsString } from '../vocabulary/amount.ts';
import { ASSETS } from '../vocabulary/asset.ts';
import type { PaymentEvent } from '../vocabulary/payment-event.ts';
import type { TransactionException, TransactionStatus } from '../vocabulary/status.ts';
import type { UnixMs } from '../vocabulary/time.ts';
import type { OutputRecord, Review, Shortfall, TransactionContext } from './context.ts';
import { withDecidedBalances } from './decided-money.ts';
import type { TransactionEvent } from './events.ts';
import { timerActions } from './gated-timers.ts';
import { lossAlertActions } from './loss-alert.ts';
import { liveOutputs, recordOutput } from './outputs.ts';
import { isDeclined } from './rules/declined-coins.ts';
import { asObserved, outputsDeepAt, VERIFICATION_OVERDUE_MS } from './rules/depth-verification.ts';
import { isInTime } from './rules/in-time.ts';
import { lateOutputs } from './rules/late-coins.ts';
import { lostInTime } from './rules/losses.ts';
import { confirmedBaseUnits, inTimeBaseUnits, seenBaseUnits, seenNotDeclinedBaseUnits } from './rules/sums.ts';
import { transactionEffects as base } from './setup.ts';

/** The chart's actions: each changes the context, requests effects, or both. */
export const actions = {
  ...timerActions,
  ...lossAlertActions,

  /** Assigns only a new time: an assign copies the context, and a recorded output has set it. */
  touch: base.enqueueActions(({ context, event, enqueue }) => {
    const updatedAt = clockOf(event, context);
    if (updatedAt !== context.updatedAt) enqueue.assign({ updatedAt });
  }),

  recordOutput: base.assign(({ context, event }) => {
    if (!('outputId' in event)) return {};
    const outputs = recordOutput(context.outputs, asObserved(context, event), ASSETS[context.crypto].family === 'evm');
    return outputs === context.outputs ? {} : { outputs, updatedAt: event.at };
  }),
  closeWindow: base.assign({ windowClosed: true }),
  recordLosses: base.assign(({ context, event }) => ({
    lostSince: Object.fromEntries(
      lostInTime(context).map(({ outputId }) => [outputId, context.lostSince?.[outputId] ?? clockOf(event, context)]),
    ),
  })),
  requestVerification: base.enqueueActions(({ context, event, enqueue }) => {
    if (event.type !== 'timer.depth_reached') return;
    const outputIds = outputsDeepAt(context, event.height).map(idOf);
    const isRequested = outputIds.length > 0;
    const dueAt = event.at + VERIFICATION_OVERDUE_MS;
    enqueue.assign({
      // The timer has fired; outputs still waiting for depth set a new one.
      depthTimerHeight: null,
      outputs: markVerifying(context.outputs, outputIds),
      verificationDueAt: isRequested ? dueAt : context.verificationDueAt,
    });
    if (!isRequested) return;
    enqueue({ type: 'verifyOutputs', params: { outputIds } });
    enqueue({ type: 'startTimer', params: { timer: 'verification_overdue', dueAt, gated: false } });
  }),
  endVerification: base.enqueueActions(({ enqueue }) => {
    enqueue.assign({ verificationDueAt: null });
    enqueue({ type: 'cancelTimer', params: { timer: 'verification_overdue' } });
  }),
  /**
   * The verification got no response: the depth timer of these outputs runs again and repeats it.
   */
  giveUpVerification: base.assign(({ context }) => ({
    verificationDueAt: null,
    outputs: context.outputs.map((output) => (output.verifying ? { ...output, verifying: false } : output)),
  })),

  watch: base.enqueueActions(({ enqueue }) => enqueue({ type: 'watchAddress', params: {} })),
  unwatch: base.enqueueActions(({ enqueue }) => enqueue({ type: 'stopWatching', params: {} })),

  startReview: base.assign(({ context, event }) => {
    if (event.type !== 'chain.balance_dropped') return {};
    const seenAtStartBaseUnits = seenBaseUnits(context).toString();
    const { at: startedAt, missingBaseUnits } = event;
    const parts = withShortfall([], event, seenAtStartBaseUnits);
    return { review: { startedAt, missingBaseUnits, ...parts, seenAtStartBaseUnits, resolvedAt: null } };
  }),
  addToReview: base.assign(({ context, event }) => {
    if (event.type !== 'chain.balance_dropped' || context.review === null) return {};
    const { shortfalls = [], ...review } = context.review;
    const seen = seenBaseUnits(context).toString();
    // Coins reported since may be among those that the expected balance counted.
    const areCounted = BigInt(seen) <= BigInt(event.expectedBaseUnits ?? '0');
    const index = shortfalls.findIndex(({ expectedBaseUnits, seenBaseUnits }) => {
      return expectedBaseUnits === event.expectedBaseUnits && (seenBaseUnits === seen || areCounted);
    });
    if (shortfalls[index]?.missingBaseUnits === event.missingBaseUnits) return {};
    // A changed shortfall also replaces those reported after it.
    const [before, replaced] = index === -1 ? [shortfalls, []] : [shortfalls.slice(0, index), shortfalls.slice(index)];
    const missing = BigInt(review.missingBaseUnits) - sumMissing(replaced) + BigInt(event.missingBaseUnits);
    return { review: { ...review, missingBaseUnits: missing.toString(), ...withShortfall(before, event, seen) } };
  }),
  endReview: base.assign(({ context, event }) => {
    return context.review === null ? {} : { review: { ...context.review, resolvedAt: clockOf(event, context) } };
  }),
  /**
   * The payment clock stopped during the review, so the customer gets the rest of the window back;
   * nothing when the review began after the window.
   */
  extendWindow: base.assign(({ context, event }) => {
    const { review, expiresAt } = context;
    if (review === null || review.startedAt > expiresAt) return {};
    return { expiresAt: expiresAt + Math.max(0, clockOf(event, context) - review.startedAt) };
  }),

  completeByChain: base.assign(({ context, event }) => completed(context, event, 'chain')),
  completeByMerchant: base.assign(({ context, event }) => completed(context, event, 'merchant')),
  failByLoss: base.assign(({ context, event }) => ({ failedAt: clockOf(event, context), failedBy: 'loss' as const })),
  failByDeadline: base.assign(({ context, event }) => ({
    failedAt: clockOf(event, context),
    failedBy: 'deadline' as const,
    // Late coins stay unacknowledged: they wait for the merchant, regardless of confirmations.
    ...acknowledged(
      context,
      context.outputs.filter((output) => output.confirmedAt !== null && isInTime(context, output)),
    ),
    ...declined(context, context.outputs.filter(isDeclined(context))),
    ...withDecidedBalances(context, liveOutputs(context.outputs)),
    givenUpOutputIds: liveOutputs(context.outputs)
      .filter((output) => output.confirmedAt === null)
      .map(idOf),
  })),
  failByMerchant: base.assign(({ context, event }) => ({
    failedAt: clockOf(event, context),
    failedBy: 'merchant' as const,
    // The merchant who rejects the payment has seen all of them.
    ...acknowledged(context, liveOutputs(context.outputs)),
  })),
  undoFailure: base.assign({ failedAt: null, failedBy: null }),
  declineSettledCoins: base.assign(({ context, event }) => {
    if (event.type !== 'merchant.settled') return {};
    const settled = context.outputs.filter(({ outputId }) => event.outputIds.includes(outputId));
    return { ...acknowledged(context, settled), ...declined(context, settled), updatedAt: event.at };
  }),
  addSettledSum: base.assign(({ context, event }) => {
    if (event.type !== 'merchant.settled') return {};
    const { surplusBaseUnits, lossBaseUnits } = event;
    const { surplusSettledBaseUnits: surplus = '0', lossSettledBaseUnits: loss = '0' } = context;
    return {
      ...(surplusBaseUnits && { surplusSettledBaseUnits: plus(surplus, surplusBaseUnits) }),
      ...(lossBaseUnits && { lossSettledBaseUnits: plus(loss, lossBaseUnits) }),
      updatedAt: event.at,
    };
  }),
  /** Coins that arrive after the decision need another one, so the merchant is notified again. */
  acknowledgeLateCoins: base.assign(({ context }) => ({
    ...acknowledged(context, lateOutputs(context)),
    paidLateNotified: false,
  })),

  /** The first webhook, which a new context counts already. */
  notifyCreated: base.enqueueActions(({ context, enqueue }) => {
    const { notifications: sequence } = context;
    enqueue({
      type: 'notifyMerchant',
      params: { event: 'payment.created', status: 'pending', exception: null, sequence },
    });
  }),
  notifyPartial: emitWebhook('payment.partial', 'partial', null, (context) => ({
    partialNotifiedBaseUnits: inTimeBaseUnits(context).toString(),
  })),
  notifyPending: emitWebhook('payment.pending', 'awaiting_confirmation'),
  notifyCompleted: emitWebhook('payment.completed', 'completed'),
  notifyOverpaid: emitWebhook('payment.overpaid', 'completed', null, (context) => ({
    overpaidNotifiedBaseUnits: confirmedBaseUnits(context).toString(),
  })),
  notifyExpired: emitWebhook('payment.expired', 'expired'),
  notifyFailed: emitWebhook('payment.failed', 'failed'),
  notifyNeedsReview: emitWebhook('payment.needs_review', 'pending', 'needs_review'),
  notifyPaidLateOnce: base.enqueueActions(({ context, enqueue }) => {
    if (context.paidLateNotified) return;
    enqueue(emitWebhook('payment.paid_late', 'expired', 'paid_late'));
  }),
};

// Helpers

/** One webhook: increments the sequence and carries the current public status. */
function emitWebhook(
  event: PaymentEvent,
  status: TransactionStatus,
  exception: TransactionException | null = null,
  changes: (context: TransactionContext) => Partial<TransactionContext> = () => ({}),
) {
  return base.enqueueActions(({ context, enqueue }) => {
    const sequence = context.notifications + 1;
    const paidLateNotified = event === 'payment.paid_late';
    enqueue.assign({ ...changes(context), notifications: sequence, paidLateNotified });
    enqueue({ type: 'notifyMerchant', params: { event, status, exception, sequence } });
  });
}

/** Caps the list. A shortfall dropped by the cap counts again if it is reported again. */
const MAX_SHORTFALLS = 16;

type Shortfalls = NonNullable<Review['shortfalls']>;

function withShortfall(
  before: Shortfalls,
  { missingBaseUnits, expectedBaseUnits }: Shortfall,
  seenBaseUnits: BaseUnitsString,
): { readonly shortfalls?: Shortfalls } {
  const fresh = expectedBaseUnits === undefined ? [] : [{ missingBaseUnits, expectedBaseUnits, seenBaseUnits }];
  const shortfalls = [...before, ...fresh].slice(-MAX_SHORTFALLS);
  return shortfalls.length === 0 ? {} : { shortfalls };
}

function plus(one: BaseUnitsString, other: BaseUnitsString): BaseUnitsString {
  return (BigInt(one) + BigInt(other)).toString();
}

function sumMissing(shortfalls: readonly Shortfall[]): bigint {
  return shortfalls.reduce((sum, { missingBaseUnits }) => sum + BigInt(missingBaseUnits), 0n);
}

/** When the event was accepted. The initial transition has no event, only the creation time. */
function clockOf(event: TransactionEvent, context: TransactionContext): UnixMs {
  return 'at' in event ? event.at : context.createdAt;
}

function completed(context: TransactionContext, event: TransactionEvent, completedBy: 'chain' | 'merchant') {
  // A merchant may accept unconfirmed coins; the chain settles only confirmed ones.
  const settled = completedBy === 'chain' ? confirmedBaseUnits(context) : seenNotDeclinedBaseUnits(context);
  return { completedAt: clockOf(event, context), completedBy, settledBaseUnits: settled.toString() };
}

/** An acknowledged output stays acknowledged. */
function acknowledged(context: TransactionContext, outputs: readonly OutputRecord[]) {
  return {
    ...withDecidedBalances(context, outputs),
    acknowledgedOutputIds: [...new Set([...context.acknowledgedOutputIds, ...outputs.map(idOf)])].sort(),
  };
}

/** A declined output stays declined. */
function declined({ declinedOutputIds = [] }: TransactionContext, outputs: readonly OutputRecord[]) {
  if (outputs.length === 0) return {};
  return { declinedOutputIds: [...new Set([...declinedOutputIds, ...outputs.map(idOf)])].sort() };
}

function markVerifying(outputs: readonly OutputRecord[], outputIds: readonly string[]): OutputRecord[] {
  return outputs.map((output) => (outputIds.includes(output.outputId) ? { ...output, verifying: true } : output));
}

function idOf(output: { readonly outputId: string }): string {
  return output.outputId;
}
