import { expect, test } from 'vitest';
import { REAL_CHARTS } from '../../../scripts/charts/real-charts.ts';
import { foldedChart } from '../../../src/http/console/text-measurement/index.ts';
import { positionFlows } from '../../../src/web/chart/flow-positions.ts';
import { headOf } from '../../../src/web/chart/head-position.ts';
import { chartNamed } from '../../support/charts/find-chart.ts';
import { sharedLayoutOf } from '../../support/charts/shared-layouts.ts';

const SIZE = { width: 18, height: 16 };

test.each(REAL_CHARTS)('counts on the arrows of $kind cover no name, no arrow and no other count', async (whole) => {
  const chart = foldedChart(whole);
  const layout = await sharedLayoutOf(chart);
  const flows = layout.edges.map(({ id, points }) => ({ id, points, size: SIZE }));
  const middles = [...positionFlows(flows, chart, layout)];
  expect(middles).toHaveLength(flows.length);
  for (const [id, { x, y }] of middles) {
    const tip = layout.edges.find((edge) => edge.id === id)?.points.at(-1) ?? { x: 0, y: 0 };
    const [besideTip, aboveTip] = [Math.abs(tip.x - x), Math.abs(tip.y - y)];
    expect(besideTip >= SIZE.width / 2 || aboveTip >= SIZE.height / 2, `${id} covers its arrow`).toBe(true);
    for (const [other, at] of middles) {
      const isApart = Math.abs(at.x - x) >= SIZE.width || Math.abs(at.y - y) >= SIZE.height;
      expect(other === id || isApart, `${id} covers ${other}`).toBe(true);
    }
    for (const box of layout.states) {
      const state = chart.states.find(({ path }) => path === box.path);
      if (state === undefined || (state.type === 'compound' && state.path !== '')) continue;
      const isIn = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
      expect(isIn, `${id} covers ${box.path}`).toBe(false);
    }
  }
});

test('the counts of a branch are at its right, as those of a state', async () => {
  const chart = foldedChart(chartNamed('transaction'));
  const layout = await sharedLayoutOf(chart);
  const box = layout.states.find(({ path }) => path === 'open') ?? fail();
  const state = chart.states.find(({ path }) => path === 'open') ?? fail();
  expect(headOf(state, box, layout).right).toBe(box.x + box.width - 8);
});

function fail(): never {
  throw new Error('it is not in the chart');
}
