import { REAL_CHARTS } from '../../../scripts/charts/real-charts.ts';
import type { ChartLayout, FoldableChart } from '../../../src/http/console/contract/charts.ts';

export function chartNamed(kind: string): FoldableChart {
  const chart = REAL_CHARTS.find((each) => each.kind === kind);
  if (chart === undefined) throw new Error(`there is no chart ${kind}`);
  return chart;
}

export function layoutIn(layouts: ReadonlyMap<string, ChartLayout>, { kind }: FoldableChart): ChartLayout {
  const layout = layouts.get(kind);
  if (layout === undefined) throw new Error(`there is no layout of ${kind}`);
  return layout;
}
