import { expect, test } from 'vitest';
import type { Throughput } from '../../../src/http/console/operator/chart-activity-schemas.ts';
import { foldedChart } from '../../../src/http/console/text-measurement/folded-chart.ts';
import { listCharts } from '../../../src/operations/index.ts';
import { createTransactionKind } from '../../../src/payments/index.ts';
import { createKindRegistry } from '../../../src/platform/engine/index.ts';
import { flowsOf } from '../../../src/web/chart/chart-overlay.ts';

const [chart] = listCharts(createKindRegistry([createTransactionKind({ publicUrl: 'https://pay.example' })])).map(
  foldedChart,
);

function flowsWith(changes: readonly (readonly [from: string | null, to: string, count: number])[]) {
  if (chart === undefined) throw new Error('there is no chart');
  const throughput: Throughput = {
    kind: 'transaction',
    from: 0,
    to: 1,
    isEstimate: false,
    changes: changes.map(([from, to, count]) => ({ from, to, event: 'any', count })),
  };
  return Object.fromEntries(flowsOf(chart, throughput));
}

test('a change of state counts for the arrow between the two states', () => {
  expect(flowsWith([['confirming', 'completed', 3]])).toEqual({ 'confirming>completed': 3 });
  expect(
    flowsWith([
      ['completed', 'closedCompleted', 3],
      ['completed', 'closedCompleted', 4],
    ]),
  ).toEqual({ 'completed>closedCompleted': 7 });
});

test('an arrow to a branch stands for the way to the states in it', () => {
  const [flow] = Object.entries(flowsWith([['open.awaitingPayment', 'expired.watching', 2]]));
  expect(flow?.[1]).toBe(2);
  expect(flow?.[0]).toMatch(/^open(\.awaitingPayment)?>expired/);
});

test('starts, and ways through several states in one step, have no arrow', () => {
  expect(flowsWith([[null, 'open.awaitingPayment', 5]])).toEqual({});
  expect(flowsWith([['open.awaitingPayment', 'closedCompleted', 5]])).toEqual({});
});
