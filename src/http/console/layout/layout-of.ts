import type { ChartLayout, FoldableChart } from '../contract/charts.ts';
import { arrange } from './arrange.ts';
import { withElk } from './elk-thread.ts';

export type LayoutOf = (chart: FoldableChart) => Promise<ChartLayout>;

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

/**
 * Rejects a chart that cannot be drawn.
 *
 * @throws RangeError for a duplicate name, a parent, source or target that is not a state, or
 * states that contain each other in a cycle.
 */
function checkChart(chart: FoldableChart): void {
  const reject = (what: string): never => {
    throw new RangeError(`chart "${chart.kind}" version ${chart.version} cannot be drawn: ${what}`);
  };
  const parents = new Map<string, string | null>();
  for (const { path, parent } of chart.states) {
    if (parents.has(path)) reject(`state "${path}" occurs twice`);
    parents.set(path, parent);
  }
  if (!parents.has('')) reject('it has no state "", its root');
  for (const { path, parent } of chart.states) {
    if (!parents.has(parent ?? '')) reject(`the parent "${parent}" of state "${path}" is not one of its states`);
    let depth = 0;
    for (let at = path; at !== ''; at = parents.get(at) ?? '') {
      depth += 1;
      if (depth > parents.size) reject(`state "${path}" lies in itself`);
    }
  }
  const ids = new Set<string>();
  for (const { id, from, to } of chart.transitions) {
    if (ids.has(id)) reject(`transition "${id}" occurs twice`);
    ids.add(id);
    if (!parents.has(from)) reject(`transition "${id}" leaves "${from}", which is not one of its states`);
    if (to !== null && !parents.has(to)) reject(`transition "${id}" leads to "${to}", which is not one of its states`);
  }
}
