import { type ChartDescription, describeChart, type KindRegistry } from '../engine/index.ts';
import { TerminalError } from '../errors.ts';

/** Every chart that actors run in this process, read off the machines themselves. */
export function listCharts(kinds: KindRegistry): ChartDescription[] {
  return kinds.list().map(describeChart);
}

/** Leaves of a kind. With `within`, those that are or lie in that state. Throws `UNKNOWN_KIND` and `UNKNOWN_STATE`. */
export function leavesOf(kinds: KindRegistry, kind: string, within?: string): string[] {
  const known = kinds.list().find(({ name }) => name === kind);
  if (known === undefined) {
    const names = kinds.list().map(({ name }) => name);
    throw new TerminalError('UNKNOWN_KIND', `There is no kind "${kind}"; choose from ${names.join(', ')}`, {
      field: 'kind',
    });
  }
  const leaves = describeChart(known).states.filter(({ type }) => type !== 'compound');
  const paths = leaves.map(({ path }) => path);
  const wanted =
    within === undefined ? paths : paths.filter((path) => path === within || path.startsWith(`${within}.`));
  if (wanted.length > 0) return wanted;
  throw new TerminalError('UNKNOWN_STATE', `The chart "${kind}" has no state "${within}"`, { field: 'state' });
}

/** Leaves of a kind in which an actor has come to its end. */
export function finalLeavesOf(kinds: KindRegistry, kind: string): string[] {
  return describeChart(kinds.get(kind)).states.flatMap(({ path, type }) => (type === 'final' ? [path] : []));
}
