import { describe, expect, it } from 'vitest';
import { getShortestPaths } from 'xstate/graph';
import { DAY_MS, statePath, type TransactionEvent, transactionMachine } from '../../../../machines/index.ts';
import { readChart } from '../../chart-walk.ts';
import { balanceDropped, deadlinePassed, WINDOW_CLOSED } from '../chart-events.ts';
import { confirmed, dropped, LATE, seen } from '../observations.ts';
import { CLOSES_AT, DEADLINE_MS, DUE, TERMS } from '../terms.ts';

/** A few plain events of each kind; orders are high enough that each is new once. */
const EVENTS: readonly TransactionEvent[] = [
  seen({ id: 'part', amount: DUE / 2n, order: 1 }),
  seen({ id: 'whole', order: 1 }),
  confirmed({ id: 'whole', order: 2 }),
  dropped({ id: 'whole', order: 3 }),
  seen({ id: 'late', order: 1, firstSeenAt: LATE }),
  balanceDropped(CLOSES_AT - 1),
  WINDOW_CLOSED,
  deadlinePassed(CLOSES_AT + DEADLINE_MS),
  { type: 'timer.monitoring_ended', at: CLOSES_AT + 30 * DAY_MS, dueAt: CLOSES_AT + 30 * DAY_MS },
  { type: 'merchant.rejected', at: CLOSES_AT, by: 'usr_example' },
];

const paths = getShortestPaths(transactionMachine, {
  input: TERMS,
  events: EVENTS,
  serializeState: ({ value, context }) =>
    JSON.stringify([
      value,
      context.windowClosed,
      context.failedAt !== null,
      context.outputs.map((one) => one.presence),
    ]),
  serializeEvent: (event) => JSON.stringify(event),
});

describe('every declared state of a transaction', () => {
  const leaves = readChart(transactionMachine).states.filter((state) => state.isLeaf);

  it.each(leaves.map((state) => state.path))('%s can be reached', (path) => {
    const lengths = paths.filter(({ state }) => statePath(state.value) === path).map(({ steps }) => steps.length);
    expect(lengths.length, `no sequence of events leads to ${path}`).toBeGreaterThan(0);
    // The longest shortest path: see, close, fail and end, after the opening step.
    expect(Math.min(...lengths)).toBeLessThanOrEqual(5);
  });
});
