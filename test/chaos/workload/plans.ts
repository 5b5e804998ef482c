import type { TransactionException, TransactionStatus } from '../../../machines/index.ts';
import type { Random } from '../random.ts';

/**
 * What the payer of one payment does, decided from the seed before anything runs. Together with the
 * final chain it determines the final state of the payment, whatever faults occurred.
 */
export type PlanName = keyof typeof PLANS;

export interface Plan {
  /** Percentage of payers with this plan. */
  readonly share: number;
  /** Percentages of the due amount sent in the window, each in its own transaction or output. */
  readonly inTime: readonly number[];
  /** Amounts sent after the window has closed, likewise. */
  readonly late: readonly number[];
  /** How often each event is sent, least and most; other events are never sent. */
  readonly events: { readonly [event: string]: readonly [least: number, most: number] };
  /** The final state when none of its coins are in the final chain. */
  readonly withoutCoins: Ending;
}

export interface Ending {
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
}

const EXPIRED: Ending = { status: 'expired', exception: null };
const FAILED: Ending = { status: 'failed', exception: null };
const ONCE = [1, 1] as const;
const PAID = { created: ONCE, pending: ONCE, completed: ONCE };
const UNPAID = { created: ONCE, expired: ONCE };
const LATE = { ...UNPAID, paid_late: ONCE };

export const PLANS = {
  exact: plan(36, [100], [], PAID),
  /** The tolerance is half a percent. */
  almost: plan(6, [99.6], [], PAID),
  over: plan(7, [140], [], { ...PAID, overpaid: ONCE }),
  /** Each part but the last may cause an event, in whichever order they are seen. */
  parts: plan(9, [30, 25, 45], [], { ...PAID, partial: [1, 2] }),
  two_outputs: plan(4, [50, 50], [], { ...PAID, partial: ONCE }),
  under: plan(7, [60], [], { ...UNPAID, partial: ONCE }),
  never: plan(9, [], [], UNPAID),
  late: plan(7, [], [100], LATE),
  half_late: plan(4, [50], [50], { ...LATE, partial: ONCE }),
  /** More than six hours after the close no decision is needed. */
  very_late: plan(2, [], [100], UNPAID),
  /** Double-spent while the window is open. */
  taken_back: plan(3, [100], [], { ...UNPAID, pending: [0, 1] }),
  taken_back_and_paid: plan(2, [100], [], { ...PAID, pending: [1, 2] }),
  /** Mined in a block that is undone, and double-spent in the new branch. */
  undone: plan(2, [100], [], { ...UNPAID, pending: [0, 1] }),
  /** Double-spent after the window has closed. */
  taken_back_late: plan(2, [100], [], { created: ONCE, pending: ONCE, failed: ONCE }, FAILED),
} as const satisfies { readonly [name: string]: Plan };

/** Plans whose payer waits until the service sees a payment, which needs a reachable node. */
export const NEEDS_OBSERVATION: ReadonlySet<PlanName> = new Set([
  'taken_back',
  'taken_back_and_paid',
  'undone',
  'taken_back_late',
]);

/** That many plans, each about as often as its share, and at least once when there is room. */
export function drawPlans(random: Random, count: number): PlanName[] {
  const names = Object.keys(PLANS) as PlanName[];
  const drawn = names.flatMap((name) =>
    Array.from({ length: Math.max(1, Math.round((PLANS[name].share * count) / TOTAL_SHARE)) }, () => name),
  );
  const shuffled = random.shuffled(drawn).slice(0, count);
  while (shuffled.length < count) shuffled.push('exact');
  return shuffled;
}

// Helpers

const TOTAL_SHARE = 100;

function plan(
  share: number,
  inTime: readonly number[],
  late: readonly number[],
  events: Plan['events'],
  withoutCoins = EXPIRED,
): Plan {
  return { share, inTime, late, events, withoutCoins };
}
