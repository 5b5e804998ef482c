import { type ChartDescription, describeChart, type KindRegistry } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';

/** The charts of all actor kinds in this process, generated from the machines themselves. */
export function listCharts(kinds: KindRegistry): ChartDescription[] {
  return kinds.list().map(describeChart);
}

/**
 * Leaf states of a kind; with `within`, only that state or those inside it. Throws
 * `UNKNOWN_KIND` and `UNKNOWN_STATE`.
 */
export function leavesOf(kinds: KindRegistry, kind: string, within?: string): string[] {
  const known = kinds.list().find(({ name }) => name === kind);
  if (known === undefined) {
    const names = kinds.list().map(({ name }) => name);
    throw new TerminalError('UNKNOWN_KIND', `Unknown kind "${kind}"; choose from ${names.join(', ')}`, {
      field: 'kind',
    });
  }
  const leaves = describeChart(known).states.filter(({ type }) => type !== 'compound');
  const paths = leaves.map(({ path }) => path);
  const matching =
    within === undefined ? paths : paths.filter((path) => path === within || path.startsWith(`${within}.`));
  if (matching.length > 0) return matching;
  throw new TerminalError('UNKNOWN_STATE', `The chart "${kind}" has no state "${within}"`, { field: 'state' });
}

export function finalLeavesOf(kinds: KindRegistry, kind: string): string[] {
  return describeChart(kinds.get(kind)).states.flatMap(({ path, type }) => (type === 'final' ? [path] : []));
}
