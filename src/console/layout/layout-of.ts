import type { ChartInfo, ChartLayout } from '../contract/charts.ts';
import { arrange } from './arrange.ts';
import { checkChart } from './check-chart.ts';
import { withElk } from './elk-thread.ts';

/** Where everything of a chart is drawn. */
export type LayoutOf = (chart: ChartInfo) => Promise<ChartLayout>;

/**
 * Makes a `layoutOf` that arranges every version of a chart once, in a thread beside the event loop, and remembers it: what
 * a version of a chart holds never changes. Asked for twice at once, it still arranges once, and one chart after the other,
 * so that it takes one core at most. A failure is not remembered.
 */
export function createLayoutOf(): LayoutOf {
  const layouts = new Map<string, Promise<ChartLayout>>();
  let last: Promise<unknown> = Promise.resolve();
  return (chart) => {
    const key = JSON.stringify([chart.kind, chart.version]);
    const known = layouts.get(key);
    if (known !== undefined) return known;
    const layout = last.then(() => {
      // Before a thread is started for it.
      checkChart(chart);
      return withElk((elk) => arrange(chart, elk));
    });
    layouts.set(key, layout);
    last = layout.catch(() => layouts.delete(key));
    return layout;
  };
}
