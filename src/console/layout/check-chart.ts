import type { ChartInfo } from '../contract/charts.ts';

/**
 * Rejects a chart that cannot be drawn.
 *
 * @throws RangeError for a duplicate name, a parent, source or target that is no state, or states
 * that contain each other in a cycle.
 */
export function checkChart(chart: ChartInfo): void {
  const refuse = (what: string): never => {
    throw new RangeError(`chart "${chart.kind}" version ${chart.version} cannot be drawn: ${what}`);
  };
  const parents = new Map<string, string | null>();
  for (const { path, parent } of chart.states) {
    if (parents.has(path)) refuse(`state "${path}" occurs twice`);
    parents.set(path, parent);
  }
  if (!parents.has('')) refuse('it has no state "", its root');
  for (const { path, parent } of chart.states) {
    if (!parents.has(parent ?? '')) refuse(`the parent "${parent}" of state "${path}" is not one of its states`);
    let depth = 0;
    for (let at = path; at !== ''; at = parents.get(at) ?? '') {
      depth += 1;
      if (depth > parents.size) refuse(`state "${path}" lies in itself`);
    }
  }
  const ids = new Set<string>();
  for (const { id, from, to } of chart.transitions) {
    if (ids.has(id)) refuse(`transition "${id}" occurs twice`);
    ids.add(id);
    if (!parents.has(from)) refuse(`transition "${id}" leaves "${from}", which is not one of its states`);
    if (to !== null && !parents.has(to)) refuse(`transition "${id}" leads to "${to}", which is not one of its states`);
  }
}
