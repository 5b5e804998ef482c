import type { ChartSelection } from './types.ts';

/** Whether a state, by its path, or a transition, by its id, is selected. */
export function pickedBy(
  selected: ChartSelection | null | undefined,
  kind: 'state' | 'transition',
  name: string,
): boolean {
  if (selected === null || selected === undefined) return false;
  return 'state' in selected
    ? kind === 'state' && selected.state === name
    : kind === 'transition' && selected.transition === name;
}
