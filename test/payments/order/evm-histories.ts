import fc from 'fast-check';
import type { Happening } from './happening.ts';
import { createHistories } from './history.ts';

const mask = fc.nat({ max: 255 });
const common: readonly fc.WeightedArbitrary<Happening>[] = [
  { weight: 3, arbitrary: fc.option(mask).map((drawn) => ({ kind: 'logs lag', mask: drawn }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'every account is due' as const }) },
];
const tracing: fc.WeightedArbitrary<Happening> = {
  weight: 3,
  arbitrary: fc
    .constantFrom(true, false, 'fails' as const)
    .map((traces) => ({ kind: 'tracing changes', traces }) as const),
};
const ways = ['directly', 'in two parts', 'by contract'] as const;
/** With a node that traces, and with one that does not from the start. */
export const evmHistories = fc.oneof(
  createHistories({ ways, blocks: 5, also: common }),
  createHistories({ ways, blocks: 5, also: [...common, tracing] }).map((happenings): Happening[] => {
    return [{ kind: 'tracing changes', traces: false }, ...happenings];
  }),
);
