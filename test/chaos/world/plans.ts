import type { TransactionException, TransactionStatus } from '../../../machines/index.ts';
import type { Random } from '../random.ts';

/**
 * What the payer of one payment does, decided from the seed before anything runs. Together with the chain as it is in the end it
 * says what must become of the payment, whatever went wrong meanwhile.
 */
export type PlanName = keyof typeof PLANS;

export interface Plan {
  /** Which of a hundred payers do this. */
  readonly share: number;
  /** Sent while the window is open, as shares of what is due in percent, each in a transaction or output of its own. */
  readonly inTime: readonly number[];
  /** Sent after the window, likewise. */
  readonly late: readonly number[];
  /** How often each event is told, least and most; events that are not named are never told. */
  readonly events: { readonly [event: string]: readonly [least: number, most: number] };
  /** What it ends with when the chain has nothing of it in the end. */
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
  /** Each part that is not the last may be told, in whichever order they are seen. */
  parts: plan(9, [30, 25, 45], [], { ...PAID, partial: [1, 2] }),
  two_outputs: plan(4, [50, 50], [], { ...PAID, partial: ONCE }),
  under: plan(7, [60], [], { ...UNPAID, partial: ONCE }),
  never: plan(9, [], [], UNPAID),
  late: plan(7, [], [100], LATE),
  half_late: plan(4, [50], [50], { ...LATE, partial: ONCE }),
  /** More than six hours after the close nobody has to decide anything. */
  very_late: plan(2, [], [100], UNPAID),
  /** Taken back while the window is open. */
  taken_back: plan(3, [100], [], { ...UNPAID, pending: [0, 1] }),
  taken_back_and_paid: plan(2, [100], [], { ...PAID, pending: [1, 2] }),
  /** In a block that is undone, and the payer spends the coins elsewhere in the new branch. */
  undone: plan(2, [100], [], { ...UNPAID, pending: [0, 1] }),
  /** Taken back when the window has closed. */
  taken_back_late: plan(2, [100], [], { created: ONCE, pending: ONCE, failed: ONCE }, FAILED),
} as const satisfies { readonly [name: string]: Plan };

/** Plans that need the service to see something before the payer goes on, which it cannot while the node is away. */
export const NEEDS_SIGHT: ReadonlySet<PlanName> = new Set([
  'taken_back',
  'taken_back_and_paid',
  'undone',
  'taken_back_late',
]);

/** As many plans as asked for, each about as often as its share says, and each at least once when there is room. */
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
