import type { ScheduleContext, ScheduleEffects } from '../../machines/index.ts';
import type { Step } from '../engine/index.ts';
import type { ScheduleEndReason } from './schedule.ts';

/** One accepted event of a schedule, as its projections see it. */
export type ScheduleStep = Step<ScheduleContext>;

/** Facts of a schedule that its chart has no use for; they go straight to the projection. */
export interface ScheduleAttachment {
  readonly merchantId: string;
  readonly mode: 'live' | 'test';
  readonly reference: string | null;
  readonly customerEmail: string;
  readonly description: string;
  /** Exact decimal. */
  readonly amountFiat: string;
  readonly currencyFiat: string;
  readonly crypto: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly successUrl: string | null;
  readonly idempotencyKey: string | null;
  readonly requestHash: string | null;
  /** Id of the user who makes it; left out when a program of the merchant's does. */
  readonly createdBy?: string;
}

/** An effect that a step asked for, with the step. */
export interface Asked<Name extends keyof ScheduleEffects> {
  readonly step: ScheduleStep;
  readonly params: ScheduleEffects[Name];
}

/** The effects of one name, in order. */
export function askedOf<Name extends keyof ScheduleEffects>(
  steps: readonly ScheduleStep[],
  name: Name,
): readonly Asked<Name>[] {
  return steps.flatMap((step) =>
    step.effects
      .filter((effect) => effect.type === name)
      // The chart types the parameters of its effects; the engine hands them on untouched.
      .map((effect) => ({ step, params: effect.params as ScheduleEffects[Name] })),
  );
}

/** How it ended, in the words of the interface; null while it has not. */
export function endReasonOf({ endedAs }: Pick<ScheduleContext, 'endedAs'>): ScheduleEndReason | null {
  return endedAs === 'expired_unconfirmed' ? 'unconfirmed' : endedAs;
}
