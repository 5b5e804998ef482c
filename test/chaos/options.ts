import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { FAULT_NAMES, type FaultName } from './faults/names.ts';

/** Options of a run. The same options give the same plans and the same faults in the same order. */
export interface ChaosOptions {
  readonly payments: number;
  /** Time limit of the whole run, from the first process to the verdict. */
  readonly seconds: number;
  readonly seed: number;
  readonly only: ReadonlySet<FaultName>;
  /** Payments that are open at the same time, in one round. */
  readonly roundPayments: number;
  readonly reorganisations: number;
}

export const USAGE = `npm run chaos -- [--payments 10000] [--seconds 5400] [--seed N] [--only FAULT,FAULT…] [--reorganisations 50] [--round 300]

Faults: ${FAULT_NAMES.join(', ')}`;

const MAX_SEED = 2 ** 32;

/** Throws an `Error` that names the invalid option and the allowed values. */
export function readOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      payments: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '5400' },
      seed: { type: 'string' },
      only: { type: 'string' },
      reorganisations: { type: 'string', default: '50' },
      round: { type: 'string', default: '300' },
    },
  });
  return {
    payments: wholeNumber('payments', values.payments),
    seconds: wholeNumber('seconds', values.seconds),
    seed: values.seed === undefined ? randomInt(MAX_SEED) : wholeNumber('seed', values.seed),
    only: readFaults(values.only),
    roundPayments: wholeNumber('round', values.round),
    reorganisations: wholeNumber('reorganisations', values.reorganisations),
  };
}

// Helpers

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number, got "${text}"`);
}

function readFaults(text: string | undefined): ReadonlySet<FaultName> {
  if (text === undefined) return new Set(FAULT_NAMES);
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !FAULT_NAMES.some((known) => known === name));
  if (unknown !== undefined)
    throw new Error(`--only: there is no fault "${unknown}". Faults: ${FAULT_NAMES.join(', ')}`);
  return new Set(FAULT_NAMES.filter((name) => names.includes(name)));
}
