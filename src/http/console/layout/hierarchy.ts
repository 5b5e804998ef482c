import type { FoldableChart } from '../contract/charts.ts';

/** The states that contain a state, from its parent up to the root, which is ''. */
export function ancestorsOf(path: string, { states }: FoldableChart): string[] {
  const parents = new Map(states.map((state) => [state.path, state.parent ?? '']));
  const ancestors: string[] = [];
  for (let at = path; at !== ''; ) {
    at = parents.get(at) ?? '';
    ancestors.push(at);
  }
  return ancestors;
}

/** The innermost state that contains both and is neither of them; the root contains itself. */
export function commonAncestor(one: string, other: string, chart: FoldableChart): string {
  const others = new Set(ancestorsOf(other, chart));
  return ancestorsOf(one, chart).find((ancestor) => others.has(ancestor)) ?? '';
}

/** The direct substates of a state, in the order of the chart. The root itself is excluded. */
export function childrenOf(path: string, { states }: FoldableChart): FoldableChart['states'] {
  return states.filter((state) => state.path !== '' && (state.parent ?? '') === path);
}

/** Whether it contains other states. False for the root, which is drawn as a chip next to them. */
export function isBranch(path: string, chart: FoldableChart): boolean {
  return path !== '' && childrenOf(path, chart).length > 0;
}
