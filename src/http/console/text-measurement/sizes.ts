import type { FoldableChart, StateDescription, TransitionDescription } from '../contract/charts.ts';
import { eventLabel, NOTE, stateLabel, TITLE } from './labels.ts';
import { textWidth } from './text-width.ts';

/** Sizes in CSS pixels, shared by layout and drawing. */

/** Between the border of a state and its content. */
export const STATE_PADDING = 8;
const TITLE_HEIGHT = 18;
export const NOTE_HEIGHT = 16;
/** Reserved at the right of a name for the number of actors, as wide as `12,345`. */
const COUNT_WIDTH = 58;
/** Reserved before that number for the overdue ones, as wide as `1.2K` with its glyph. */
const OVERDUE_WIDTH = 58;
/** The longest text about the time in a state, in place of what the state waits for. */
const LONGEST_DWELL = 'oldest 59 min · p95 59 min';
/** Between the label of a leaf and its events. */
export const HEAD_GAP = 7;
/** Between two events in one state. */
export const ROW_GAP = 8;
export const EVENT_PADDING = 9;
export const EVENT_LINE_HEIGHT = 16;
/** A clock, the infinity sign, or the order number, with the gap after it. */
export const GLYPH_WIDTH = 19;
/** Side of the square around the dot of an initial state. */
export const INITIAL_SIZE = 12;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Size of a leaf: its label, and under it the events that do not leave it. */
export function stateSize(state: StateDescription, chart: FoldableChart): Size {
  const head = headSize(state);
  const staying = internalTransitionsOf(state.path, chart);
  if (staying.length === 0) return head;
  const stack = stackSize(staying, chart);
  return {
    width: Math.max(head.width, stack.width + 2 * STATE_PADDING),
    height: head.height + stack.height + STATE_PADDING - HEAD_GAP,
  };
}

/** Size of a state's label: name, what it waits for, and counts. */
export function headSize(state: StateDescription): Size {
  const { path, type } = state;
  const { title, note } = stateLabel(state);
  // Final states and the root's chip have nothing overdue and no time to show.
  const isResting = type !== 'final' && path !== '';
  const heading = textWidth(title, TITLE) + COUNT_WIDTH + (isResting ? OVERDUE_WIDTH : 0);
  const second = note === null ? 0 : textWidth(note, NOTE);
  const dwell = isResting && type === 'atomic' ? textWidth(LONGEST_DWELL, NOTE) : 0;
  return {
    width: Math.max(heading, second, dwell) + 2 * STATE_PADDING,
    height: STATE_PADDING + TITLE_HEIGHT + (second + dwell === 0 ? 0 : NOTE_HEIGHT) + STATE_PADDING,
  };
}

export function stackSize(transitions: readonly TransitionDescription[], chart: FoldableChart): Size {
  const sizes = transitions.map((transition) => eventSize(transition, chart));
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: sizes.reduce((sum, { height }) => sum + height + ROW_GAP, -ROW_GAP),
  };
}

export function eventSize(transition: TransitionDescription, chart: FoldableChart): Size {
  const { glyph, order, lines } = eventLabel(transition, chart);
  const text = Math.max(...lines.map((line) => textWidth(line.text, line.style)));
  const glyphs = (glyph === null ? 0 : GLYPH_WIDTH) + (order === null ? 0 : GLYPH_WIDTH);
  return {
    width: text + glyphs + 2 * EVENT_PADDING,
    height: lines.length * EVENT_LINE_HEIGHT + 8,
  };
}

/**
 * Transitions without a target: as in UML they are shown in the box of their state, where edges
 * would only form loops.
 */
export function internalTransitionsOf(path: string, { transitions }: FoldableChart): TransitionDescription[] {
  return transitions.filter(({ from, to }) => from === path && to === null);
}
