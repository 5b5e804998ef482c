import type { WorldStep } from './world.ts';

/** Describes what was done to a payment, for an error message. */
export function stepsInWords(steps: readonly WorldStep[]): string {
  return steps.map(inWords).join('');
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
    case 'confirm_deeply':
    case 'double_spend':
    case 'reorganise':
    case 'drop_balance':
    case 'close':
      return `, ${step.act}`;
  }
}
