import fc from 'fast-check';
import { createHistories } from './history.ts';
import type { HistoryEvent } from './history-event.ts';

const mask = fc.nat({ max: 255 });
const common: readonly fc.WeightedArbitrary<HistoryEvent>[] = [
  { weight: 3, arbitrary: fc.option(mask).map((drawn) => ({ kind: 'logs lag', mask: drawn }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'every account is due' as const }) },
];
const tracing: fc.WeightedArbitrary<HistoryEvent> = {
  weight: 3,
  arbitrary: fc
    .constantFrom(true, false, 'fails' as const)
    .map((traces) => ({ kind: 'tracing changes', traces }) as const),
};
const ways = ['directly', 'in two parts', 'by contract'] as const;
/** With a node that traces, and with one that does not from the start. */
export const evmHistories = fc.oneof(
  createHistories({ ways, blocks: 5, also: common }),
  createHistories({ ways, blocks: 5, also: [...common, tracing] }).map((events): HistoryEvent[] => {
    return [{ kind: 'tracing changes', traces: false }, ...events];
  }),
);
