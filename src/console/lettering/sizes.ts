import type { ChartInfo, StateInfo, TransitionInfo } from '../contract/charts.ts';
import { eventLabel, NOTE, stateLabel, TITLE } from './labels.ts';
import { textWidth } from './text-width.ts';

/** Measures of what is drawn, in CSS pixels. Layout and drawing both go by them. */

/** Between the border of a state and what stands in it. */
export const STATE_PADDING = 12;
export const TITLE_HEIGHT = 20;
export const NOTE_HEIGHT = 17;
/** Kept free at the right of a state for counts, as wide as `12345` with its glyph. */
const BADGE_WIDTH = 58;
/** Less room than at the border is needed between what a leaf says of itself and its events. */
export const HEAD_GAP = 8;
/** Between two events that stand in one state. */
export const ROW_GAP = 8;
export const EVENT_PADDING = 9;
export const EVENT_LINE_HEIGHT = 16;
/** A clock, the sign of infinity, or the number of a fork, with the gap behind it. */
export const GLYPH_WIDTH = 19;
/** Side of the square the dot of an initial state stands in. */
export const INITIAL_SIZE = 12;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Of a leaf: what it says of itself, and under it the events that leave it where it is. */
export function stateSize(state: StateInfo, chart: ChartInfo): Size {
  const head = headSize(state);
  const staying = stayingIn(state.path, chart);
  if (staying.length === 0) return head;
  const stack = stackSize(staying, chart);
  return {
    width: Math.max(head.width, stack.width + 2 * STATE_PADDING),
    height: head.height + stack.height + STATE_PADDING - HEAD_GAP,
  };
}

/** From the corner of a state to the end of its name, what it waits for, and the counts beside them. */
export function headSize(state: StateInfo): Size {
  const { path, type } = state;
  const { title, note } = stateLabel(state);
  const text = Math.max(textWidth(title, TITLE), note === null ? 0 : textWidth(note, NOTE));
  // Nothing waits and nothing is overdue in a final state, nor in the chip of the root.
  const lines = TITLE_HEIGHT + (type === 'final' || path === '' ? 0 : NOTE_HEIGHT);
  return { width: text + BADGE_WIDTH + 2 * STATE_PADDING, height: STATE_PADDING + lines + STATE_PADDING };
}

/** Of events one below the other. */
export function stackSize(transitions: readonly TransitionInfo[], chart: ChartInfo): Size {
  const sizes = transitions.map((transition) => eventSize(transition, chart));
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: sizes.reduce((sum, { height }) => sum + height + ROW_GAP, -ROW_GAP),
  };
}

export function eventSize(transition: TransitionInfo, chart: ChartInfo): Size {
  const { glyph, order, lines } = eventLabel(transition, chart);
  const text = Math.max(...lines.map((line) => textWidth(line.text, line.style)));
  const glyphs = (glyph === null ? 0 : GLYPH_WIDTH) + (order === null ? 0 : GLYPH_WIDTH);
  return {
    width: text + glyphs + 2 * EVENT_PADDING,
    height: lines.length * EVENT_LINE_HEIGHT + 8,
  };
}

/** Transitions that go nowhere: as in UML they stand in the box of their state, where arrows would only run in circles. */
export function stayingIn(path: string, { transitions }: ChartInfo): TransitionInfo[] {
  return transitions.filter(({ from, to }) => from === path && to === null);
}
