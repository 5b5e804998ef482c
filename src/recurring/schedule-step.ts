import type { Mode, ScheduleContext, ScheduleEffects } from '../../machines/index.ts';
import type { Step } from '../platform/engine/index.ts';
import type { ScheduleEndReason } from './schedule.ts';

/** One accepted event of a schedule, as its projections receive it. */
export type ScheduleStep = Step<ScheduleContext>;

/** Data of a schedule that its chart does not use; passed to the projection. */
export interface ScheduleAttachment {
  readonly merchantId: string;
  readonly mode: Mode;
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
  /** Id of the user who creates it; omitted for API clients. */
  readonly createdBy?: string;
}

export interface StepEffect<Name extends keyof ScheduleEffects> {
  readonly step: ScheduleStep;
  readonly params: ScheduleEffects[Name];
}

/** The effects with one name, in order. */
export function requestedOf<Name extends keyof ScheduleEffects>(
  steps: readonly ScheduleStep[],
  name: Name,
): readonly StepEffect<Name>[] {
  return steps.flatMap((step) =>
    step.effects
      .filter((effect) => effect.type === name)
      // The chart types the parameters of its effects; the engine passes them through unchanged.
      .map((effect) => ({ step, params: effect.params as ScheduleEffects[Name] })),
  );
}

/** The documented reason why it ended; null while it has not. */
export function endReasonOf({ endedAs }: Pick<ScheduleContext, 'endedAs'>): ScheduleEndReason | null {
  return endedAs === 'expired_unconfirmed' ? 'unconfirmed' : endedAs;
}
