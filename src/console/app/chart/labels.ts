import type { ChartInfo, StateInfo, TransitionInfo } from '../../contract/charts.ts';
import type { Marks } from './marks.ts';

/** The text of a chart's nodes, for screen readers and tooltips. */

export function stateWords(state: StateInfo, marks: Marks): string {
  const { path, type, isInitial, waitsFor, description } = state;
  if (path === '') return 'Handled in every state';
  const resting = marks.resting(path);
  return [
    path,
    { atomic: '', compound: 'with states in it', final: 'final state' }[type],
    isInitial ? 'initial' : '',
    marks.isLive(path) ? 'the actor is here' : '',
    visitWords(marks.visits(path)),
    resting === null ? '' : `${resting.count} here${resting.overdue > 0 ? `, ${resting.overdue} overdue` : ''}`,
    waitsFor === null || type === 'final' ? '' : `waits for ${waitsFor}`,
    description,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

export function transitionWords(transition: TransitionInfo, marks: Marks): string {
  const { id, event, from, to, guard, actions } = transition;
  const takes = marks.takes(id);
  return [
    event === 'always' ? 'always' : event,
    from === '' ? 'in every state' : `in ${from}`,
    to === null ? 'stays' : `leads to ${to === '' ? 'the beginning' : to}`,
    guard === null ? '' : `if ${guard}`,
    actions.length === 0 ? '' : `does ${actions.join(', ')}`,
    takes === 0 ? '' : `taken ${times(takes)}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The tooltip of a state: its path, description, and entry and exit effects. */
export function stateHint({ path, description, entry, exit }: StateInfo): string {
  return [
    path,
    description,
    entry.length === 0 ? '' : `entry: ${entry.join(', ')}`,
    exit.length === 0 ? '' : `exit: ${exit.join(', ')}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

export function chartWords({ kind, version, states, transitions }: ChartInfo): string {
  const count = states.filter(({ path }) => path !== '').length;
  return `Statechart of ${kind}, version ${version}: ${count} states, ${transitions.length} transitions`;
}

// Helpers

function visitWords(visits: number): string {
  return visits === 0 ? '' : `visited ${times(visits)}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
