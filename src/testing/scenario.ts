import type { Delivery } from './deliveries.ts';
import type { RecordedHistory } from './event.ts';

/** What happened, and how the events arrive at one receiver. */
export interface Scenario<H extends RecordedHistory> {
  readonly histories: readonly H[];
  readonly deliveries: readonly Delivery[];
  /** Number of concurrent requests. */
  readonly atOnce: number;
  /** The forged request sent in between; null for none. */
  readonly forgery: Forgery | null;
}

export const FORGERIES = ['wrong_secret', 'changed_body', 'unsigned', 'other_mode'] as const;
export type Forgery = (typeof FORGERIES)[number];

/** Describes a scenario for an error message. `describe` describes one history in one line. */
export function describeScenario<H extends RecordedHistory>(
  { histories, deliveries, atOnce, forgery }: Scenario<H>,
  describe: (history: H) => string,
): string {
  return [
    ...histories.map((history) => `  ${describe(history)}`),
    `  arriving ${atOnce === 1 ? 'one after the other' : `${atOnce} concurrently`}:`,
    ...deliveries.map(({ event, attempt }) => {
      return `    ${event.event} #${event.sequence}, attempt ${attempt}, id ${event.id}`;
    }),
    ...(forgery === null ? [] : [`  with forged ones in between (${forgery})`]),
  ].join('\n');
}
