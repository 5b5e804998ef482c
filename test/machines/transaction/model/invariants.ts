import { expect } from 'vitest';
import {
  parseBaseUnits,
  publicStateOf,
  seenNotDeclinedBaseUnits,
  type TransactionStatus,
} from '../../../../machines/index.ts';
import type { ActorRun, Step } from '../actor-run.ts';
import { DUE, REQUIRED, TOLERANCE } from '../terms.ts';
import { countedLines, type LedgerLine, type LedgerModel, linesOf, sumsOf } from './model.ts';
import { stateChecks } from './state-promises.ts';
import { timerChecks } from './timer-invariants.ts';

export interface Timestamp {
  readonly model: LedgerModel;
  readonly run: ActorRun;
  readonly step: Step;
}

export interface Invariant {
  readonly name: string;
  check(moment: Timestamp): void;
}

/** Checks every invariant; a violation fails with its name as prefix. */
export function checkInvariants(moment: Timestamp): void {
  for (const { name, check } of INVARIANTS) {
    try {
      check(moment);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new Error(`broken: ${name}\n${what}`, { cause: error });
    }
  }
}

const moneyChecks: readonly Invariant[] = [
  {
    name: 'conservation: what is recorded is exactly what the ledger holds',
    check({ model, run }) {
      const recorded = run.view().context.outputs.map((output) => ({
        outputId: output.outputId,
        amountBaseUnits: BigInt(output.amountBaseUnits),
        firstSeenAt: output.firstSeenAt,
        presence: output.presence,
        height: output.height,
        isConfirmed: output.confirmedAt !== null,
      }));
      const byId = (a: { outputId: string }, b: { outputId: string }) => (a.outputId < b.outputId ? -1 : 1);
      expect(recorded.sort(byId)).toEqual(linesOf(model.delivered).sort(byId));
    },
  },
  {
    name: 'history: no output is forgotten, and no sighting moves',
    check({ step: { before, after } }) {
      for (const output of before?.context.outputs ?? []) {
        const now = after.context.outputs.find((other) => other.outputId === output.outputId);
        expect(now?.firstSeenAt).toBe(output.firstSeenAt);
      }
    },
  },
  {
    name: 'terms: what was agreed never changes',
    check({ run }) {
      expect(run.view().context).toMatchObject(run.terms);
    },
  },
];

const statusChecks: readonly Invariant[] = [
  {
    name: 'completed never regresses',
    check({ step: { before, after } }) {
      if (before === null || publicStateOf(before.leaf).status !== 'completed') return;
      expect(publicStateOf(after.leaf).status).toBe('completed');
    },
  },
  {
    name: 'the status moves back only through lost coins, or coins in time that surface after the close',
    check({ step: { event, before, after }, model }) {
      if (before === null || event === null) return;
      const [from, to] = [publicStateOf(before.leaf).status, publicStateOf(after.leaf).status];
      if (RANK[to] >= RANK[from]) return;
      const isClosed = from === 'expired' || before.context.failedBy === 'loss';
      const surfaced = isClosed && to === 'awaiting_confirmation' && event.type.startsWith('chain.output_');
      if (surfaced) {
        const { inTime } = sumsOf(countedLines(model), after.context.expiresAt);
        expect(inTime).toBeGreaterThanOrEqual(REQUIRED);
        return;
      }
      expect(['chain.output_dropped', 'chain.balance_dropped']).toContain(event.type);
    },
  },
  {
    name: 'a payment fails only by loss, by its deadline or by rejection',
    check({ step: { event, before, after } }) {
      if (after.leaf !== 'failed' || before?.leaf === 'failed') return;
      expect(['timer.loss_settled', 'timer.confirmation_deadline_passed', 'merchant.rejected']).toContain(event?.type);
    },
  },
  {
    name: 'a payment has not failed by loss while coins that came in time are there',
    check({ model, run }) {
      const { context } = run.view();
      if (context.failedBy === 'loss') expect(sumsOf(countedLines(model), context.expiresAt).inTime).toBe(0n);
      expect(context.failedAt === null).toBe(context.failedBy === null);
    },
  },
  {
    name: 'a payment completes only when enough that came in time is confirmed or the merchant says so',
    check({ step: { event, before, after }, model }) {
      if (after.leaf !== 'completed' || before?.leaf === 'completed') return;
      const { confirmedInTime } = sumsOf(countedLines(model), after.context.expiresAt);
      const decided = event?.type === 'merchant.confirmed' || event?.type === 'merchant.marked_paid';
      expect(decided || confirmedInTime >= REQUIRED).toBe(true);
      expect(after.context.completedBy).toBe(decided ? 'merchant' : 'chain');
    },
  },
  {
    name: 'what the chain completes is settled with at least what is due less tolerance',
    check({ run }) {
      const { completedBy, settledBaseUnits } = run.view().context;
      if (completedBy === 'chain') expect(BigInt(settledBaseUnits ?? '0')).toBeGreaterThanOrEqual(REQUIRED);
    },
  },
  {
    name: 'what the merchant accepts is settled without what was declined before',
    check({ step: { event, before, after }, model }) {
      if (before === null || (event?.type !== 'merchant.confirmed' && event?.type !== 'merchant.marked_paid')) return;
      if (after.leaf !== 'completed' || before.leaf === 'completed') return;
      const { acknowledgedOutputIds, givenUpOutputIds, failedBy, expiresAt } = before.context;
      const isAcknowledged = ({ outputId }: LedgerLine) => acknowledgedOutputIds.includes(outputId);
      const isOfDeadline = ({ outputId, firstSeenAt }: LedgerLine) =>
        failedBy === 'deadline' && firstSeenAt <= expiresAt && !givenUpOutputIds.includes(outputId);
      const accepted = countedLines(model).filter((line) => !isAcknowledged(line) || isOfDeadline(line));
      expect(BigInt(after.context.settledBaseUnits ?? '0')).toBe(sumsOf(accepted, expiresAt).seen);
    },
  },
  {
    name: 'the operator has been alerted about every completed payment that what is left does not pay',
    check({ run, step, model }) {
      const { leaf, context } = run.view();
      if (leaf !== 'completed') return;
      const settled = parseBaseUnits(context.settledBaseUnits ?? '0');
      const accepted = context.completedBy === 'merchant' ? settled - (settled * TOLERANCE) / DUE : REQUIRED;
      const refunded = model.surplusSettled - model.lossSettled;
      const left = seenNotDeclinedBaseUnits(context) - (refunded > 0n ? refunded : 0n);
      const staysPaidWith = accepted < REQUIRED ? accepted : REQUIRED;
      const lost = left < staysPaidWith;
      expect(context.lossAlerted).toBe(lost);
      const alerts = step.effects.filter((effect) => effect.type === 'alertOperator').length;
      expect(alerts).toBe(lost && !(step.before?.context.lossAlerted ?? false) ? 1 : 0);
    },
  },
];

const notificationChecks: readonly Invariant[] = [
  {
    name: 'each notification has the next sequence number, once',
    check({ run }) {
      const sequences = run.notifications.map((notification) => notification.sequence);
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      expect(run.view().context.notifications).toBe(sequences.length);
    },
  },
  {
    name: 'the last notification of a step has the public state the step ended in',
    check({ step: { effects, after } }) {
      const reported = effects.filter((effect) => effect.type === 'notifyMerchant').at(-1);
      if (reported === undefined) return;
      const { status, exception } = reported.params;
      expect({ status, exception }).toEqual(publicStateOf(after.leaf));
    },
  },
  {
    name: 'payment.paid_late is sent twice in a row only after a decision',
    check({ run: { notifications, journal } }) {
      const isPaidLate = (at: number) => notifications[at]?.event === 'payment.paid_late';
      const repeated = notifications.filter((_, at) => isPaidLate(at) && isPaidLate(at - 1));
      const decisions = journal.filter(({ type }) => type === 'merchant.dismissed');
      expect(repeated.length).toBeLessThanOrEqual(decisions.length);
    },
  },
  {
    name: 'every new public state is notified, except those the lifecycle leaves silent',
    check({ step: { event, before, after, effects } }) {
      if (before === null || event === null) return;
      const [from, to] = [publicStateOf(before.leaf), publicStateOf(after.leaf)];
      if (from.status === to.status && from.exception === to.exception) return;
      const isBackToNothing = to.status === 'pending' && to.exception === null;
      const isPaidLateOver = from.exception === 'paid_late' && to.status === 'expired' && to.exception === null;
      const isPaidLateAgain = to.exception === 'paid_late' && before.context.paidLateNotified;
      if (isBackToNothing || isPaidLateOver || isPaidLateAgain) return;
      expect(effects.some((effect) => effect.type === 'notifyMerchant')).toBe(true);
    },
  },
  {
    name: 'the partial sum that was notified is the one that is there',
    check({ run, model }) {
      const { leaf, context } = run.view();
      if (leaf !== 'open.partiallyPaid') return;
      const { inTime } = sumsOf(countedLines(model), context.expiresAt);
      expect(context.partialNotifiedBaseUnits).toBe(inTime.toString());
    },
  },
];

const endChecks: readonly Invariant[] = [
  {
    name: 'the address is watched from the opening to the end, and let go once',
    check({ step }) {
      const watched = step.effects.filter((effect) => effect.type === 'watchAddress').length;
      const released = step.effects.filter((effect) => effect.type === 'stopWatching').length;
      const ended = step.after.status === 'done' && step.before?.status !== 'done';
      expect({ watched, released }).toEqual({ watched: step.event === null ? 1 : 0, released: ended ? 1 : 0 });
    },
  },
];

export const INVARIANTS: readonly Invariant[] = [
  ...moneyChecks,
  ...stateChecks,
  ...statusChecks,
  ...timerChecks,
  ...notificationChecks,
  ...endChecks,
];

/** Progress of each status in the lifecycle. */
const RANK: { readonly [Status in TransactionStatus]: number } = {
  pending: 0,
  partial: 1,
  awaiting_confirmation: 2,
  expired: 3,
  failed: 3,
  completed: 3,
};
