import type { ChartInfo, ChartLayout } from '../contract/charts.ts';
import { arrange } from './arrange.ts';
import { checkChart } from './check-chart.ts';
import { withElk } from './elk-thread.ts';

/** Computes the layout of a chart. */
export type LayoutOf = (chart: ChartInfo) => Promise<ChartLayout>;

/**
 * Creates a `layoutOf` that lays out every version of a chart once, whole and folded, in a worker
 * thread, and caches it: the content of a chart version never changes. Concurrent calls for a chart
 * share one layout, and charts are processed one at a time, so that at most one core is used.
 * Failures are not cached.
 */
export function createLayoutOf(): LayoutOf {
  const layouts = new Map<string, Promise<ChartLayout>>();
  let last: Promise<unknown> = Promise.resolve();
  return (chart) => {
    const key = JSON.stringify([chart.kind, chart.version, chart.isFolded === true]);
    const known = layouts.get(key);
    if (known !== undefined) return known;
    const layout = last.then(() => {
      // Checked before a thread is started.
      checkChart(chart);
      return withElk((elk) => arrange(chart, elk));
    });
    layouts.set(key, layout);
    last = layout.catch(() => layouts.delete(key));
    return layout;
  };
}
