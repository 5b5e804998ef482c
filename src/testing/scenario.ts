import type { Delivery } from './deliveries.ts';
import type { PaymentHistory } from './history.ts';
import type { WorldStep } from './world.ts';

/** Payments, and how their events arrive at one receiver. */
export interface Scenario {
  readonly histories: readonly PaymentHistory[];
  readonly deliveries: readonly Delivery[];
  /** How many requests run at the same time. */
  readonly atOnce: number;
  /** What a stranger sends in between; null for nothing. */
  readonly forgery: 'wrong_secret' | 'changed_body' | 'unsigned' | null;
}

/** In words, for the message of a failure. */
export function describeScenario({ histories, deliveries, atOnce, forgery }: Scenario): string {
  return [
    ...histories.map(({ transactionId, steps }) => `  ${transactionId}: created${steps.map(inWords).join('')}`),
    `  arriving ${atOnce === 1 ? 'one after the other' : `${atOnce} at once`}:`,
    ...deliveries.map(({ event, attempt }) => {
      return `    ${event.event} #${event.sequence}, attempt ${attempt}, id ${event.id}`;
    }),
    ...(forgery === null ? [] : [`  with forged ones in between (${forgery})`]),
  ].join('\n');
}

// Helpers

function inWords(step: WorldStep): string {
  switch (step.act) {
    case 'pay':
      return `, pay ${step.what}`;
    case 'wait':
      return `, wait ${step.minutes} min`;
    case 'decide':
      return `, merchant ${step.accepts ? 'accepts' : 'declines'}`;
    case 'mine':
    case 'bury':
    case 'double_spend':
    case 'reorganise':
    case 'drop_balance':
    case 'close':
      return `, ${step.act}`;
  }
}
