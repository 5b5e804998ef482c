import { expect } from 'vitest';
import { DAY_MS, type TransactionState, type TransactionTimer } from '../../../../machines/index.ts';
import { CONFIRMATIONS, DEADLINE_MS, REQUIRED } from '../terms.ts';
import type { Invariant } from './invariants.ts';
import type { LedgerModel } from './model.ts';

/** Which clock timers run in which state. While confirming, it depends on what is missing. */
const CLOCK_TIMERS: { readonly [State in TransactionState]: readonly TransactionTimer[] } = {
  'open.awaitingPayment': ['window_closed'],
  'open.partiallyPaid': ['window_closed'],
  'open.inReview': [],
  confirming: [],
  completed: ['monitoring_ended'],
  'expired.watching': ['monitoring_ended'],
  'expired.paidLate': [],
  failed: ['monitoring_ended'],
  closedCompleted: [],
  closedExpired: [],
  closedFailed: [],
};
const WAIT_FOR_MERCHANT: readonly string[] = ['open.inReview', 'expired.paidLate'];

export const timerChecks: readonly Invariant[] = [
  {
    name: 'no actor is stuck: exactly the timers of its state run, and without one it waits for the merchant',
    check({ run }) {
      const { leaf, status, context } = run.view();
      const expected = new Set(CLOCK_TIMERS[leaf as TransactionState]);
      if (leaf === 'confirming') {
        if (!context.windowClosed) expected.add('window_closed');
        if (context.confirmationDeadlineAt !== null) expected.add('confirmation_deadline_passed');
        if (context.lossSettlesAt !== null) expected.add('loss_settled');
      }
      if (context.outputs.some((output) => output.verifying) && status !== 'done') expected.add('verification_overdue');
      const running = [...run.timers.keys()];
      expect(running.filter((timer) => timer !== 'depth_reached').sort()).toEqual([...expected].sort());
      expect(running.length > 0 || WAIT_FOR_MERCHANT.includes(leaf) || status === 'done').toBe(true);
    },
  },
  {
    name: 'timers run to the right moment',
    check({ run, model }) {
      const { context } = run.view();
      const due = (timer: TransactionTimer) => run.timers.get(timer)?.at;
      if (run.timers.has('window_closed')) expect(due('window_closed')).toBe(context.expiresAt);
      if (run.timers.has('monitoring_ended')) expect(due('monitoring_ended')).toBe(context.expiresAt + 30 * DAY_MS);
      if (run.timers.has('loss_settled')) expect(due('loss_settled')).toBe(context.lossSettlesAt);
      if (!run.timers.has('confirmation_deadline_passed')) return;
      const live = context.outputs.filter(
        ({ outputId, presence, firstSeenAt }) =>
          presence !== 'gone' && firstSeenAt <= context.expiresAt && !model.settled.has(outputId),
      );
      const isNeeded = (_: unknown, index: number) => totalOf(live.slice(0, index)) < REQUIRED;
      const needed = live
        .filter(isNeeded)
        .map(({ outputId, firstSeenAt }) => backSince(model, outputId) ?? firstSeenAt);
      expect(due('confirmation_deadline_passed')).toBe(Math.max(...needed) + DEADLINE_MS);
      expect(totalOf(live)).toBeGreaterThanOrEqual(REQUIRED);
      expect(totalOf(live.filter((output) => output.presence === 'block'))).toBeLessThan(REQUIRED);
    },
  },
  {
    name: 'the depth timer is never lost: it waits for the first height at which an output can be deep',
    check({ run }) {
      const { context, status } = run.view();
      const waiting = context.outputs.filter(
        (output) => output.presence === 'block' && output.confirmedAt === null && !output.verifying,
      );
      if (waiting.length === 0 || status === 'done') return;
      const first = Math.min(...waiting.map((output) => (output.height ?? Number.NaN) + CONFIRMATIONS - 1));
      expect(run.timers.get('depth_reached')?.at).toBe(first);
    },
  },
  {
    name: 'a verification stays under way only for outputs in a block that are not confirmed',
    check({ run }) {
      for (const output of run.view().context.outputs.filter((one) => one.verifying)) {
        expect(output).toMatchObject({ presence: 'block', confirmedAt: null });
      }
    },
  },
  {
    name: 'the clock stops in a review, and the window never gets shorter',
    check({ step: { before, after } }) {
      if (before === null) return;
      expect(after.context.expiresAt).toBeGreaterThanOrEqual(before.context.expiresAt);
      if (after.context.expiresAt > before.context.expiresAt) expect(before.leaf).toBe('open.inReview');
      if (before.leaf !== 'open.inReview' || after.leaf !== 'open.inReview') return;
      expect(after.context.expiresAt).toBe(before.context.expiresAt);
      expect(after.context.windowClosed).toBe(before.context.windowClosed);
    },
  },
];

// Helpers

/** When the deliveries first showed that coins now in the mempool had been elsewhere. */
function backSince({ delivered }: LedgerModel, outputId: string): number | null {
  let [newest, since, wasAway, isWaiting]: [number, number | null, boolean, boolean] = [0, null, false, false];
  for (const { order, type, at } of delivered.filter((event) => event.outputId === outputId)) {
    const isSeen = type === 'chain.output_seen';
    if (order > newest) [newest, isWaiting] = [order, isSeen];
    wasAway ||= !isSeen;
    since = isWaiting && wasAway ? (since ?? at) : null;
  }
  return since;
}

function totalOf(outputs: readonly { readonly amountBaseUnits: string }[]): bigint {
  return outputs.reduce((sum, output) => sum + BigInt(output.amountBaseUnits), 0n);
}
