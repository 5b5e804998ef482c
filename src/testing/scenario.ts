import type { Delivery } from './deliveries.ts';
import type { Told } from './event.ts';

/** What happened, and how its events arrive at one receiver. */
export interface Scenario<H extends Told> {
  readonly histories: readonly H[];
  readonly deliveries: readonly Delivery[];
  /** How many requests run at the same time. */
  readonly atOnce: number;
  /** What a stranger sends in between; null for nothing. */
  readonly forgery: Forgery | null;
}

export const FORGERIES = ['wrong_secret', 'changed_body', 'unsigned', 'other_mode'] as const;
export type Forgery = (typeof FORGERIES)[number];

/** In words, for the message of a failure. `tell` says in a line what happened in one history. */
export function describeScenario<H extends Told>(
  { histories, deliveries, atOnce, forgery }: Scenario<H>,
  tell: (history: H) => string,
): string {
  return [
    ...histories.map((history) => `  ${tell(history)}`),
    `  arriving ${atOnce === 1 ? 'one after the other' : `${atOnce} at once`}:`,
    ...deliveries.map(({ event, attempt }) => {
      return `    ${event.event} #${event.sequence}, attempt ${attempt}, id ${event.id}`;
    }),
    ...(forgery === null ? [] : [`  with forged ones in between (${forgery})`]),
  ].join('\n');
}
